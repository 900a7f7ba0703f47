"""In Chromium: choosing a measure or a sentence, pointing at a token, clicking a head and filtering heads."""

import json

import pytest

from generator.numbers.writing import unbroken
from generator.pages.figures import SINGLE, atlas_figure
from tests.site.browser import Visit, until
from tests.site.project import HEAD, MODEL, Site
from tests.site.test_figures import LAYER, NUMBER, labels, told

pytestmark = pytest.mark.browser
FILLS = "all => all.map(one => one.getAttribute('fill'))"
CELLS = "[data-kind=grid] .mark-rect.role-mark"
POINTS = "[data-kind=curves] .mark-symbol.role-mark"
AT_CENTRE = """one => {
  const box = one.getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
}"""
ON_TOP = f"all => all.map(one => ({AT_CENTRE})(one) === one)"


def choose(visit: Visit, figure: str, option: int) -> None:
    """Choose a view, and wait until each of the figure's charts has been made anew."""
    gone = visit.page.evaluate("views.filter(view => view.finalized).length")
    charts = visit.page.locator(f"#{figure} .fg-chart").count()
    visit.page.locator(f"#{figure} select").select_option(index=option)
    until(visit.page, f"views.filter(view => view.finalized).length === {gone + charts}")


@pytest.mark.parametrize("at", [SINGLE.index(m) for m in SINGLE if m.name in ("entropy.all", "attention.sep")])
def test_another_measure_changes_the_title_the_cells_and_the_curves(visit: Visit, site: Site, at: int) -> None:
    """The title that a reader sees is the name that a screen reader says of each chart."""
    visit.go(MODEL)
    visit.figure("atlas")
    title, charts = visit.page.locator("#atlas .fg-title"), visit.page.locator("#atlas [role=graphics-document]")
    titles = [unbroken(view["title"]) for view in json.loads(atlas_figure(site.plain, "").data)["views"]]
    assert len({*titles}) == len(SINGLE)
    assert title.inner_text() == titles[0]
    cells, points = visit.page.eval_on_selector_all(f"{CELLS} > *", FILLS), labels(visit, POINTS)
    choose(visit, "atlas", at)
    assert title.inner_text() == titles[at]
    assert [one.get_attribute("aria-label") for one in charts.all()] == [title.inner_text()] * 2
    values = [float(f"{value:.6g}") for value in site.plain.estimates[SINGLE[at].name].value.ravel()]
    assert [float(told(label, "value")) for label in labels(visit, CELLS)] == values
    assert visit.page.eval_on_selector_all(f"{CELLS} > *", FILLS) != cells
    assert labels(visit, POINTS) != points


def test_definition_beside_the_chooser_is_that_of_the_chosen_measure(visit: Visit) -> None:
    visit.go(MODEL)
    visit.figure("atlas")
    for at in (0, 3):
        if at:
            choose(visit, "atlas", at)
        link = visit.page.locator("#atlas .fg-definition")
        assert link.evaluate("link => link.href").endswith(f"/methods/{SINGLE[at].name}/")
    link.click()
    visit.arrive(SINGLE[3].title)


def test_last_of_several_quick_choices_is_what_is_drawn(visit: Visit, site: Site) -> None:
    visit.go(MODEL)
    visit.figure("atlas")
    drawn = visit.page.evaluate("views.length")
    visit.page.locator("#atlas select").evaluate(
        """select => { for (const option of select.options) {
          select.value = option.value;
          select.dispatchEvent(new Event("change"));
        } }"""
    )
    made = drawn + 2 * len(SINGLE)
    until(visit.page, f"views.length === {made} && views.filter(view => !view.finalized).length === 2")
    values = [float(f"{value:.6g}") for value in site.plain.estimates[SINGLE[-1].name].value.ravel()]
    assert [float(told(label, "value")) for label in labels(visit, CELLS)] == values


def test_same_colour_means_the_same_value_under_every_measure_of_one_unit(visit: Visit) -> None:
    visit.go(MODEL)
    visit.figure("atlas")
    ends = []
    for at, measure in enumerate(SINGLE):
        if at:
            choose(visit, "atlas", at)
        last = visit.page.locator("[data-kind=grid] .role-legend-label text").last.text_content()
        ends.append((measure.unit, last))
    assert len(set(ends)) == len({unit for unit, _ in ends})


def test_another_sentence_changes_the_map_and_the_table(visit: Visit, site: Site) -> None:
    visit.go(HEAD)
    visit.figure("maps")
    choose(visit, "maps", 2)
    _, tokens, weights = site.plain.examples[LAYER, NUMBER][2]
    drawn = [float(told(label, "weight")) for label in labels(visit, "[data-kind=map] .mark-rect.role-mark")]
    assert drawn == [round(float(weight) * 1000) / 1000 for weight in weights.ravel()]
    strongest = [f"{tokens[row.argmax()]} {round(float(row.max()), 3)}" for row in weights]
    cells = visit.page.locator("#maps tbody td").all_text_contents()
    assert (cells[::2], cells[1::2]) == (tokens, strongest)


@pytest.mark.parametrize("marks", [CELLS, POINTS], ids=["cell", "point"])
def test_clicking_a_head_in_a_chart_opens_its_page(visit: Visit, marks: str) -> None:
    visit.go(MODEL)
    visit.figure("atlas")
    mark = visit.page.locator(f"{marks} > *").nth(visit.page.eval_on_selector_all(f"{marks} > *", ON_TOP).index(True))
    label = mark.get_attribute("aria-label") or ""
    mark.click()
    visit.arrive(f"Head {told(label, 'layer')}-{told(label, 'head')}")


def test_no_line_lies_over_a_point(visit: Visit) -> None:
    visit.go(MODEL)
    visit.figure("atlas")
    over = visit.page.eval_on_selector_all(
        f"{POINTS} > *", f"all => all.map({AT_CENTRE}).map(one => one.getAttribute('aria-roledescription'))"
    )
    assert set(over) == {"point"}
