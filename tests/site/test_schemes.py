"""In Chromium: charts follow light and dark, and their text is readable in both."""

import pytest
from playwright.sync_api import Browser

from tests.charts.contrast import READABLE, contrast
from tests.site.browser import Visit, visiting
from tests.site.project import HEAD, MODEL, Site

pytestmark = pytest.mark.browser
COLOURS = """all => all.map(one => {
  const style = getComputedStyle(one);
  return style.fill === "none" ? style.stroke : style.fill;
})"""
TEXTS = "all => [...new Set(all.map(one => getComputedStyle(one).fill))]"
BEHIND = "all => [...new Set(all.map(one => getComputedStyle(one).backgroundColor))]"


def assert_readable(visit: Visit) -> None:
    """Every text of every chart, on the page and on the picture's own background."""
    inks = visit.page.eval_on_selector_all(".fg-chart svg text", TEXTS)
    pages = visit.page.eval_on_selector_all("body, .fg-chart svg", BEHIND)
    assert inks
    assert pages
    assert not [(ink, page) for ink in inks for page in pages if contrast(ink, page) < READABLE]


@pytest.mark.parametrize("place", [MODEL, HEAD], ids=["model", "head"])
def test_palette_button_draws_charts_again_in_colours_that_read_well(visit: Visit, place: str) -> None:
    visit.go(place)
    visit.figures()
    light = visit.page.eval_on_selector_all(".fg-chart svg .role-mark > *", COLOURS)
    assert_readable(visit)
    visit.turn_dark()
    dark = visit.page.eval_on_selector_all(".fg-chart svg .role-mark > *", COLOURS)
    assert len(light) == len(dark)
    assert not [one for one, other in zip(light, dark, strict=True) if one == other]
    assert_readable(visit)


def test_dark_system_is_followed_from_the_start(browser: Browser, site: Site) -> None:
    with visiting(browser, site.address, color_scheme="dark") as visit:
        visit.go(HEAD)
        visit.figures()
        drawn = visit.page.eval_on_selector_all(".fg-figure", "all => all.map(one => one.dataset.drawn)")
        assert set(drawn) == {"slate"}
        assert_readable(visit)


def test_redrawing_finalises_the_views_it_replaces(visit: Visit) -> None:
    visit.go(MODEL)
    visit.figures()
    visit.turn_dark()
    assert visit.page.evaluate("views.map(view => view.finalized)") == [True, True, False, False]


def test_chosen_scheme_is_there_before_the_theme_runs(visit: Visit) -> None:
    page = visit.go(HEAD)
    visit.turn_dark()
    page.route("**/bundle.*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.reload()
    assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"
    assert page.locator("body").get_attribute("data-md-color-primary") == "custom"
