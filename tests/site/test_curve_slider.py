"""In Chromium: the page of a model's course of training moves its heads along the checkpoints; it fetches their numbers
once.
"""

from collections.abc import Callable, Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Page

from generator.charts.compile import charts_script, vega_script
from generator.charts.theme import css
from generator.home import TEMPLATES
from generator.numbers.writing import number
from generator.pages import addresses
from generator.pages.renderer import Renderer
from generator.site.loaded import ASSETS
from generator.topics.learning.charts.panels import STRIP
from generator.topics.learning.page.page import curve_page
from generator.topics.learning.page.slider import SHOWN
from tests.site import project
from tests.site.browser import NARROW, WIDE, Visit, left, until, visiting, visiting_in
from tests.site.test_accessibility import COLOURS, EVERYTHING, grave
from tests.topics.learning.page.courses import RELATIONS, STEPS, Course

pytestmark = pytest.mark.browser
PAGE = addresses.curve("tiny")
SHELL = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tiny</title>'
    '<meta name="viewport" content="width=device-width">'
    '<link rel="icon" href="data:,">'
    '<link rel="stylesheet" href="{up}assets/fieldguide/fieldguide.css">'
    "<style>body {{ background: {paper}; color: {ink}; margin: 1rem; --md-default-bg-color: {paper} }}"
    " a {{ color: var(--fg-accent) }} button {{ background: none }} html {{ font-size: 20px }}"
    " [hidden] {{ display: none !important }}</style></head>"
    '<body data-md-color-scheme="{scheme}"><main class="md-typeset">{content}</main>'
    '<script src="{up}assets/fieldguide/fieldguide.js"></script></body></html>'
)
"""A page without a theme: only what is ours."""
SCHEMES = {"default": ("white", "#1f2a2e"), "slate": ("#1e2129", "#e3e9ea")}
STEP, MEASURE = ".fg-curve-step", ".fg-curve-measure"
DATA = "window.fieldguide.data(document.querySelector('.fg-curve')).then(told => told.heads)"
"""The numbers of all checkpoints."""
LOST = ("attention.cls", 2, 3, 16)
"""A number that is undefined."""


@pytest.fixture(scope="module")
def course() -> Course:
    """Gives invented checkpoints."""
    made = Course().everything(SHOWN)
    (row,) = (row for row in made.curves if (row["name"], row["layer"], row["head"], row["step"]) == LOST)
    row["value"] = float("nan")
    return made


