"""The written picture of a claim's evidence shows what Vega shows: the same marks in the same places."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from generator.charts.static.evidence import DOT, STEP, evidence
from generator.charts.static.picture import ALONE, NARROW
from generator.charts.static.vega import darkened
from generator.charts.theme import DARK, LIGHT
from tests.charts.static.drawn import Vega

MODELS: list[dict[str, Any]] = [
    {"name": "one", "value": 0.775, "low": 0.739, "high": 0.804, "outcome": "met"},
    {"name": "another, which has a very long name", "value": -0.031, "outcome": "too little", "hollow": 1},
    {"name": "two", "value": 0.1, "low": 0.05, "high": 0.15, "outcome": "missed"},
    {"name": "three", "value": 0.6, "low": 0.4, "high": 0.8, "outcome": "disputed"},
    {"name": "Clark et al. 2019", "published": 0.42},
    {"name": "one", "published": 0.1},
]
COLOURS = [LIGHT.verdicts[name] for name in ("holds", "fails", "inconclusive", "not-testable")]


@pytest.mark.parametrize("width", [ALONE, NARROW])
@pytest.mark.parametrize("scale", [1, 0.004, 3700])
def test_evidence_is_that_of_vega(scale: float, width: int) -> None:
    """Where every mark lies across the plot, and in which row."""
    told = [
        {name: one if name in ("name", "outcome", "hollow") else one * scale for name, one in row.items()}
        for row in MODELS
    ]
    told = [{"bound": 0.5 * scale, "second_bound": 0.7 * scale, **row} for row in told]
    ends = {"left": -0.031 * scale, "right": 0.804 * scale, "caption": "share"}
    vega = Vega("evidence", told, ends)
    svg = ET.fromstring(evidence(told, ends, "a claim", width, LIGHT).replace(" xmlns=", " class="))
    paths = [
        (one.get("stroke"), [float(part) for part in re.findall(r"-?[\d.]+", one.get("d", ""))])
        for one in svg.iter("path")
    ]
    (axis,) = (at for colour, at in paths if colour == LIGHT.line)
    tall, wide = axis[-2:]
    marks = [one for one in svg.iter() if one.get("transform", "").count(" ") == 1 and one.get("stroke") in COLOURS]
    places = [tuple(map(float, re.findall(r"-?[\d.]+", one.get("transform", "")))) for one in marks]
    theirs = [*vega.items("symbol", "mark")]
    assert [(x / wide, y) for x, y in places] == [
        pytest.approx((one["x"] / vega.wide, one["y"]), abs=0.003) for one in theirs
    ]
    assert [(one.get("fill"), one.get("stroke")) for one in marks] == [(one["fill"], one["stroke"]) for one in theirs]
    assert [one.get("fill") for one in marks] == [COLOURS[0], LIGHT.page, *COLOURS[1:3]]
    shapes = [one["shape"] for one in theirs]
    assert shapes == ["square", "circle", "circle", "triangle-up"]
    assert [one.tag for one in marks] == ["circle" if shape == "circle" else "path" for shape in shapes]
    assert [len(re.findall("[hvLH]", one.get("d", ""))) for one in marks] == [3, 0, 0, 2], "corners but the first"
    lines = [(colour, at[0] / wide, at[2] / wide, at[1]) for colour, at in paths if colour in COLOURS and len(at) == 3]
    muted = [at[0] / wide for colour, at in paths if colour == LIGHT.muted]
    ink = [(at[0] / wide, at[1] + 9) for colour, at in paths if colour == LIGHT.ink]
    rules = vega.marks("rule")
    told = [(rule.colour, rule.left, rule.right, rule.top) for rule in rules if rule.colour in COLOURS]
    assert [line[0] for line in lines] == [rule[0] for rule in told] == [*COLOURS[:3]]
    assert [line[1:] for line in lines] == [pytest.approx(rule[1:], abs=0.003) for rule in told]
    assert muted == [
        pytest.approx(at, abs=0.003) for at in dict.fromkeys(rule.left for rule in rules if rule.colour == LIGHT.muted)
    ]
    ticks = [((mark.left + mark.right) / 2, (mark.top + mark.bottom) / 2) for mark in vega.marks("rect")]
    assert ink == [pytest.approx(tick, abs=0.003) for tick in ticks]
    assert tall == STEP * 5
    *numbers, caption, one, two, three, four, five = [one.text or "" for one in svg.iter("text")]
    names = [one, two, three, four, five]
    assert (names[0], names[-1], caption) == ("one", "Clark et al. 2019", "share")
    assert re.fullmatch(r"another.*…", names[1])
    theirs = [text for text in vega.texts("axis-label") if text and text not in {row["name"] for row in MODELS}]
    assert set(numbers) <= set(theirs)
    assert width == NARROW or numbers == theirs


def test_a_dot_at_the_edge_does_not_touch_the_names() -> None:
    svg = ET.fromstring(
        evidence(
            [{"name": "one", "value": 0.0, "outcome": "missed"}],
            {"left": 0.0, "right": 1.0, "caption": ""},
            "",
            358,
            LIGHT,
        )
    )
    (dot,) = (one for one in svg.iter() if one.tag.endswith("circle"))
    (name,) = (one for one in svg.iter() if one.text == "one")
    assert float(name.get("x", "")) < float(dot.get("transform", "").partition("(")[2].split()[0]) - DOT - 2


def test_text_of_a_name_is_text() -> None:
    ends = {"left": 0.0, "right": 0.0, "caption": "<b>"}
    svg = evidence([{"name": '"><script>', "value": 0.0, "outcome": "missed"}], ends, '"><i>', 358, LIGHT)
    root = ET.fromstring(svg)
    assert "<script" not in svg
    assert {'"><i>', '"><script>', "0.0", "1.0", "<b>"} <= {one.text for one in root.iter()}


def test_exchanged_colours_are_those_of_the_dark_scheme() -> None:
    shown = [{**row, "bound": 0.5} for row in MODELS], {"left": 0, "right": 1, "caption": "share"}
    light, dark = (evidence(*shown, "what is shown", ALONE, palette) for palette in (LIGHT, DARK))
    assert light != dark
    assert darkened(light) == dark
