"""The written picture of relations shows what Vega shows: the same lines, points and names in the same places."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

import pytest

from generator.charts.still.intervals import relations
from generator.charts.still.picture import ALONE, NARROW
from generator.charts.theme import LIGHT, SCHEMES, Palette
from tests.charts.still.drawn import Vega
from tests.charts.still.written import Picture, as_wide

LINE = re.compile(r"M(-?[\d.]+) (-?[\d.]+)H(-?[\d.]+)")
HOSTILE = '"><script>alert(1)</script>'


def relation(name: str, clear: int | None, values: list[float | None]) -> dict[str, Any]:
    """A row; values are those of the head, of its offset and of the twins, each with the ends of its line."""
    columns = (f"{one}{end}" for one in ("", "baseline_", "twin_") for end in ("value", "low", "high"))
    renamed = {"baseline_value": "baseline", "twin_value": "twin"}
    return {
        "relation": name,
        "head": f"{len(name)}-12",
        "clear": clear,
        **{renamed.get(column, column): value for column, value in zip(columns, values, strict=True)},
    }


ROWS = [
    relation("determiners (det)", 1, [0.8, 0.75, 0.86, 0.5, 0.41, 0.62, 0.2, 0.1, 0.33]),
    relation("objects & more", 0, [0.31, 0.22, 0.4, 0.3, 0.2, 0.4, 0, 0, 0.02]),
    relation("phrases without a preposition that describe a verb", None, [1, 1, 1, 0.97, 0.9, 1, 0.5, 0.5, 0.5]),
    relation("subjects", 1, [None, None, None, None, None, None, 0.4, 0.35, 0.45]),
    relation("modifiers", 1, [0.6, 0.5, 0.7, 0.55, 0.5, 0.6, None, None, None]),
    relation("what is left out", 1, [0.6, 0.5, 0.7, 0.55, 0.5, 0.6, 0.4, 0.3, 0.5]),
]
SHOWN = len(ROWS) - 1
SETTINGS = {"rows": SHOWN, "caption": "and one more"}
"""Relations with a clear head and without, at both ends of the axis, and some of which nothing is known."""


@pytest.mark.parametrize("palette", SCHEMES.values())
@pytest.mark.parametrize("width", [ALONE, NARROW])
@pytest.mark.parametrize("count", [1, 6])
def test_relations_are_those_of_vega(count: int, width: int, palette: Palette) -> None:
    rows, settings = ROWS[-count:], {"rows": min(count, SHOWN), "caption": "and one more"}
    theirs = Vega("relations", rows, settings, palette, width)
    ours = as_wide(lambda one: relations(rows, settings, "relations", one, palette), theirs.wide, width)
    assert (ours.wide, ours.tall) == pytest.approx((theirs.wide, theirs.tall), abs=1)
    dashes = {"1,3": [1, 3], "": []}
    lines = [
        (
            (one["stroke"], float(one.get("stroke-width", 1)), dashes[one.get("stroke-dasharray", "")], _opacity(one)),
            place,
        )
        for one in ours.all("path")
        if one["stroke"] != palette.line and "transform" not in one
        for place in ([float(y), float(low), float(high)] for low, y, high in LINE.findall(one["d"]))
    ]
    _same(
        lines,
        [
            (
                (one["stroke"], one["strokeWidth"], one.get("strokeDash", []), _opacity(one)),
                [one["y"], one["x"], one.get("x2", one["x"])],
            )
            for one in theirs.items("rule", "mark")
        ],
    )
    circles = ours.all("circle")
    _same(
        [
            (
                (one["fill"], one["stroke"], float(one["stroke-width"]), _opacity(one), float(one["r"])),
                [float(one["cy"]), float(one["cx"])],
            )
            for one in circles
        ],
        [
            (
                (one["fill"], one["stroke"], one["strokeWidth"], _opacity(one), round(one["size"] ** 0.5 / 2, 1)),
                [one["y"], one["x"]],
            )
            for one in theirs.items("symbol", "mark")
        ],
    )
    layers = list(dict.fromkeys(one["fill"] for one in circles))
    assert layers == list(dict.fromkeys(one["fill"] for one in theirs.items("symbol", "mark")))


def _opacity(mark: Mapping[str, Any]) -> float:
    return float(mark.get("opacity", 1))


def _same(ours: list[Any], theirs: list[Any]) -> None:
    """The same marks in any order: their style, and how far down and across they lie."""
    for (style, place), (expected, at) in zip(sorted(ours), sorted(theirs), strict=True):
        assert style == expected
        assert place[0] == pytest.approx(at[0], abs=0.1)
        assert place == pytest.approx(at, abs=1)


@pytest.mark.parametrize("width", [ALONE, NARROW])
def test_texts_are_those_of_vega(width: int) -> None:
    """Names stand beside their lines, or above them in smaller letters."""
    theirs = Vega("relations", ROWS, SETTINGS, width=width)
    ours = as_wide(lambda one: relations(ROWS, SETTINGS, "relations", one, LIGHT), theirs.wide, width)
    roles = ["axis-label", "axis-title", "legend-label", "mark", "title-text"]
    items = [one for role in roles for one in theirs.items("text", role) if one["text"]]
    assert sorted(ours.texts()) == sorted(one["text"] for one in items)
    named = {row[column] for row in ROWS[:SHOWN] for column in ("relation", "head")}
    places = {
        one["text"]: (one["x"] + one.get("dx", 0), one["y"] + 0.3 * one["fontSize"], one["fontSize"])
        for one in items
        if one["text"] in named
    }
    for one in ours.all("text"):
        if one["text"] in named:
            x, y, size = places[one["text"]]
            assert (float(one["x"]), float(one["y"])) == pytest.approx((x, y), abs=1)
            assert (one["font-size"], one.get("text-anchor")) == (f"{size:g}", "end" if x < 0 else None)
    symbols = [one for one in ours.all("path") if "transform" in one]
    assert [(one["fill"], one["stroke"], one["stroke-width"]) for one in symbols] == [
        (one["fill"], one["stroke"], f"{one['strokeWidth']:g}") for one in theirs.items("symbol", "legend-symbol")
    ]


@pytest.mark.parametrize(("beside", "narrow"), [(401, False), (400, True)])
def test_names_stand_above_where_they_would_leave_no_more_than_400_pixels(beside: int, narrow: bool) -> None:
    """Vega is told the same, but finds no end where the plot is wide without the names and narrow with them."""
    rows, settings = ROWS[:2], SETTINGS | {"rows": 2}
    wide = Picture(relations(rows, settings, "relations", ALONE, LIGHT))
    ours = Picture(relations(rows, settings, "relations", int(ALONE - wide.wide + beside), LIGHT))
    assert wide.tall == 56
    assert (ours.tall == 80, ours.wide > beside) == (narrow, narrow)


@pytest.mark.parametrize("width", [ALONE, 600, NARROW])
def test_no_text_leaves_the_picture_or_covers_another(width: int) -> None:
    long = relation(
        "a relation whose name is by far longer than any that is to be shown beside its line or above it", 1, [0.1] * 9
    )
    told = [*ROWS, long]
    picture = Picture(relations(told, SETTINGS | {"rows": len(told)}, "relations", width, LIGHT))
    assert picture.crowded() == []
    assert picture.tall == len(told) * (28 if width == ALONE else 40)


def test_text_of_a_name_is_text() -> None:
    svg = relations([{**ROWS[0], "relation": HOSTILE}], {"rows": 1, "caption": HOSTILE}, HOSTILE, ALONE, LIGHT)
    assert "<script" not in svg
    assert [one.text for one in ET.fromstring(svg).iter() if one.text == HOSTILE] == [HOSTILE] * 3


def test_without_relations_there_is_an_empty_plot() -> None:
    picture = Picture(relations([], {"rows": 0, "caption": ""}, "relations", NARROW, LIGHT))
    assert (picture.tall, picture.all("circle")) == (0, [])