@pytest.fixture(scope="module")
def address(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Gives the address of a folder with the page in both schemes and what it needs."""
    root = tmp_path_factory.mktemp("curve")
    made = Renderer(TEMPLATES).page(PAGE, curve_page(course.store(root / "results")))
    assets = root / "assets" / "fieldguide"
    assets.mkdir(parents=True)
    (assets / "fieldguide.css").write_text(css() + (ASSETS / "fieldguide.css").read_text(encoding="utf-8"))
    for name in ("fieldguide.js", "curve.js"):
        (assets / name).write_text((ASSETS / name).read_text(encoding="utf-8"))
    (assets / "charts.js").write_text(charts_script())
    (assets / "vega.js").write_text(vega_script())
    for scheme, (paper, ink) in SCHEMES.items():
        place = root / PAGE
        place.mkdir(parents=True, exist_ok=True)
        text = SHELL.format(up="../../../", paper=paper, ink=ink, scheme=scheme, content=made.html)
        (place / ("index.html" if scheme == "default" else f"{scheme}.html")).write_text(text)
    for name, content in made.files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    with project.server(root) as served:
        yield served


@pytest.fixture
def visit(used: Page, address: str) -> Iterator[Visit]:
    """Gives a tab that shows the page."""
    with visiting_in(left(used), address) as visit:
        visit.go(PAGE)
        visit.page.locator(".fg-curve[data-ready]").wait_for()
        yield visit


@pytest.fixture
def moved(visit: Visit) -> Visit:
    """Gives a tab whose numbers have come."""
    visit.page.evaluate(DATA)
    return visit


def labels(page: Page) -> list[str]:
    """What is said of each head."""
    return page.eval_on_selector_all(".fg-curve .fg-cell", "all => all.map(one => one.getAttribute('aria-label'))")


def expected(course: Course, name: str, step: int) -> list[str]:
    """The same, from the stored numbers."""
    places = {
        (row["layer"], row["head"]): number(row["value"], row["low"], row["high"])
        for row in course.curves
        if row["study"] == "measure" and row["head"] and (row["name"], row["step"]) == (name, step)
    }
    return [f"Head {layer}-{head}: {places[layer, head]}" for layer, head in course.places]


def test_numbers_are_fetched_when_a_reader_first_chooses(visit: Visit, course: Course) -> None:
    data = f"{visit.address}{PAGE}figures.js"
    assert data not in visit.requests
    assert labels(visit.page) == expected(course, SHOWN[0], STEPS[-1])
    with visit.page.expect_response(data):
        visit.page.locator(STEP).fill("1")
    visit.page.locator("output", has_text=f"step {STEPS[1]:,}").wait_for()
    assert labels(visit.page) == expected(course, SHOWN[0], STEPS[1])


def test_slider_tells_every_number_of_every_step_without_another_request(moved: Visit, course: Course) -> None:
    visit, page, slider = moved, moved.page, moved.page.locator(STEP)
    before = len(visit.requests)
    for at in (*range(len(STEPS)), 1):
        slider.fill(str(at))
        assert labels(page) == expected(course, SHOWN[0], STEPS[at])
        assert page.locator("output").inner_text() == f"step {STEPS[at]:,}"
        assert slider.get_attribute("aria-valuetext") == f"step {STEPS[at]:,}"
    assert page.locator(".fg-unknown").count() == 1
    assert visit.requests[before:] == []


def test_measures_are_chosen_and_defined(moved: Visit, course: Course) -> None:
    visit, page = moved, moved.page
    before = len(visit.requests)
    for at, name in enumerate(SHOWN):
        page.locator(MEASURE).select_option(index=at)
        assert labels(page) == expected(course, name, STEPS[-1])
        assert page.locator(".fg-curve-definition").get_attribute("href").endswith(f"/methods/{name}/")
        largest = max(row["value"] for row in course.curves if row["name"] == name and row["head"] and row["value"] > 0)
        assert float(page.locator(".fg-curve-top").inner_text()) == pytest.approx(largest, abs=0.006)
        assert "95 % intervals" in page.locator(".fg-curve-told").inner_text()
    assert visit.requests[before:] == []


def test_slider_is_moved_with_the_keyboard(moved: Visit, course: Course) -> None:
    visit = moved
    visit.page.locator(STEP).focus()
    visit.page.keyboard.press("ArrowLeft")
    assert labels(visit.page) == expected(course, SHOWN[0], STEPS[-2])
    visit.page.keyboard.press("Home")
    assert labels(visit.page) == expected(course, SHOWN[0], STEPS[0])
    visit.page.keyboard.press("End")
    assert labels(visit.page) == expected(course, SHOWN[0], STEPS[-1])


def test_colour_follows_the_number_on_one_scale(visit: Visit, course: Course) -> None:
    """The background is the scale, spread wide and moved to the number's place."""
    data = visit.page.evaluate(DATA)
    top = float(data["measures"][1]["top"])
    visit.page.locator(MEASURE).select_option(index=1)
    for at in (0, 2):
        visit.page.locator(STEP).fill(str(at))
        places = visit.page.eval_on_selector_all(
            ".fg-curve .fg-cell", "all => all.map(one => parseFloat(getComputedStyle(one).backgroundPositionX))"
        )
        values = [float(label.partition(": ")[2]) for label in expected(course, SHOWN[1], STEPS[at])]
        assert places == pytest.approx([100 * value / top for value in values], abs=0.2)


def test_cell_leads_to_its_head(visit: Visit) -> None:
    href = visit.page.get_by_role("link", name="Head 2-3").evaluate("one => one.href")
    assert href == f"{visit.address}{addresses.head('tiny', 2, 3)}"


def test_script_that_runs_again_changes_nothing(moved: Visit, course: Course) -> None:
    visit = moved
    visit.page.locator(STEP).fill("2")
    visit.page.add_script_tag(url=f"{visit.address}assets/fieldguide/curve.js")
    assert labels(visit.page) == expected(course, SHOWN[0], STEPS[2])


def test_page_without_scripts_shows_the_last_step_and_no_dead_controls(
    browser: Browser, address: str, course: Course
) -> None:
    with visiting(browser, address, java_script_enabled=False) as visit:
        page = visit.page
        page.goto(address + PAGE)
        told = [one.get_attribute("aria-label") for one in page.locator(".fg-curve .fg-cell").all()]
        assert told == expected(course, SHOWN[0], STEPS[-1])
        assert not page.locator(STEP).is_visible()
        assert not page.locator(MEASURE).is_visible()
        assert "need JavaScript" in page.content()
        assert page.locator(".fg-curve details td").count() == len(course.places) * (1 + len(SHOWN))


def test_every_figure_is_drawn_from_the_page(visit: Visit) -> None:
    names = visit.figures()
    assert {"layers", "signatures", "relation-heads", "verdicts", "training", "contextuality"} <= set(names)
    drawn = visit.page.eval_on_selector_all(
        ".fg-figure", "all => all.map(one => [one.id, one.querySelectorAll('.role-mark path').length])"
    )
    assert [name for name, marks in drawn if not marks] == []


MARKS: Mapping[str, Callable[[Course], int]] = {
    "layers": lambda course: 2 * 6 * len(STEPS),
    "relation-heads": lambda course: len(RELATIONS) * 2 * len(STEPS),
    "contextuality": lambda course: 3 * 3 * len(STEPS),
}


@pytest.mark.parametrize("name", MARKS)
def test_strips_draw_every_number(visit: Visit, course: Course, name: str) -> None:
    visit.figure(name)
    points = visit.page.locator(f"#{name} .mark-symbol.role-mark path")
    assert points.count() == MARKS[name](course)
    assert visit.page.locator(f"#{name} .mark-area.role-mark path").count() == MARKS[name](course) // len(STEPS)
    height = visit.page.locator(f"#{name} svg").evaluate("one => one.getBoundingClientRect().height")
    assert height > (2 if name == "layers" else 3) * STRIP


@pytest.mark.parametrize("scheme", SCHEMES)
def test_page_has_no_grave_obstacle_and_does_not_scroll_sideways(used: Page, address: str, scheme: str) -> None:
    judged = EVERYTHING if scheme == "default" else COLOURS
    with visiting_in(left(used), address) as visit:
        visit.go(PAGE if scheme == "default" else f"{PAGE}{scheme}.html")
        visit.figures()
        for width, height in (WIDE, NARROW):
            visit.page.set_viewport_size({"width": width, "height": height})
            until(visit.page, f"document.documentElement.scrollWidth <= {width}")
            assert grave(visit, judged) == []
