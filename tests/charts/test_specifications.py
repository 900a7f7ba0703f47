"""Every kind of chart is a valid specification that takes its data, its colours and its settings by name."""

import re
from collections.abc import Iterator
from typing import Any

import altair as alt
import numpy as np
import pytest
import vl_convert
from jsonschema import ValidationError

from generator.charts.compile import CHARTS, WIDTH, chart, specification
from generator.charts.compile import compiled as make
from generator.charts.parts import DATA, WEIGHT
from generator.charts.static.vega import filled
from generator.charts.theme import LIGHT, signals
from generator.numbers.writing import number

COLOURED = ("color", "fill", "stroke", "background")
LITERAL = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(")
MEASURED = {
    *("value", "low", "high", "uniform", "baseline", "gain", "twin", "twin_low", "twin_high", "published", "entropy"),
    *("received", "breadth", "seconds", "times", "layer_value", "half_value"),
}
"""Columns of what was measured."""
RANGES = ("heatmap", "category")
"""Ranges that the theme names."""


@pytest.fixture(scope="module", params=CHARTS)
def kind(request: pytest.FixtureRequest) -> str:
    """Gives each kind."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def spec(kind: str) -> dict[str, Any]:
    """Gives its Vega-Lite; tests leave it as it is."""
    return specification(kind)


@pytest.fixture(scope="module")
def compiled(spec: dict[str, Any]) -> dict[str, Any]:
    """Gives its Vega."""
    return vl_convert.vegalite_to_vega(spec)


def walk(node: Any) -> Iterator[tuple[str, Any]]:
    """Every key with its value, at any depth."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield key, value
            yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)


def settings(spec: dict[str, Any]) -> dict[str, Any]:
    """Name -> default of the parameters that a page may set: neither selections nor made of others."""
    return {param["name"]: param["value"] for param in spec["params"] if "value" in param}


def test_specification_is_valid(spec: dict[str, Any]) -> None:
    assert alt.Chart.from_dict(spec, validate=True)


def test_specification_that_is_wrong_is_found() -> None:
    with pytest.raises(ValidationError):
        alt.Chart.from_dict(specification("grid") | {"params": [{"nome": "a"}]}, validate=True)


def test_specification_takes_its_rows_by_name(spec: dict[str, Any]) -> None:
    assert [value for key, value in walk(spec) if key == "data"] == [{"name": DATA.name}]
    assert not [
        key for key, value in walk(spec) if key in ("datasets", "url") or (key == "values" and "expr" not in value)
    ]


def test_no_mark_names_a_colour(spec: dict[str, Any]) -> None:
    drawn = {key: value for key, value in spec.items() if key != "params"}
    assert not LITERAL.search(repr(drawn))
    for key, value in walk(drawn):
        if key in COLOURED and not (isinstance(value, dict) and {"field", "condition"} & set(value)):
            assert value == {"expr": value["expr"]}, key
            assert value["expr"] in signals(LIGHT)


def test_scales_of_colour_take_the_ranges_or_colours_of_the_theme(spec: dict[str, Any]) -> None:
    for key, value in walk(spec):
        if key == "color" and isinstance(value, dict) and "field" in value:
            used = value["scale"]["range"]
            assert used in RANGES or {one["expr"] for one in used} <= signals(LIGHT).keys()


def test_colours_are_settings_and_light_until_the_page_sets_them(spec: dict[str, Any]) -> None:
    assert signals(LIGHT).items() <= settings(spec).items()


def test_every_expression_names_only_settings_and_data(spec: dict[str, Any]) -> None:
    known = {*(param["name"] for param in spec["params"]), "width", "containerSize", "datum"}
    for key, value in walk(spec):
        if key in ("expr", "labelExpr", "calculate", "filter"):
            assert set(re.findall(r"(?<![.\w])[a-z]\w*", re.sub("'[^']*'", "", value))) <= known, value


