"""In Chromium: every figure is a picture that comes to life when it is touched, and shows the stored numbers."""

import re

import pytest
from playwright.sync_api import Browser

from generator.charts.theme import LIGHT
from generator.numbers.writing import written
from generator.pages.figures import SINGLE
from tests.charts.contrast import colour
from tests.site.browser import NARROW, WIDE, Visit, visiting
from tests.site.project import HEAD, MODEL, PLACES, Site

pytestmark = pytest.mark.browser
LAYER, NUMBER = 2, 3
"""The head that HEAD shows."""
FIGURES = {"model": ["atlas"], "head": ["classes", "offsets", "maps"]}
"""Of a page, its figures in order; that by class of token stands beside the sentences of a head, or in their place."""
CLASSES, COUNTED, OFFSETS = 4, 3, 21
OPEN = "all => all.forEach(one => { one.open = true; })"
PICTURED = """slots => slots.map(slot => {
  const shown = [...slot.querySelectorAll("img, .fg-static")].filter(one => one.getClientRects().length);
  const label = slot.closest("figure").querySelector(".fg-title").textContent;
  return shown.length === 1 && [shown[0].getAttribute("alt"), shown[0].getAttribute("aria-label")].includes(label);
})"""
SHOWN_IMAGES = """all => all.filter(one => one.getClientRects().length)
  .map(one => [one.currentSrc, one.clientWidth, one.naturalWidth])"""
"""Weights below this have no line."""


def labels(visit: Visit, marks: str) -> list[str]:
    """What each drawn mark says of itself."""
    return visit.page.eval_on_selector_all(f"{marks} > *", "all => all.map(one => one.getAttribute('aria-label'))")


def told(label: str, name: str) -> str:
    """One field of a mark's label."""
    return re.split(rf"(?:^|; ){name}: ", label)[1].split("; ")[0]


@pytest.mark.parametrize("kind", PLACES)
def test_every_figure_is_a_picture_until_it_is_touched(visit: Visit, kind: str) -> None:
    visit.go(PLACES[kind])
    names = FIGURES.get(kind.removeprefix("hostile "), [])
    scroll_through(visit)
    assert visit.page.eval_on_selector_all(".fg-figure", "all => all.map(one => one.id)") == names
    visit.page.eval_on_selector_all("details.fg-fold", OPEN)
    assert all(visit.page.eval_on_selector_all(".fg-chart", PICTURED))
    assert not [url for url in visit.requests if url.endswith(("vega.js", "charts.js"))]
    assert visit.figures() == names
    marks = visit.page.eval_on_selector_all(
        ".fg-chart", "slots => slots.map(slot => slot.querySelectorAll('svg .role-mark > *').length)"
    )
    assert all(marks)
    assert any(url.endswith("vega.js") for url in visit.requests) == bool(names), "only figures need the charts"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_picture_is_the_one_of_the_scheme_and_width_and_fits(browser: Browser, site: Site, scheme, size) -> None:
    with visiting(browser, site.address, size, color_scheme=scheme) as visit:
        visit.go(MODEL)
        scroll_through(visit)
        shown = visit.page.eval_on_selector_all("#atlas img", SHOWN_IMAGES)
        ending = ("-narrow" if size == NARROW else "") + ("-dark" if scheme == "dark" else "") + ".svg"
        assert [url.rsplit("/", 1)[1] for url, _, _ in shown] == [f"atlas-grid{ending}", f"atlas-curves{ending}"]
        assert all(0.9 * natural <= width <= size[0] for _, width, natural in shown), "its text is not made small"
        fetched = [url for url in visit.requests if url.endswith(".svg") and "atlas-" in url]
        assert {"-narrow" in url for url in fetched} == {size == NARROW}, "no other width is fetched"
        assert scheme == "dark" or not [url for url in fetched if "-dark" in url]


@pytest.mark.parametrize("touch", ["pointer", "key", "finger"])
def test_a_touch_of_any_kind_brings_a_figure_to_life(browser: Browser, site: Site, touch: str) -> None:
    with visiting(browser, site.address, has_touch=touch == "finger") as visit:
        page = visit.go(HEAD)
        charts = page.locator("#classes .fg-charts")
        if touch == "key":
            page.locator(".fg-crumbs a").last.focus()
            for _ in range(100):
                page.keyboard.press("Tab")
                if charts.evaluate("one => one === document.activeElement"):
                    break
        else:
            (charts.tap if touch == "finger" else charts.hover)()
        page.locator("#classes[data-drawn]").wait_for()
        assert touch != "key" or charts.evaluate("one => one === document.activeElement")
        assert page.locator("#classes .fg-static").count() == 0
        assert page.locator(".fg-figure[data-drawn]").count() == 1, "no other"


