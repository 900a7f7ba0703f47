"""The written grid of heads shows what Vega shows: the same cells in the same colours, the same numbers around them."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
import vl_convert

from generator.charts.compile import compiled
from generator.charts.still.cells import STEP, grid
from generator.charts.still.picture import ALONE, NARROW
from generator.charts.still.vega import filled
from generator.charts.theme import SCHEMES, Palette
from tests.charts.still.drawn import Vega


def heads(top: float) -> list[dict[str, Any]]:
    """Three layers of four heads, of which one has no number and one more than the scale shows."""
    values = [top * share for share in (0, 0.1, 0.25, 0.37, 0.5, 0.61, 0.75, 0.8, 0.99, 1, 1.2)]
    places = [(layer, head) for layer in (1, 2, 3) for head in (1, 2, 3, 4)]
    return [
        {"layer": layer, "head": head, "value": value}
        for (layer, head), value in zip(places, [*values, None], strict=True)
    ]


@pytest.mark.parametrize("palette", SCHEMES.values())
@pytest.mark.parametrize("top", [1, 0.7, 0.003, 2.5, 37])
def test_cells_are_those_of_vega(top: float, palette: Palette) -> None:
    rows = heads(top)
    svg = ET.fromstring(grid(rows, {"top": top}, "heads", 600, palette).replace(" xmlns=", " class="))
    cells = [one for one in svg.iter("rect") if one.get("rx")]
    wide = max(float(one.get("x", "")) + float(one.get("width", "")) for one in cells) + 1
    theirs = Vega("grid", rows, {"top": top}, palette).marks("rect")
    for ours, one in zip(cells, theirs, strict=True):
        assert _rgb(ours.get("fill", "")) == pytest.approx(_rgb(one.colour), abs=3)  # Vega takes another way round
        x, y = float(ours.get("x", "")) - 1, float(ours.get("y", "")) - 1
        assert (x / wide, y, y + STEP) == pytest.approx((one.left, one.top, one.bottom), abs=0.002)


@pytest.mark.parametrize("width", [ALONE, NARROW])
@pytest.mark.parametrize("top", [1, 0.7, 0.12, 0.003, 2.5, 14, 6.3])
def test_texts_are_those_of_vega(top: float, width: int) -> None:
    rows = heads(top)
    theirs = vl_convert.vega_to_svg(filled(compiled("grid"), rows, {"top": top}, width, SCHEMES["default"]))
    texts = re.compile(r"<text[^>]*>([^<]*)</text>")
    assert sorted(texts.findall(grid(rows, {"top": top}, "heads", width, SCHEMES["default"]))) == sorted(
        texts.findall(theirs)
    )


def _rgb(colour: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", colour)]


def test_heads_of_nobody_are_an_empty_picture() -> None:
    assert "<rect" in grid([], {"top": 1}, "heads", 358, SCHEMES["default"])
