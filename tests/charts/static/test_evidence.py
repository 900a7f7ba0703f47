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
    {"name": "one", "value": 0.775, "low": 0.739, "high": 0.804},
    {"name": "another, which has a very long name", "value": -0.031, "hollow": 1},
    {"name": "Clark et al. 2019", "published": 0.42},
    {"name": "one", "published": 0.1},
]


@pytest.mark.parametrize("width", [ALONE, NARROW])
@pytest.mark.parametrize("scale", [1, 0.004, 3700])
def test_evidence_is_that_of_vega(scale: float, width: int) -> None:
    """Where every mark lies across the plot, and in which row."""
    told = [{name: one if name in ("name", "hollow") else one * scale for name, one in row.items()} for row in MODELS]
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
    fills = [one.get("fill") for one in svg.iter("circle")]
    assert fills == [LIGHT.accent, LIGHT.page] == [mark.colour for mark in vega.marks("symbol")]
    dots = [(float(one.get("cx", "")) / wide, float(one.get("cy", ""))) for one in svg.iter("circle")]
    assert dots == [pytest.approx((mark.left, mark.top), abs=0.003) for mark in vega.marks("symbol")]
    accent = [(at[0] / wide, at[2] / wide, at[1]) for colour, at in paths if colour == LIGHT.accent]
    muted = [at[0] / wide for colour, at in paths if colour == LIGHT.muted]
    ink = [(at[0] / wide, at[1] + 9) for colour, at in paths if colour == LIGHT.ink]
    rules = vega.marks("rule")
    assert accent == [
        pytest.approx((rule.left, rule.right, rule.top), abs=0.003) for rule in rules if rule.colour == LIGHT.accent
    ]
    assert muted == [
        pytest.approx(at, abs=0.003) for at in dict.fromkeys(rule.left for rule in rules if rule.colour == LIGHT.muted)
    ]
    ticks = [((mark.left + mark.right) / 2, (mark.top + mark.bottom) / 2) for mark in vega.marks("rect")]
    assert ink == [pytest.approx(tick, abs=0.003) for tick in ticks]
    assert tall == STEP * 3
    *numbers, caption, one, two, three = [one.text or "" for one in svg.iter("text")]
    names = [one, two, three]
    assert (names[0], names[2], caption) == ("one", "Clark et al. 2019", "share")
    assert re.fullmatch(r"another.*…", names[1])
    theirs = [text for text in vega.texts("axis-label") if text and text not in {row["name"] for row in MODELS}]
    assert set(numbers) <= set(theirs)
    assert width == NARROW or numbers == theirs


def test_a_dot_at_the_edge_does_not_touch_the_names() -> None:
    svg = ET.fromstring(
        evidence([{"name": "one", "value": 0.0}], {"left": 0.0, "right": 1.0, "caption": ""}, "", 358, LIGHT)
    )
    (dot,) = (one for one in svg.iter() if one.tag.endswith("circle"))
    (name,) = (one for one in svg.iter() if one.text == "one")
    assert float(name.get("x", "")) < float(dot.get("cx", "")) - DOT - 2


def test_text_of_a_name_is_text() -> None:
    ends = {"left": 0.0, "right": 0.0, "caption": "<b>"}
    svg = evidence([{"name": '"><script>', "value": 0.0}], ends, '"><i>', 358, LIGHT)
    root = ET.fromstring(svg)
    assert "<script" not in svg
    assert {'"><i>', '"><script>', "0.0", "1.0", "<b>"} <= {one.text for one in root.iter()}


def test_exchanged_colours_are_those_of_the_dark_scheme() -> None:
    shown = [{**row, "bound": 0.5} for row in MODELS], {"left": 0, "right": 1, "caption": "share"}
    light, dark = (evidence(*shown, "what is shown", ALONE, palette) for palette in (LIGHT, DARK))
    assert light != dark
    assert darkened(light) == dark
