"""The chart of `generator.charts.patterns` as a picture: bars from 0 to 1, divided by pattern."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from generator.charts.still.frame import SQUARE, Frame, Upward, legend_columns, legend_height, margin
from generator.charts.still.plot import path, pixels
from generator.charts.theme import PATTERNS, Palette, signals

TALL, TITLE = 260, "share of maps"
APART = 0.05
"""Part of the place of a bar that is free on each side of it."""


def patterns(
    rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], label: str, width: int, palette: Palette
) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    named, columns = signals(palette), legend_columns(width, 5)
    colours = {pattern: named[colour] for pattern, colour in PATTERNS.items()}
    up, above = Upward(0, 1, TALL), legend_height(len(colours), columns)
    frame = Frame(palette, width, TALL, margin((name for _, name in up.marked()), TITLE), above=above)
    shown = [row for row in rows if row["value"] is not None]
    bars = {at: place for place, at in enumerate(dict.fromkeys(row["at"] for row in shown))}
    step = frame.wide / max(len(bars), 1)
    tops, parts = dict.fromkeys(bars, 0.0), defaultdict[str, list[str]](list)
    for row in sorted(shown, key=lambda row: row["order"]):
        at, bottom = row["at"], tops[row["at"]]
        tops[at] += row["value"]
        left, right = (pixels(step * (bars[at] + end)) for end in (APART, 1 - APART))
        if row["value"]:
            parts[row["pattern"]] += [f"M{left} {pixels(up.y(bottom))}H{right}V{pixels(up.y(tops[at]))}H{left}z"]
    return frame.svg(
        label,
        frame.left_axis(up.marked(), TITLE),
        frame.below_axis([(step * (place + 0.5), str(at)) for at, place in bars.items()], settings["caption"]),
        frame.legend(list(colours.items()), columns, SQUARE),
        *(path(f'fill="{colours[pattern]}" stroke="{palette.page}"', some) for pattern, some in parts.items()),
    )
