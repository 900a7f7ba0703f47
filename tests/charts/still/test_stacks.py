"""The written picture of divided bars shows what Vega shows: the same parts, numbers and names."""

import re
from typing import Any

import pytest
import vl_convert

from generator.charts.compile import compiled
from generator.charts.still.frame import SQUARE, width_of
from generator.charts.still.picture import ALONE, BESIDE, NARROW
from generator.charts.still.stacks import patterns
from generator.charts.still.vega import filled
from generator.charts.theme import LIGHT, PATTERNS, SCHEMES, Palette
from tests.charts.still.drawn import Vega
from tests.charts.still.strokes import parsed, plot_of

CAPTION = {"caption": "layer"}
HOSTILE = '"><script>alert(1)</script>'
Part = tuple[str, str, float, float, float, float]
"""Fill and stroke; left and right in parts of the plot's width, top and bottom in pixels."""


def shares(*bars: tuple[str, list[float | None]]) -> list[dict[str, Any]]:
    """Rows of bars, each with the shares of the patterns from the bottom up; told from the top down."""
    return [
        {"at": at, "pattern": pattern, "order": order, "value": value}
        for at, values in bars
        for order, (pattern, value) in reversed([*enumerate(zip(PATTERNS, values, strict=True))])
    ]


FEW = shares(("3", [0.1, 0.2, 0.3, 0.15, 0.25]), ("1", [0.5, None, 0, 0.007, 0.493]), ("2", [None] * 5))
ONE = shares(("0.45", [0.0, 0.0, 1.0, 0.0, 0.0]))
MANY = shares(*((str(layer), [layer / 60, 0.2, 0.1, 0.1, 0.6 - layer / 60]) for layer in range(1, 25)))


@pytest.mark.parametrize("palette", SCHEMES.values(), ids=SCHEMES)
@pytest.mark.parametrize("width", [ALONE, NARROW])
@pytest.mark.parametrize("rows", [FEW, ONE, MANY], ids=["few", "one", "many"])
def test_parts_of_bars_are_those_of_vega(rows: list[dict[str, Any]], width: int, palette: Palette) -> None:
    svg, vega = patterns(rows, CAPTION, "bars", width, palette), Vega("patterns", rows, CAPTION, palette)
    wide, _ = plot_of(svg)
    ours: list[Part] = []
    for fill, stroke, pieces in re.findall(r'<path fill="([^"]*)" stroke="([^"]*)" d="([^"]*)"', svg):
        for left, top, right, bottom, back in re.findall("M# #H#V#H#z".replace("#", r"(-?[\d.]+)"), pieces):
            assert left == back
            ours.append((fill, stroke, float(left) / wide, float(right) / wide, *sorted(map(float, (top, bottom)))))
    theirs = [
        (item["fill"], item["stroke"], x / vega.wide, (x + item["width"]) / vega.wide, y, y + item["height"])
        for item in vega.items("rect", "mark")
        for x, y in [(item["x"], item["y"])]
        if item["height"]  # a border without a part lies on those of its neighbours
    ]
    assert len(ours) == len(theirs)
    for one, other in zip(sorted(ours), sorted(theirs), strict=True):
        assert one[:2] == other[:2]
        assert one[2:4] == pytest.approx(other[2:4], abs=0.001)
        assert one[4:] == pytest.approx(other[4:], abs=0.06)


@pytest.mark.parametrize("width", [ALONE, BESIDE, NARROW])
@pytest.mark.parametrize("rows", [FEW, ONE, MANY], ids=["few", "one", "many"])
def test_texts_are_those_of_vega(rows: list[dict[str, Any]], width: int) -> None:
    theirs = vl_convert.vega_to_svg(filled(compiled("patterns"), rows, CAPTION, width, LIGHT))
    texts = re.compile(r"<text[^>]*>([^<]*)</text>")
    ours = texts.findall(patterns(rows, CAPTION, "bars", width, LIGHT))
    if rows is MANY and width == NARROW:  # numbers have more room between them
        assert {*ours} <= {*texts.findall(theirs)}
        assert len(ours) > 20
    else:
        assert sorted(ours) == sorted(texts.findall(theirs))


@pytest.mark.parametrize(("width", "columns"), [(BESIDE, 5), (NARROW, 2)])
def test_legend_has_its_columns_and_colours(width: int, columns: int) -> None:
    symbols = [one for one in parsed(patterns(FEW, CAPTION, "", width, LIGHT)).iter("path") if one.get("transform")]
    places = [tuple(map(float, re.findall(r"-?[\d.]+", one.get("transform", "")))) for one in symbols]
    assert len({x for x, _ in places}) == columns
    assert len({y for _, y in places}) == -(-len(PATTERNS) // columns)
    theirs = Vega("patterns", FEW, CAPTION).items("symbol", "legend-symbol")
    ours = [(one.get("fill"), one.get("d")) for one in symbols]
    assert ours == [(one["fill"], {"square": SQUARE}[one["shape"]]) for one in theirs]


@pytest.mark.parametrize(
    "name",
    [
        "layer",
        "cut-off on attention to special tokens, and to neighbours",
        "cut-off on attention to all special tokens, and to neighbours",
    ],
)
def test_numbers_stand_below_their_bars_and_the_name_in_the_picture(name: str) -> None:
    svg = patterns(MANY, {"caption": name}, "bars", NARROW, LIGHT)
    wide, tall = plot_of(svg)
    texts = {(one.text or ""): one for one in parsed(svg).iter("text")}
    numbers = {int(text): one for text, one in texts.items() if text.isdigit()}
    assert [*numbers] == [*range(1, 25, 2)]
    for number, one in numbers.items():
        assert float(one.get("x", "")) == pytest.approx(wide * (number - 0.5) / 24, abs=0.06)
        assert float(one.get("y", "")) > tall
    middle, half = float(texts[name].get("x", "")), width_of(name) / 2
    left = float(re.findall(r"translate\(([\d.]+)", svg)[0])
    assert -left < middle - half < middle + half < NARROW - left
    assert middle == pytest.approx(wide / 2, abs=0.06) or middle + half > wide - 1


def test_what_is_told_is_text_and_nothing_is_an_empty_picture() -> None:
    rows = [{**row, "at": HOSTILE} for row in ONE]
    svg = parsed(patterns(rows, {"caption": HOSTILE}, HOSTILE, NARROW, LIGHT))
    assert [one.text for one in svg.iter() if one.text == HOSTILE] == [HOSTILE] * 3
    assert {"0.0", "1.0"} <= {one.text for one in parsed(patterns([], CAPTION, "", NARROW, LIGHT)).iter("text")}