def views(node: Any) -> Iterator[dict[str, Any]]:
    """The parts of a specification that have axes of their own."""
    if isinstance(node, dict) and {"layer", "encoding"} & set(node):
        yield node
    elif isinstance(node, dict | list):
        for value in node.values() if isinstance(node, dict) else node:
            yield from views(value)


def test_every_axis_has_a_title_or_says_that_it_has_none(spec: dict[str, Any]) -> None:
    """Layers share an axis, and one title is enough for it."""
    for view in views(spec):
        for channel in ("x", "y"):
            drawn = [one for key, one in walk(view) if key == channel and isinstance(one, dict)]
            shared = [one for one in drawn if one.get("axis", True) is not None]
            assert not shared or any("title" in one for one in shared), shared


def test_a_tooltip_leaves_the_digits_of_what_was_measured_to_the_page(spec: dict[str, Any]) -> None:
    """An interval, or a number that is compared, needs more digits than a format of the chart can know of."""
    shown = [one for key, value in walk(spec) if key == "tooltip" for one in np.ravel(value).tolist()]
    assert not [one for one in shown if one["field"] in MEASURED]
    assert {one.get("format") for one in shown} <= {None, ",", *([WEIGHT] if "weight" in repr(shown) else [])}


def test_a_weight_is_written_as_numbers_are_written() -> None:
    drawn = alt.Chart({"values": [{"weight": at / 1000} for at in range(1001)]}).mark_text()
    drawn = drawn.encode(y=alt.Y("weight:O", axis=None), text=alt.Text("weight:Q", format=WEIGHT))
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", vl_convert.vegalite_to_svg(drawn.to_dict()))
    assert texts == [number(at / 1000) for at in range(1001)]


def test_specification_is_the_same_each_time(kind: str, spec: dict[str, Any]) -> None:
    assert specification(kind) == spec


def test_compiled_chart_has_the_data_and_the_settings_where_the_page_puts_them(
    spec: dict[str, Any], compiled: dict[str, Any]
) -> None:
    assert [source for source in compiled["data"] if source["name"] == DATA.name] == [{"name": DATA.name}]
    names = [signal["name"] for signal in compiled["signals"]]
    assert len(names) == len(set(names))
    assert set(settings(spec)) <= set(names)


def test_compiled_chart_is_as_wide_as_its_place(compiled: dict[str, Any]) -> None:
    width = next(signal for signal in compiled["signals"] if signal["name"] == "width")
    assert "containerSize()" in width["init"]


def test_a_chart_that_stands_on_its_own_holds_its_rows_its_settings_and_its_size(
    kind: str, spec: dict[str, Any]
) -> None:
    name, before = next(iter(settings(spec).items()))
    alone = chart(kind, [{"a": 1}], {name: "changed"}, "what it shows").to_dict(validate=False)
    assert alone["datasets"] == {DATA.name: [{"a": 1}]}
    assert alone["width"] == WIDTH
    assert alone["description"] == "what it shows"
    assert settings(alone) == settings(spec) | {name: "changed"} != {name: before}
    assert alone["config"]["range"]["heatmap"] == list(LIGHT.ramp)


@pytest.mark.parametrize("width", [358, 840])
def test_a_relation_has_its_whole_name_in_the_picture_however_narrow(width: int) -> None:
    name = "nouns that describe a noun without a preposition (nmod:unmarked)"
    row = {"relation": name, "value": 0.5, "low": 0.4, "high": 0.6, "baseline": 0.3, "twin": 0.1, "clear": 1}
    spec = filled(make("relations"), [row, row | {"relation": "numbers (nummod)"}], {"rows": 2}, width, LIGHT)
    drawn = vl_convert.vega_to_svg(spec)
    assert re.findall(r"<text[^>]*>([^<]*\([^<]*)</text>", drawn) == [name, "numbers (nummod)"]
    beside = re.search(rf'<text text-anchor="end"[^>]*>{re.escape(name)}', drawn)
    assert bool(beside) is (width == 840)


def test_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        specification("pie")
