"""A picture in light colours, which are then exchanged, is the one that is written in dark colours."""

from typing import Any

import pytest

from generator.charts.still.picture import ALONE, FILES, RAMPED
from generator.charts.still.vega import darkened
from generator.charts.theme import DARK, LIGHT
from tests.charts.still import test_cells, test_evidence, test_intervals, test_layers, test_points, test_stacks

SQUARE = test_points.heads(test_points.ENDS["square"])
SHOWN: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "evidence": ([{**row, "bound": 0.5} for row in test_evidence.MODELS], {"left": 0, "right": 1, "caption": "share"}),
    "grid": (test_cells.heads(1), {"top": 1}),
    "heads-by-kind": SQUARE,
    "heads-by-layer": SQUARE,
    "tokens": (test_points.TOKENS["usual"], {}),
    "relations": (test_intervals.ROWS, test_intervals.SETTINGS),
    "patterns": (test_stacks.FEW, test_stacks.CAPTION),
    **{kind: (rows, settings) for kind, rows, settings in test_layers.SHOWN},
}


@pytest.mark.parametrize("kind", FILES)
def test_exchanged_colours_are_those_of_the_dark_scheme(kind: str) -> None:
    rows, settings = SHOWN[kind]
    light, dark = (FILES[kind](rows, settings, "what is shown", ALONE, palette) for palette in (LIGHT, DARK))
    assert light != dark
    assert (darkened(light) == dark) == (kind not in RAMPED)
