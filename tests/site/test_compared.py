"""In Chromium: a reader chooses the models that a finding compares, and all that it says follows the choice."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from generator.claims import CLAIMS
from generator.claims.claim import Part
from generator.numbers.number import Number
from generator.pages import addresses
from generator.pages.claims.figures import UNJUDGED
from generator.site.loaded import ASSETS, loaded
from tests.pages.claims.judged import STEP, Invent, about, crossing, meeting, missing, untold
from tests.pages.written.test_compared import APART, TEXT, of
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


WAYS = (lower, missing, untold, meeting, crossing, meeting)
AROUND = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Depth</title><link rel="icon" href="data:,">'
    '</head><body data-md-color-scheme="default"><article>{}</article>'
    '<script src="../../assets/fieldguide/fieldguide.js"></script></body></html>'
)
SAID = """() => [...document.querySelectorAll("article > p, .fg-title, tbody tr")].map((one) =>
  [...(one.cells || [one])].map((part) => part.textContent.trim().replace(/\\s+/g, " ")))"""
BROAD, BROADEST = next(one for one in CLAIMS if one.id == "C10").parts
SEP, SEP_BY_CHANCE = next(one for one in CLAIMS if one.id == "C04").parts
DOTS = "[data-kind=evidence] .mark-symbol.role-mark path"


def write(folder: Path, place: str, *only: str, ways: Sequence[Invent] = WAYS, text: str = TEXT) -> str:
    """The page of all models, or of some alone; returns its file."""
    knowledge = of(*ways, only=only)
    (folder / place).mkdir(parents=True, exist_ok=True)
    (folder / place / "index.html").write_text(AROUND.format(rendered(text, knowledge)), encoding="utf-8")
    for name, content in knowledge._renderer.drawn(place):
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


def test_sentences_figures_and_tables_are_those_of_a_page_of_the_chosen_models(opened: Visit, folder: Path) -> None:
    page = opened.go(f"{PAGE}index.html")
    first = page.evaluate(SAID)
    page.locator(".fg-compared summary").focus()
    page.keyboard.press("Enter")
    assert not any(one.endswith(("vega.js", "models.js")) for one in opened.requests)
    for box in range(6):  # at first m5, m3, m4 and m1 are marked, which come before m0 and m2
        page.keyboard.press("Tab")
        if box in (0, 1, 4):
            page.keyboard.press("Space")
    page.locator(".fg-compared[data-shown='m4 m1 m0']").wait_for()
    until(page, f"document.querySelectorAll({DOTS!r}).length === 3")
    assert page.url.endswith("index.html?model=m4&model=m1&model=m0")
    chosen = page.evaluate(SAID)
    assert (
        page.locator("[role=graphics-document]").get_attribute("aria-label") == page.locator(".fg-title").inner_text()
    )
    page.reload()
    page.locator(".fg-compared[data-shown='m4 m1 m0']").wait_for()
    until(page, f"document.querySelectorAll({DOTS!r}).length === 3")
    assert page.evaluate(SAID) == chosen
    page.locator(".fg-compared summary").click()
    for name in ("M5", "M3", "M0"):
        page.locator("label", has_text=name).locator("input").click()
    until(page, f"JSON.stringify(({SAID})()) === JSON.stringify({json.dumps(first)})")
    assert (page.evaluate(SAID), page.url.endswith("index.html")) == (first, True)
    opened.go(write(folder, "findings/alone/", "m0", "m1", "m4"))
    assert page.evaluate(SAID) == chosen


def test_models_of_which_the_same_is_said_stand_together_and_a_range_around_zero_has_both_signs(
    folder: Path, browser: Browser
) -> None:
    """C10 misses its threshold in two models, on both sides of 0, and cannot be tested for two others."""
    some = missing, lambda part: Number(-0.3, -0.4, -0.2, 70), untold, untold, untold, untold
    text = APART.replace("No.", "{models} differ by {1:more}.") + "\n\n{{ compared() }}"
    with server(folder) as address, visiting(browser, address) as visit:
        asked = "?model=m0&model=m1&model=m2&model=m3"
        visit.page.goto(f"{address}{write(folder, 'findings/two/', ways=some, text=text)}{asked}")
        page = visit.page
        page.locator(".fg-compared[data-shown='m3 m1 m0 m2']").wait_for()
        chosen = page.evaluate(SAID)
        assert "differ by 0.30 nats less or 0.100 nats more" in chosen[0][0]
        assert "Not testable for M3 and M2 (nothing was read)" in chosen[0][0]
        visit.go(write(folder, "findings/two-alone/", "m0", "m1", "m2", "m3", ways=some, text=text))
        assert page.evaluate(SAID) == chosen


def test_chosen_models_of_which_all_the_same_is_said_are_not_named(folder: Path, browser: Browser) -> None:
    ways = meeting, missing, missing, missing, missing, missing
    text = APART.replace("No.", "It is so in {models}, and not in {any}.") + "\n\n{{ compared() }}"
    with server(folder) as address, visiting(browser, address) as visit:
        alone = [
            visit.page.goto(f"{address}{write(folder, f'findings/few-{len(some)}/', *some, ways=ways, text=text)}")
            and visit.page.evaluate(SAID)
            for some in (("m1", "m2", "m3"), ("m1", "m2"), ("m0", "m1", "m2", "m3"))
        ]
        assert "It is so in all 3 models here, and not in any of the 3 models here." in alone[0][0][0]
        file = write(folder, "findings/few/", ways=ways, text=text)
        for chosen, shown, said in (
            ("m1 m2 m3", "m3 m1 m2", 0),
            ("m1 m2", "m1 m2", 1),
            ("m0 m1 m2 m3", "m3 m1 m0 m2", 2),
        ):
            asked = "&".join(f"model={one}" for one in chosen.split())
            visit.page.goto(f"{address}{file}?{asked}")
            visit.page.locator(f".fg-compared[data-shown='{shown}']").wait_for()
            assert visit.page.evaluate(SAID) == alone[said]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("K03", "in all 2 models (K03)"),
        ("C12", " in "),
        ("K15", f"in all 2 models{UNJUDGED} (K15)"),
    ],
)
def test_a_title_says_the_least_and_the_largest_number(claim: str, said: str, folder: Path, browser: Browser) -> None:
    ways = meeting, partly, partly, meeting, meeting, meeting
    text = f'{TEXT}\n\n{{{{ figure("{claim}") }}}}'
    with server(folder) as address, visiting(browser, address) as visit:
        page = visit.page
        page.goto(f"{address}{write(folder, f'findings/{claim}/', ways=ways, text=text)}?model=m1&model=m2")
        page.locator(".fg-compared[data-shown='m1 m2']").wait_for()
        chosen = page.evaluate(SAID)
        assert said in page.locator(".fg-title").last.inner_text()
        visit.go(write(folder, f"findings/{claim}-alone/", "m1", "m2", ways=ways, text=text))
        assert page.evaluate(SAID) == chosen


def test_the_few_heads_of_chosen_models_are_named(folder: Path, browser: Browser) -> None:
    ways = [about(missing, (1, at)) for at in range(1, 6)] + [about(missing, (1, 1), (2, 1), (3, 1))]
    text = APART.replace("No.", "The best{heads} of {models}.") + "\n\n{{ compared() }}"
    with server(folder) as address, visiting(browser, address) as visit:
        page = visit.page
        for at, some in enumerate((("m1",), ("m1", "m2"), ("m5",))):
            page.goto(
                f"{address}{write(folder, 'findings/headed/', ways=ways, text=text)}?model={'&model='.join(some)}"
            )
            page.locator(f".fg-compared[data-shown='{' '.join(some)}']").wait_for()
            chosen = page.evaluate(SAID)
            said = ("The best (1-2) of M1.", "The best (1-2 in M1 and 1-3 in M2) of M1 and M2.", "The best of M5.")[at]
            assert said in chosen[0][0]
            visit.go(write(folder, f"findings/headed-{at}/", *some, ways=ways, text=text))
            assert page.evaluate(SAID) == chosen


def test_what_is_unsure_of_chosen_models_stands_at_the_end_of_their_sentence(folder: Path, browser: Browser) -> None:
    """For C10 two models leave the first number open, one the second, and two are not even sure of the sign. For C04
    one fails by the first number, one by the second, and one is open.
    """

    def first(value: float, low: float, high: float) -> Invent:
        return lambda part: Number(value, low, high, 70) if part is BROAD else about_sep.get(value, meeting)(part)

    def failing(one: Part) -> Invent:
        return lambda part: missing(part) if part is one else meeting(part)

    about_sep = {-0.1: failing(SEP), -0.2: failing(SEP_BY_CHANCE), -0.3: crossing}

    ways: tuple[Invent, ...] = (
        first(0.16, -0.1, 0.3),
        first(0.4, 0.1, 0.7),
        lambda part: crossing(part) if part is BROADEST else meeting(part),
        first(-0.1, -0.3, 0.1),
        first(-0.2, -0.3, -0.1),
        first(-0.3, -0.7, 0.1),
    )
    call = '{{ tell("C10", fails="{models}: {1:more}.", inconclusive="Open in {models}: {1:more}.") }}'
    short = call.replace("tell(", "answer(").replace(": {1:more}.", ".")
    denied = 'holds="In {models}: {2}.", fails="No: {1} in {models}.", fails_2="{2} in {any}.", inconclusive="Open."'
    alike = ", ".join(f'{verdict}="{{models}}: {{1:points}}."' for verdict in ("holds", "fails", "inconclusive"))
    others = f'{{{{ answer("C04", {denied}) }}}} {{{{ tell("C04", {alike}) }}}} {{{{ answer("C04", {alike}) }}}}'
    text = f"{call} {short} {others}\n\n{{{{ compared() }}}}"
    with server(folder) as address, visiting(browser, address) as visit:
        page = visit.page
        file = write(folder, "findings/unsure/", ways=ways, text=text)
        for chosen in ("m3 m1 m0", "m5 m3 m4 m0", "m5 m3", "m4 m2", "m4 m0", "m3 m4", "m1 m0"):
            page.goto(f"{address}{file}?{'&'.join(f'model={one}' for one in chosen.split())}")
            page.locator(f".fg-compared[data-shown='{chosen}']").wait_for()
            said = page.evaluate(SAID)
            alone = write(folder, f"findings/unsure-{chosen.replace(' ', '-')}/", *chosen.split(), ways=ways, text=text)
            page.goto(f"{address}{alone}")
            assert page.evaluate(SAID) == said
            assert "interval" in said[0][0]
