"""In Chromium: a reader chooses the models that a finding compares, and its figures and their tables follow."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from generator.claims.claim import Part
from generator.numbers.number import Number
from generator.pages import addresses
from generator.pages.claims.figures import ASIDE, UNJUDGED
from generator.site.loaded import ASSETS, loaded
from tests.pages.claims.judged import STEP, Invent, crossing, meeting, missing, untold
from tests.pages.written.test_compared import TEXT, of
from tests.pages.written.test_knowledge import PAGE, rendered
from tests.site.browser import Visit, until, visiting
from tests.site.project import server

pytestmark = pytest.mark.browser


def lower(part: Part) -> Number:
    """Another number that misses the threshold, so that two models have a range."""
    return Number(*(one - STEP / 2 for one in missing(part)[:3]), 80)


def partly(part: Part) -> Number | None:
    """A number that misses the threshold; of K15 one part is open, and the other has no number."""
    return missing(part) if not part.key.startswith("K15") else crossing(part) if part.key == "K15.3" else None


def slightly(part: Part) -> Number | None:
    """The same, and of C14 a number of too few to be judged."""
    return missing(part, n=1) if part.key.startswith("C14") else partly(part)


WAYS = (lower, missing, untold, meeting, crossing, meeting)
AROUND = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Depth</title><link rel="icon" href="data:,">'
    '</head><body data-md-color-scheme="default"><article>{}</article>'
    '<script src="../../assets/fieldguide/fieldguide.js"></script></body></html>'
)
SAID = """() => [...document.querySelectorAll(".fg-title, tbody tr")].map((one) =>
  [...(one.cells || [one])].map((part) => part.textContent.trim().replace(/\\s+/g, " ")))"""
DOTS = "[data-kind=evidence] .mark-symbol.role-mark path"


def write(folder: Path, place: str, *only: str, ways: Sequence[Invent] = WAYS, text: str = TEXT) -> str:
    """The page of all models, or of some alone; returns its file."""
    knowledge = of(*ways, only=only)
    (folder / place).mkdir(parents=True, exist_ok=True)
    (folder / place / "index.html").write_text(AROUND.format(rendered(text, knowledge)), encoding="utf-8")
    for name, content in knowledge._context(place).renderer.drawn(place):
        (folder / name).write_text(str(content), encoding="utf-8")
    return f"{place}index.html"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page of six models."""
    folder = tmp_path_factory.mktemp("compared")
    (folder / addresses.ASSETS).mkdir(parents=True)
    for name, content in loaded(ASSETS).items():
        (folder / addresses.ASSETS / name).write_text(content, encoding="utf-8")
    write(folder, PAGE)
    return folder


@pytest.fixture(params=["server", "disk"])
def opened(request: pytest.FixtureRequest, browser: Browser, folder: Path) -> Iterator[Visit]:
    """Gives a tab that opens the page from a server, and one that opens it from disk."""
    with server(folder) as address, visiting(browser, address) as visit:
        visit.address = f"{folder.as_uri()}/" if request.param == "disk" else address
        yield visit


def test_figures_and_tables_are_those_of_a_page_of_the_chosen_models(opened: Visit, folder: Path) -> None:
    page = opened.go(f"{PAGE}index.html")
    first = page.evaluate(SAID)
    page.locator(".fg-compared summary").focus()
    page.keyboard.press("Enter")
    assert not any(request.endswith(("vega.js", "models.js")) for request in opened.requests)
    for box in range(6):  # at first all are marked but m2, which comes last
        page.keyboard.press("Tab")
        if box in (0, 1):
            page.keyboard.press("Space")
    page.locator(".fg-compared[data-shown='m4 m1 m0']").wait_for()
    until(page, f"document.querySelectorAll({DOTS!r}).length === 6")
    assert page.url.endswith("index.html?model=m4&model=m1&model=m0")
    chosen = page.evaluate(SAID)
    for at in (0, 1):
        drawn = page.locator("[role=graphics-document]").nth(at)
        assert drawn.get_attribute("aria-label") == page.locator(".fg-title").nth(at).inner_text()
    page.reload()
    page.locator(".fg-compared[data-shown='m4 m1 m0']").wait_for()
    until(page, f"document.querySelectorAll({DOTS!r}).length === 6")
    assert page.evaluate(SAID) == chosen
    page.locator(".fg-compared summary").click()
    for name in ("M5", "M3"):
        page.locator("label", has_text=name).locator("input").click()
    until(page, f"JSON.stringify(({SAID})()) === JSON.stringify({json.dumps(first)})")
    assert (page.evaluate(SAID), page.url.endswith("index.html")) == (first, True)
    opened.go(write(folder, "findings/alone/", "m0", "m1", "m4"))
    assert page.evaluate(SAID) == chosen


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("K03", "in all 2 models (K03)"),
        ("C12", " in "),
        ("K15", f"in all 2 models{UNJUDGED} (K15)"),
        ("C14", f" in M2{ASIDE} (C14)"),
    ],
)
def test_a_title_says_the_least_and_the_largest_number(claim: str, said: str, folder: Path, browser: Browser) -> None:
    ways = meeting, slightly, partly, meeting, meeting, meeting
    text = f'{TEXT}\n\n{{{{ figure("{claim}") }}}}'
    with server(folder) as address, visiting(browser, address) as visit:
        page = visit.page
        page.goto(f"{address}{write(folder, f'findings/{claim}/', ways=ways, text=text)}?model=m1&model=m2")
        page.locator(".fg-compared[data-shown='m1 m2']").wait_for()
        chosen = page.evaluate(SAID)
        assert said in page.locator(".fg-title").last.inner_text()
        visit.go(write(folder, f"findings/{claim}-alone/", "m1", "m2", ways=ways, text=text))
        assert page.evaluate(SAID) == chosen
