"""In Chromium: every figure draws when it comes into view, and shows the stored numbers."""

import re

import pytest

from generator.pages.figures import DIGITS
from tests.site.browser import Visit
from tests.site.project import HEAD, PLACES, Site

pytestmark = pytest.mark.browser
LAYER, NUMBER = 2, 3
"""The head that HEAD shows."""
FIGURES = {"home": ["failed"], "model": ["atlas"], "head": ["offsets", "classes", "maps"]}
CLASSES, COUNTED, OFFSETS = 4, 3, 19
FAINT = 0.02
"""Weights below this have no line."""


def labels(visit: Visit, marks: str) -> list[str]:
    """What each drawn mark says of itself."""
    return visit.page.eval_on_selector_all(f"{marks} > *", "all => all.map(one => one.getAttribute('aria-label'))")


def told(label: str, name: str) -> str:
    """One field of a mark's label."""
    return re.split(rf"(?:^|; ){name}: ", label)[1].split("; ")[0]


@pytest.mark.parametrize("kind", PLACES)
def test_every_figure_draws_once_it_is_scrolled_to(visit: Visit, kind: str) -> None:
    visit.go(PLACES[kind])
    names = FIGURES.get(kind.removeprefix("hostile "), [])
    assert visit.figures() == names
    marks = visit.page.eval_on_selector_all(
        ".fg-chart", "slots => slots.map(slot => slot.querySelectorAll('svg .role-mark > *').length)"
    )
    assert all(marks)
    assert any(url.endswith("vega.js") for url in visit.requests) == bool(names), "only figures need the charts"


def test_figure_is_not_drawn_before_it_comes_near(narrow: Visit) -> None:
    narrow.go(HEAD)
    narrow.figure("offsets")
    assert narrow.page.locator("figure#maps[data-drawn]").count() == 0
    narrow.figure("maps")


def test_every_chart_has_the_name_of_its_figure(head: Visit) -> None:
    for name in FIGURES["head"]:
        figure = head.figure(name)
        charts = figure.locator(".fg-chart").all()
        names = [(chart.get_attribute("role"), chart.get_attribute("aria-label")) for chart in charts]
        assert set(names) == {("graphics-document", figure.get_attribute("data-label"))}


def test_grid_has_a_cell_per_head_with_its_stored_value(model: Visit, site: Site) -> None:
    measured = site.plain.estimates["attention.cls"].value
    found = labels(model, "[data-kind=grid] .mark-rect.role-mark")
    cells = {(int(told(one, "layer")), int(told(one, "head"))): float(told(one, "value")) for one in found}
    assert len(found) == measured.size
    assert cells == {
        (layer, head): round(float(measured[layer - 1, head - 1]), DIGITS) for layer, head in site.plain.places
    }


def test_curves_have_a_point_per_head_and_the_mean_of_every_layer(model: Visit, site: Site) -> None:
    layers, heads = site.plain.shape
    assert len(labels(model, "[data-kind=curves] .mark-symbol.role-mark")) == layers * heads
    lines = model.page.eval_on_selector_all(
        "[data-kind=curves] .mark-line path", "all => all.map(one => one.getAttribute('d').match(/[MLC]/g).length)"
    )
    assert lines == [layers, layers]


def test_offset_profile_has_a_bar_an_interval_and_a_reference_per_offset(head: Visit, site: Site) -> None:
    bars = labels(head, "#offsets .mark-rect.layer_0_marks")
    stored = site.plain.estimates["offset.-1"].value[LAYER - 1, NUMBER - 1]
    assert [len(bars), len(labels(head, "#offsets .mark-rule.role-mark"))] == [OFFSETS, OFFSETS]
    assert len(labels(head, "#offsets .mark-rect.layer_2_marks")) == OFFSETS
    assert [float(told(bar, "value")) for bar in bars if told(bar, "offset") == "-1"] == [round(float(stored), 3)]


def test_classes_have_a_bar_each_for_weight_norm_and_tokens(head: Visit) -> None:
    bars = labels(head, "#classes .mark-rect.role-mark")
    assert len(bars) == CLASSES * COUNTED
    assert {told(bar, "counted") for bar in bars} == {"weight", "norm", "tokens"}


def test_map_has_a_cell_per_pair_of_tokens_and_lines_where_the_weight_is_not_faint(head: Visit, site: Site) -> None:
    _, tokens, weights = site.plain.examples[LAYER, NUMBER][0]
    shown = [round(float(weight) * 1000) / 1000 for weight in weights.ravel()]
    assert len(labels(head, "[data-kind=map] .mark-rect.role-mark")) == len(tokens) ** 2
    assert len(labels(head, "[data-kind=lines] .mark-rule.role-mark")) == sum(weight >= FAINT for weight in shown)
    texts = head.page.locator("[data-kind=lines] .mark-text.role-mark text")
    assert texts.all_text_contents() == tokens * 2