def test_without_scripts_the_page_is_whole(browser: Browser, site: Site) -> None:
    for place in (HEAD, MODEL):
        with visiting(browser, site.address, java_script_enabled=False) as visit:
            page = visit.go(place)
            page.eval_on_selector_all("details.fg-fold", OPEN)
            assert all(page.eval_on_selector_all(".fg-chart", PICTURED))
            assert page.locator(".fg-choose select:visible, .fg-menu:visible").count() == 0


def test_a_head_is_printed_on_three_pages_in_light_colours(browser: Browser, site: Site) -> None:
    with visiting(browser, site.address, color_scheme="dark") as visit:
        page = visit.go(HEAD)
        pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
        assert len(pages) <= 3
        page.emulate_media(media="print")
        inks = page.eval_on_selector_all(".fg-static text", "all => all.map(one => getComputedStyle(one).fill)")
        assert {colour(ink) for ink in inks} == {colour(LIGHT.ink)}
        assert page.locator(".fg-static .fg-dark:visible").count() == 0


def scroll_through(visit: Visit) -> None:
    """Down to the end, so that what waits to be seen is fetched."""
    visit.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    for picture in visit.page.locator(".fg-chart img:visible").all():
        picture.scroll_into_view_if_needed()
        picture.evaluate("one => one.decode()")


def test_every_chart_has_the_name_of_its_figure(head: Visit) -> None:
    for name in FIGURES["head"]:
        figure = head.figure(name)
        charts = figure.locator(".fg-chart > *").all()
        names = [(chart.get_attribute("role"), chart.get_attribute("aria-label")) for chart in charts]
        assert set(names) == {("graphics-document", figure.locator(".fg-title").inner_text())}


def test_grid_has_a_cell_per_head_with_its_stored_value(model: Visit, site: Site) -> None:
    measured = site.plain.estimates[SINGLE[0].name].value
    found = labels(model, "[data-kind=grid] .mark-rect.role-mark")
    cells = {(int(told(one, "layer")), int(told(one, "head"))): float(told(one, "value")) for one in found}
    assert len(found) == measured.size
    assert cells == {(layer, head): float(f"{measured[layer - 1, head - 1]:.6g}") for layer, head in site.plain.places}


def test_curves_have_a_point_per_head_and_the_mean_of_every_layer(model: Visit, site: Site) -> None:
    layers, heads = site.plain.shape
    assert len(labels(model, "[data-kind=curves] .mark-symbol.role-mark")) == layers * heads
    lines = model.page.eval_on_selector_all(
        "[data-kind=curves] .mark-line path", "all => all.map(one => one.getAttribute('d').match(/[MLC]/g).length)"
    )
    assert lines == [layers, layers]


def test_offset_profile_has_a_bar_an_interval_and_a_reference_per_offset(head: Visit, site: Site) -> None:
    bars = labels(head, "#offsets .mark-rect.layer_0_marks")
    assert [len(bars), len(labels(head, "#offsets .mark-rule.role-mark"))] == [OFFSETS, OFFSETS]
    assert len(labels(head, "#offsets .mark-rect.layer_2_marks")) == OFFSETS
    (text,) = [told(bar, re.escape("value (95 % interval)")) for bar in bars if told(bar, "offset") == "-1"]
    assert text == written(site.plain.estimates["offset.-1"].of(LAYER, NUMBER))


def test_classes_have_a_bar_each_for_weight_norm_and_tokens(head: Visit) -> None:
    bars = labels(head, "#classes .mark-rect.role-mark")
    assert len(bars) == CLASSES * COUNTED
    assert {told(bar, "counted") for bar in bars} == {"weight", "norm", "tokens"}


def test_map_has_a_cell_per_pair_of_tokens(head: Visit, site: Site) -> None:
    _, tokens, _ = site.plain.examples[LAYER, NUMBER][0]
    assert len(labels(head, "[data-kind=map] .mark-rect.role-mark")) == len(tokens) ** 2
    texts = head.page.locator("[data-kind=map] .mark-text.role-axis-label text")
    assert texts.all_text_contents() == tokens * 2
