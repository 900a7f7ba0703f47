"""The chart of `generator.charts.evidence` as a picture. It is written here and not drawn by Vega, because every claim
has one and each new model changes all of them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.charts.static.frame import END, Frame, shortened, text, width_of
from generator.charts.static.plot import nice, pixels, ticks
from generator.charts.theme import Palette
from generator.claims.verdict import AS_VERDICT

STEP = 34
"""Pixels from row to row."""
LONGEST = 140
"""Pixels that a name may take."""
SIZE = 70
"""Square pixels of a mark."""
DOT = math.sqrt(SIZE / math.pi)
"""Pixels from the middle of a dot to its edge."""
HALF = math.sqrt(SIZE) / 2
"""Half of the side of a square, and of the base of a triangle, as Vega draws them."""
RISE = HALF * math.sqrt(3) / 2
"""Half of the height of a triangle."""
BESIDE = 9
"""Pixels from a name to the plot, so that a dot at its edge does not touch the name."""


def evidence(
    rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], label: str, width: int, palette: Palette
) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    middles = {name: STEP * at + STEP // 2 for at, name in enumerate(dict.fromkeys(row["name"] for row in rows))}
    start, stop = nice(settings["left"], settings["right"])
    marked = ticks(start, stop, 6)
    left = round(min(max(map(width_of, middles)), LONGEST)) + BESIDE + 6
    frame = Frame(palette, width, STEP * len(middles), left, round(width_of(marked[-1][1]) / 2) + 3)
    wide, heights = frame.wide, [middles[row["name"]] for row in rows]

    def x(value: float) -> float:
        return (value - start) / (stop - start) * wide

    def of(*columns: str) -> Iterator[tuple[int, list[str]]]:
        """For each row that has all of these columns: the height of its middle, and the places of the columns."""
        for y, row in zip(heights, rows, strict=True):
            values = [row.get(column) for column in columns]
            if None not in values:
                yield y, [pixels(x(value)) for value in values if value is not None]

    models = {y: row for y, row in zip(heights, rows, strict=True) if row.get("outcome")}
    bounds = dict.fromkeys(row.get(name) for name in ("bound", "second_bound") for row in rows)
    dashed = f'stroke="{palette.muted}" stroke-width="1.5" stroke-dasharray="5,4"'
    return frame.svg(
        label,
        frame.below_axis([(x(at), name) for at, name in marked], settings["caption"], grid=True),
        *(f'<path {dashed} d="M{pixels(x(at))} 0V{frame.tall}"/>' for at in bounds if at is not None),
        *(
            f'<path stroke="{_colour(models[y], palette)}" stroke-width="2" d="M{low} {y}H{high}"/>'
            for y, (low, high) in of("low", "high")
        ),
        *(_mark(models[y], at, y, palette) for y, (at,) in of("value")),
        *(f'<path stroke="{palette.ink}" stroke-width="3" d="M{at} {y - 9}v18"/>' for y, (at,) in of("published")),
        *(text(-BESIDE, y + 4, shortened(name, LONGEST), END) for name, y in middles.items()),
    )


def _colour(row: Mapping[str, Any], palette: Palette) -> str:
    return palette.verdicts[AS_VERDICT[row["outcome"]].replace(" ", "-")]


def _mark(row: Mapping[str, Any], x: str, y: int, palette: Palette) -> str:
    """The mark of a number, in the shape that it has in the chart."""
    colour, verdict = _colour(row, palette), AS_VERDICT[row["outcome"]]
    fill = palette.page if row.get("hollow") else colour
    drawn = f'fill="{fill}" stroke="{colour}" stroke-width="2" transform="translate({x} {y})"'
    if verdict == "holds":
        return f'<path {drawn} d="M{-HALF:.1f} {-HALF:.1f}h{2 * HALF:.1f}v{2 * HALF:.1f}h{-2 * HALF:.1f}z"/>'
    if verdict == "inconclusive":
        return f'<path {drawn} d="M0 {-RISE:.1f}L{-HALF:.1f} {RISE:.1f}H{HALF:.1f}z"/>'
    return f'<circle {drawn} r="{DOT:.1f}"/>'
