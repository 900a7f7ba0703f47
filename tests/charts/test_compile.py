"""The two scripts of the charts: what they define, and that they disturb nothing else on a page."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from generator.charts.compile import CHARTS, charts_script, specification, vega_script
from generator.charts.theme import SCHEMES, signals, vega_config

NAMES = "Object.getOwnPropertyNames(window)"
LEFT = {"vegaEmbed", "vega", "vegaLite"}


@pytest.fixture(scope="module")
def vega() -> str:
    """Gives the bundle."""
    return vega_script()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Gives an empty page."""
    page = browser.new_page()
    page.set_content("<!doctype html><title>empty</title><div id=slot></div>")
    yield page
    page.close()


def test_charts_script_holds_every_kind_and_both_schemes() -> None:
    line = charts_script().splitlines()[1]
    content = json.loads(line.removeprefix("window.fieldguideCharts = ").removesuffix(";"))
    assert {kind: chart["lite"] for kind, chart in content["charts"].items()} == {
        kind: specification(kind) for kind in CHARTS
    }
    assert content["schemes"] == {
        name: {"config": vega_config(palette), "signals": signals(palette)} for name, palette in SCHEMES.items()
    }


def test_charts_script_is_the_same_each_time() -> None:
    assert charts_script() == charts_script()


@pytest.mark.browser
def test_vega_leaves_only_its_own_names_behind(page: Page, vega: str) -> None:
    before = set(page.evaluate(NAMES))
    page.add_script_tag(content=vega)
    assert set(page.evaluate(NAMES)) - before <= LEFT
    assert page.evaluate("typeof vegaEmbed") == "function"


@pytest.mark.browser
def test_vega_can_be_loaded_twice(page: Page, vega: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    for _ in range(2):
        page.add_script_tag(content=vega)
    assert errors == []


@pytest.mark.browser
def test_compiled_charts_draw_nothing_from_no_rows(page: Page, vega: str) -> None:
    """A policy that forbids `eval` must not stop them."""
    page.set_content(
        '<meta http-equiv="Content-Security-Policy" content="script-src \'unsafe-inline\'">'
        "<div id=slot style='width: 400px'></div>"
    )
    page.add_script_tag(content=vega)
    page.add_script_tag(content=charts_script())
    marks = page.evaluate(
        """async kinds => {
          const options = { mode: "vega", ast: true, renderer: "svg", actions: false }, marks = {};
          for (const kind of kinds) {
            const made = await vegaEmbed("#slot", fieldguideCharts.charts[kind].vega, options).catch(String);
            if (typeof made === "string") { marks[kind] = made; continue; }
            marks[kind] = document.querySelectorAll("#slot svg .role-mark [role=graphics-symbol]").length;
            made.finalize();
          }
          return marks;
        }""",
        list(CHARTS),
    )
    assert marks == dict.fromkeys(CHARTS, 0)
