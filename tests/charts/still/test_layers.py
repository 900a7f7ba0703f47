"""Written pictures of curves over layers show what Vega shows: the same marks, numbers and names."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

import pytest
import vl_convert

from generator.charts.compile import compiled
from generator.charts.still.frame import CIRCLE, width_of
from generator.charts.still.layers import curves, profiles, series
from generator.charts.still.picture import ALONE, BESIDE, FILES, NARROW
from generator.charts.still.vega import filled
from generator.charts.theme import LIGHT, QUANTITIES, SCHEMES, Palette
from tests.charts.still.drawn import Vega
from tests.charts.still.strokes import of_vega, parsed, plot_of, written

Rows = list[dict[str, Any]]
HOSTILE = '"><script>alert(1)</script>'


def numbers(name: str, names: Sequence[str], scale: float) -> Rows:
    """Four layers out of order, of which one has no number and one no interval."""
    found = [(1, 0.2, 0.1, 0.35), (2, None, None, None), (4, 0.4, None, None), (3, -0.5, -0.6, -0.123)]
    return [
        {"layer": layer, name: one}
        | {
            column: None if number is None else (number + at / 10) * scale
            for column, number in (("value", value), ("low", low), ("high", high))
        }
        for at, one in enumerate(names)
        for layer, value, low, high in found
    ]


def phases(rows: Rows) -> Rows:
    """The same with two phases: one ends after layer 1, perhaps after 3, the other surely after 3."""
    ends = {1: (1, 0, 1.0, 3.0), 2: (0, 1, None, None), 3: (1, 1, 3.0, 3.0)}
    columns = ("found", "expected", "found_low", "found_high", "printed")
    return [row | dict(zip(columns, (*ends.get(row["layer"], (0, 0, None, None)), 0), strict=True)) for row in rows]


def heads(rows: Rows) -> Rows:
    """Rows of heads, and numbers of layers that are a little larger; both may lie beyond the axis."""
    of = {row["layer"]: row for row in rows}
    columns = ("value", "low", "high")
    return [
        row | {f"layer_{one}": None if (kept := of[row["layer"]][one]) is None else kept + 0.03 for one in columns}
        for row in rows
    ]


SERIES, CAPTION = ["one", "another", "a third"], {"caption": "share of \N{LATIN SMALL LETTER E WITH ACUTE}"}
TOP = {"top": 0.55, "uniform": 0.25, "named": {"1-one": 1, "3-another": -1}}
NAMED = {"one": [1, 1, -12], "another": [3, -1, 12], "a third": [4, 0, -12], "[CLS]": [4, 0, 12]}

EMPTY: dict[str, Any] = {"named": {}, "keys": [], "named_slim": {}, "keys_slim": []}


def keyed(rows: Rows, *, named: bool = False) -> dict[str, Any]:
    """Whether lines have names or a legend, which is the other way round where the chart is slim."""
    column = "series" if "series" in rows[0] else "quantity"
    keys = list(dict.fromkeys(row[column] for row in rows))
    entries, blank = (NAMED, [""]), ({}, keys)
    if not named:
        entries, blank = blank, entries
    return dict(zip(("named", "keys", "named_slim", "keys_slim"), (*entries, *blank), strict=True))


BARE: list[tuple[str, Rows, dict[str, Any]]] = [
    *(("series", numbers("series", SERIES, scale), CAPTION) for scale in (1, 0.004, -3700)),
    ("series", numbers("series", ["one"], 1)[:1], CAPTION),
    ("series", numbers("series", list("abcd"), 1), CAPTION),
    *(
        ("profiles", phases(numbers("quantity", list(QUANTITIES)[:3], scale)), {"depth": depth})
        for scale, depth in ((1, 4), (0.3, 48), (-1, 7))
    ),
    *(
        ("profiles", [row | {"found": 0} for row in phases(numbers("quantity", ["[CLS]"], 1)[:1])], {"depth": depth})
        for depth in (1, 2)
    ),
    ("curves", heads(numbers("head", SERIES, 1)), TOP),
    ("curves", heads(numbers("head", SERIES, 1)), TOP | {"top": 4.85, "uniform": None}),
    ("curves", heads(numbers("head", ["one"], 1)[:1]), TOP),
]
SHOWN = [
    (kind, rows, settings if kind == "curves" else settings | keyed(rows, named=at % 2 == 1))
    for at, (kind, rows, settings) in enumerate(BARE)
]
"""Every second chart of lines has names beside them where it is wide, the others where it is slim."""


@pytest.mark.parametrize("palette", SCHEMES.values(), ids=SCHEMES)
@pytest.mark.parametrize("width", [ALONE, NARROW])
@pytest.mark.parametrize(("kind", "rows", "settings"), SHOWN)
def test_marks_are_those_of_vega(kind: str, rows: Rows, settings: dict[str, Any], width: int, palette: Palette) -> None:
    ours = sorted(written(FILES[kind](rows, settings, "layers", width, palette), palette))
    theirs = sorted(of_vega(Vega(kind, rows, settings, palette)))
    assert [style for style, _ in ours] == [style for style, _ in theirs]
    for (_, places), (_, others) in zip(ours, theirs, strict=True):
        for one, other in zip(places, others, strict=True):
            assert one == (pytest.approx(other[0], abs=0.001), *(pytest.approx(y, abs=0.06) for y in other[1:]))


@pytest.mark.parametrize(("kind", "rows", "settings"), SHOWN)
def test_bands_lie_below_lines_and_these_below_points(kind: str, rows: Rows, settings: dict[str, Any]) -> None:
    drawn = [style[0] for style, _ in written(FILES[kind](rows, settings, "layers", 600, LIGHT), LIGHT)]
    order = ["rect", "rule", "area", "line", "symbol"]
    assert [one for one, _ in groupby(drawn)] == [one for one in order if one in drawn]


@pytest.mark.parametrize("width", [ALONE, BESIDE, NARROW])
@pytest.mark.parametrize(("kind", "rows", "settings"), [one for one in SHOWN if one[2].get("depth", 3) > 2])
def test_texts_are_those_of_vega(kind: str, rows: Rows, settings: dict[str, Any], width: int) -> None:
    theirs = vl_convert.vega_to_svg(filled(compiled(kind), rows, settings, width, LIGHT))
    texts = re.compile(r"<text[^>]*>([^<]*)</text>")
    ours = texts.findall(FILES[kind](rows, settings, "layers", width, LIGHT))
    assert sorted(ours) == sorted(texts.findall(theirs))


@pytest.mark.parametrize(("kind", "rows", "settings"), [one for one in SHOWN if one[2].get("depth", 3) > 2])
def test_numbers_stand_where_vega_puts_them(kind: str, rows: Rows, settings: dict[str, Any]) -> None:
    vega, svg = Vega(kind, rows, settings), FILES[kind](rows, settings, "layers", BESIDE, LIGHT)
    wide, tall = plot_of(svg)
    texts = [
        (one.text, one.get("text-anchor"), float(one.get("x", 0)), float(one.get("y", 0)))
        for one in parsed(svg).iter("text")
    ]
    ours = [(name, x / wide) for name, anchor, x, y in texts if (anchor, y) == ("middle", tall + 20)]
    ours += [(name, y - 4) for name, anchor, x, y in texts if (anchor, x) == ("end", -11)]
    labels = list(vega.items("text", "axis-label"))
    theirs = [(one["text"], one["x"] / vega.wide if one["x"] > 0 else one["y"]) for one in labels]
    assert sorted(ours) == [
        (name, pytest.approx(at, abs=0.06 if at > 1 else 0.001)) for name, at in sorted(theirs) if name
    ]


@pytest.mark.parametrize(
    ("kind", "column", "width", "columns"),
    [
        ("series", "series", 358, 1),
        ("series", "series", 600, 3),
        ("profiles", "quantity", 358, 2),
        ("profiles", "quantity", 600, 3),
    ],
)
def test_legend_has_its_columns_and_colours(kind: str, column: str, width: int, columns: int) -> None:
    rows, settings = next((rows, settings) for one, rows, settings in SHOWN if one == kind)
    settings |= {name: list(dict.fromkeys(row[column] for row in rows)) for name in ("keys", "keys_slim")}
    svg = parsed(FILES[kind](rows, settings, "layers", width, LIGHT))
    symbols = [one for one in svg.iter("path") if one.get("transform")]
    places = [tuple(map(float, re.findall(r"-?[\d.]+", one.get("transform", "")))) for one in symbols]
    assert len({x for x, _ in places}) == columns
    assert len({y for _, y in places}) == -(-len(places) // columns)
    theirs = Vega(kind, rows, settings).items("symbol", "legend-symbol")
    ours = [(one.get("fill"), one.get("d")) for one in symbols]
    assert ours == [(one["fill"], {"circle": CIRCLE}[one["shape"]]) for one in theirs]


@pytest.mark.parametrize("width", [BESIDE, NARROW])
@pytest.mark.parametrize(("kind", "rows", "settings"), SHOWN)
def test_names_stand_where_vega_puts_them(kind: str, rows: Rows, settings: dict[str, Any], width: int) -> None:
    vega = Vega(kind, rows, settings, width=width)
    svg = FILES[kind](rows, settings, "layers", width, LIGHT)
    theirs = {
        one["text"]: (
            (one["x"] + one.get("dx", 0)) / vega.wide,
            one["y"] + one.get("dy", 0),
            {"left": None, "center": "middle", "right": "end"}[one["align"]],
        )
        for one in vega.items("text", "mark")
    }
    named = {*settings["named"], *settings.get("named_slim", ())}
    shown = [one for one in parsed(svg).iter("text") if one.text in named and one.get("x")]
    ours = {one.text: one for one in shown if kind == "curves" or settings["named" + "_slim" * (width == NARROW)]}
    assert sorted(ours) == sorted(theirs)
    assert theirs or kind != "curves"
    for name, (x, y, anchor) in theirs.items():
        at, down = float(ours[name].get("x", "")) / plot_of(svg)[0], float(ours[name].get("y", "")) - 4
        assert (at, down) == (pytest.approx(x, abs=0.004), pytest.approx(y, abs=0.2))
        assert ours[name].get("text-anchor") == anchor


@pytest.mark.parametrize("layers", [12, 22, 24, 48])
@pytest.mark.parametrize("kind", ["series", "profiles", "curves"])
def test_nothing_touches_on_a_telephone(kind: str, layers: int) -> None:
    rows = [
        {"layer": layer, "series": "W" * 99, "quantity": "breadth", "value": 1234.5, "low": 1234, "high": 1235}
        | {"found": 0, "expected": 0, "found_low": None, "found_high": None, "printed": 0}
        | {"head": 1, "layer_value": 0.5, "layer_low": 0.4, "layer_high": 0.6}
        for layer in range(1, layers + 1)
    ]
    settings = TOP | keyed(rows) | {"caption": "number", "depth": layers, "top": 1, "uniform": 0.1}
    svg = parsed(FILES[kind](rows, settings, "layers", NARROW, LIGHT))
    left, above = map(float, re.findall(r"[\d.]+", svg.find("g").get("transform", "")))
    texts = sorted((float(one.get("y")), *ends(one)) for one in svg.iter("text") if one.get("y"))
    assert all(left + start > 0 and left + end < NARROW for _, start, end in texts)
    assert all(above + y - 9 > 0 and above + y + 3 < float(svg.get("height", "")) for y, _, _ in texts)
    assert all(start - end > 3 for (y, _, end), (other, start, _) in pairwise(texts) if y == other)
    assert len(texts) > 10


def ends(text: ET.Element) -> tuple[float, float]:
    """Where a text begins and ends."""
    wide = width_of(text.text or "")
    start = float(text.get("x", "")) - wide * {None: 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
    return start, start + wide


@pytest.mark.parametrize("depth", [1, 2])
def test_few_layers_are_marked_once(depth: int) -> None:
    """Vega marks halves of layers here, and rounds them."""
    svg = parsed(profiles([], EMPTY | {"depth": depth}, "", 600, LIGHT))
    assert [one.text for one in svg.iter("text") if (one.text or "").isdigit()] == ["1", "2"][:depth]


def test_without_numbers_there_is_an_axis_from_0_to_1() -> None:
    """Vega puts a 0 into the middle of an axis that shows nothing else."""
    nothing = {"layer": 1, "series": HOSTILE, "low": None, "high": None}
    for value in (None, 0.0):
        row = nothing | {"value": value}
        svg = parsed(series([row], keyed([row], named=True) | {"caption": HOSTILE}, HOSTILE, 358, LIGHT))
        texts = [one.text for one in svg.iter("text")]
        assert {"0.0", "0.2", "1.0"} <= {*texts}
        assert texts.count(HOSTILE) == 2
        assert svg.find("title").text == HOSTILE
    assert {"0.0", "1.0"} <= {
        one.text for one in parsed(profiles([], EMPTY | {"depth": 2}, "", 358, LIGHT)).iter("text")
    }
    assert {"0.0", "1.0"} <= {one.text for one in parsed(curves([], TOP | {"top": 1}, "", 358, LIGHT)).iter("text")}


@pytest.mark.parametrize("palette", SCHEMES.values(), ids=SCHEMES)
def test_published_numbers_are_rings_where_vega_draws_them(palette: Palette) -> None:
    """One lies between two layers, and one above all curves, so that the axis has to reach it."""
    quantity = list(QUANTITIES)[1]
    rows = phases(numbers("quantity", [quantity], 1))
    blank = dict.fromkeys(rows[0]) | {"quantity": quantity, "found": 0, "expected": 0}
    rings = [blank | {"layer": layer, "value": value, "printed": 1} for layer, value in ((1.5, 0.1), (3, 0.77))]
    settings, every = {"depth": 4} | keyed(rows), [*rows, *rings]
    svg, vega = profiles(every, settings, "layers", BESIDE, palette), Vega("profiles", every, settings, palette)
    theirs = [one for one in vega.items("symbol", "mark") if one["fill"] == palette.page]
    ours = [*parsed(svg).iter("circle")]
    assert len(ours) == len(theirs) == len(rings)
    for one, other in zip(ours, theirs, strict=True):
        assert (one.get("fill"), one.get("stroke")) == (other["fill"], other["stroke"])
        assert float(one.get("cx", "")) / plot_of(svg)[0] == pytest.approx(other["x"] / vega.wide, abs=0.001)
        assert float(one.get("cy", "")) == pytest.approx(other["y"], abs=0.06)
        assert (2 * float(one.get("r", ""))) ** 2 == other["size"]
    assert len([style for style, _ in written(svg, palette) if style[0] == "symbol"]) == 3, "rings are not points, too"
