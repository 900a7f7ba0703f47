"""The chart of `generator.charts.grid.grid` as a picture: one cell per head, coloured by how much is measured."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from generator.charts.still.frame import END, MIDDLE, Frame, margin, text
from generator.charts.still.plot import pixels, ticks
from generator.charts.theme import Palette, heat

STEP, EDGE, ROUND = 28, 1, 3
"""Pixels of a row, from a cell to the border of its place, and of its rounded corners."""
LEGEND, TICKS = 220, 4
"""Pixels of the bar that explains the colours, and about how many numbers stand below it."""


def grid(
    rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], label: str, width: int, palette: Palette
) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    layers, heads = (sorted({row[name] for row in rows}) for name in ("layer", "head"))
    left = margin(map(str, layers), "layer")
    frame = Frame(palette, width, STEP * len(layers), left, above=36, below=44)
    across, top = frame.wide / max(len(heads), 1), settings["top"]
    shown = [row for row in rows if row["value"] is not None]
    fills = heat(palette, np.array([row["value"] for row in shown], float) / top).tolist()
    column, line = ({one: at for at, one in enumerate(some)} for some in (heads, layers))
    size = f'width="{pixels(across - 2 * EDGE)}" height="{STEP - 2 * EDGE}" rx="{ROUND}"'
    cells = (
        f'<rect x="{pixels(across * column[row["head"]] + EDGE)}" y="{STEP * line[row["layer"]] + EDGE}" {size} '
        f'fill="rgb({red}, {green}, {blue})"/>'
        for row, (red, green, blue) in zip(shown, fills, strict=True)
    )
    return frame.svg(
        label,
        *cells,
        *(text(across * (at + 0.5), -6, str(one), MIDDLE) for at, one in enumerate(heads)),
        *(text(-11, STEP * (at + 0.5) + 4, str(one), END) for at, one in enumerate(layers)),
        text(frame.wide / 2, -22, "head", MIDDLE),
        frame.turned("layer"),
        frame.gradient(LEGEND, frame.tall + 10, [(LEGEND * at / top, name) for at, name in ticks(0, top, TICKS)]),
    )
