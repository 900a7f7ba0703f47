"""A model as a small map of its heads, as a picture that stands without a page: it has its colours in itself."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import escape

from generator.charts.theme import LIGHT

SIDE, GAP = 26, 3
"""Pixels of a square, and between two."""
LEFT = 28
"""Pixels for the numbers of layers."""


class Cell(NamedTuple):
    """A head."""

    kind: str
    """The kind of head whose colour it has."""
    side: int
    """Side of the filled square in per cent of the cell."""
    label: str
    """What a reader is told who points at it."""


def squares(rows: Sequence[Sequence[Cell]], label: str) -> str:
    """SVG with a row for each layer, the first on top, and a square for each of its heads."""
    step = SIDE + GAP
    width, height = LEFT + step * max(map(len, rows)), step * len(rows)
    drawn = "".join(
        f'<text x="{LEFT - 8}" y="{at * step + SIDE * 0.7:.0f}" text-anchor="end" font-size="12" fill="{LIGHT.muted}">'
        f"{at + 1}</text>" + "".join(_cell(LEFT + head * step, at * step, cell) for head, cell in enumerate(row))
        for at, row in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(label)}" font-family="sans-serif">{drawn}</svg>'
    )


def _cell(x: int, y: int, cell: Cell) -> str:
    filled = SIDE * cell.side / 100
    inset = (SIDE - filled) / 2
    return (
        f'<g><title>{escape(cell.label)}</title><rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" '
        f'fill="{LIGHT.cell}"/><rect x="{x + inset:.4g}" y="{y + inset:.4g}" width="{filled:.3g}" '
        f'height="{filled:.3g}" fill="{LIGHT.kinds[cell.kind]}"/></g>'
    )
