"""The charts of `generator.charts.scatter` as pictures: heads and frequent tokens as points in the plane."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil, log10
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from generator.charts import height_of, unit_of
from generator.charts.still.frame import (
    CIRCLE,
    END,
    MIDDLE,
    Frame,
    Tick,
    dots,
    legend_columns,
    legend_height,
    margin,
    shortened,
    text,
    width_of,
)
from generator.charts.still.plot import log_ticks, nice, pixels, ticks
from generator.charts.theme import ROLES, Palette, heat, signals

HEAD, TOKEN = 5.2, 4.2
"""Pixels from the middle of a point to its edge."""
AWAY, DOWN, LINE = 9, 13, 12
"""Pixels from the middle of a point to a name beside it, to the middle of one above or below it, and of a line."""
MARGIN = 3
"""Pixels from a name to the edge of the picture: widths of texts are estimates."""
LEGEND = 180
"""Pixels of the bar that explains the colours of layers."""
TALL, PAD, LONGEST = 360, 12, 90
"""Pixels of the chart of tokens, those above and below its points, and those that a name may take."""
Rows = Sequence[Mapping[str, Any]]


class Scale(NamedTuple):
    """Values on an axis: those at both ends, and where these lie in pixels."""

    start: float
    stop: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        """Where a value lies; in the middle where all are the same."""
        share = (value - self.start) / (self.stop - self.start) if self.stop > self.start else 0.5
        return self.first + share * (self.last - self.first)

    def ticks(self) -> list[Tick]:
        """About five of them, or the only one."""
        if self.start == self.stop:
            return [(self(self.start), f"{self.start:g}")]
        return [(self(at), name) for at, name in ticks(self.start, self.stop, 5)]


class Name(NamedTuple):
    """The name of a point: where it is held, on which side of the point it stands (1 is to the right), and its ends."""

    held: float
    middle: float
    content: str
    aside: int
    left: float
    right: float

    def meets(self, other: "Name") -> bool:
        """Whether one would cover the other."""
        return self.left < other.right and other.left < self.right and abs(self.middle - other.middle) < LINE

    def svg(self) -> str:
        """The name at its place."""
        return text(self.held, self.middle + 4, self.content, {1: "", 0: MIDDLE, -1: END}[self.aside])


def heads_by_kind(rows: Rows, settings: Mapping[str, Any], label: str, width: int, palette: Palette) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    shown = _there(rows, "x", "y")
    frame, parts = _heads(shown, [palette.kinds[row["kind"]] for row in shown], settings, width, palette)
    named = [(settings["names"][kind], palette.kinds[kind]) for kind in settings["kinds"]]
    columns = legend_columns(frame.wide, 4)
    frame = replace(frame, above=legend_height(len(named), columns))
    return frame.svg(label, *parts, frame.legend(named, columns, CIRCLE, ' opacity=".9"'))


def heads_by_layer(rows: Rows, settings: Mapping[str, Any], label: str, width: int, palette: Palette) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    shown = _there(rows, "x", "y")
    layers = [row["layer"] for row in shown] or settings["layers"]
    share = Scale(min(layers), max(layers), 0, 1)
    fills = heat(palette, np.array([share(row["layer"]) for row in shown])).tolist()
    frame, parts = _heads(
        shown, [f"rgb({red}, {green}, {blue})" for red, green, blue in fills], settings, width, palette
    )
    frame = replace(frame, above=64)
    named = [(LEGEND * share(layer), str(layer)) for layer in settings["layers"]]
    return frame.svg(label, *parts, text(0, -49, "layer"), frame.gradient(LEGEND, -41, named, ' opacity=".9"'))


def tokens(rows: Rows, _settings: Mapping[str, Any], label: str, width: int, palette: Palette) -> str:
    """SVG of the chart, `width` pixels wide; `rows` are those of the chart, which has no settings."""
    shown = [row for row in _there(rows, "entropy", "received") if row["received"] > 0]
    entropies, logs = [row["entropy"] for row in shown], [log10(row["received"]) for row in shown]
    start, stop = min(entropies, default=0), max(entropies, default=0)
    start, stop = nice(start, stop) if start < stop else (start, stop)
    low, high = min([0, *logs]), max([0, *logs])
    y, pad = Scale(low, high, TALL - PAD, PAD), (high - low) * PAD / (TALL - 2 * PAD)
    marked = [(y(log10(at)), name) for at, name in log_ticks(10 ** (low - pad), 10 ** (high + pad), 4)]

    def place(row: Mapping[str, Any], x: Scale) -> tuple[float, float]:
        return x(row["entropy"]), y(log10(row["received"]))

    def drawn(wide: float) -> tuple[Scale, list[Name]]:
        x = Scale(start, stop, 0, wide)
        return x, _free(_name(*place(row, x), row["label"]) for row in shown if row["named"])

    left = margin((name for _, name in marked), "nats")
    frame = Frame(palette, width, TALL, left, _right(width - left, drawn))
    x, names = drawn(frame.wide)
    colours = {role: signals(palette)[colour] for role, colour in ROLES.items()}
    columns = legend_columns(frame.wide, 5, 3)
    dashed = f'stroke="{palette.muted}" stroke-width="1.5" stroke-dasharray="5,4"'
    parts = (
        frame.below_axis(x.ticks(), "entropy, nats"),
        frame.left_axis(marked, "times uniform attention (log axis)", grid=False),
        f'<path {dashed} d="M0 {pixels(y(0))}H{frame.wide}"/>',
        _points(palette, TOKEN, ((colours[row["role"]], *place(row, x)) for row in shown)),
        *(name.svg() for name in names),
    )
    frame = replace(frame, above=legend_height(len(colours), columns))
    return frame.svg(label, *(parts if shown else ()), frame.legend(list(colours.items()), columns, CIRCLE))


def _there(rows: Rows, *columns: str) -> Rows:
    """The rows that have both numbers."""
    return [row for row in rows if None not in [row[column] for column in columns]]


def _plane(settings: Mapping[str, Any], wide: float) -> tuple[Scale, Scale]:
    """The axes of a map of heads in a plot of this width: a pixel is worth the same on both."""
    first_x, last_x, first_y, last_y = (float(settings[name]) for name in ("left", "right", "bottom", "top"))
    tall = round(height_of(first_x, last_x, first_y, last_y, wide))
    unit = unit_of(first_x, last_x, first_y, last_y, wide)
    (left, right), (bottom, top) = (
        ((first + last - unit * length) / 2, (first + last + unit * length) / 2)
        for first, last, length in ((first_x, last_x, wide), (first_y, last_y, tall))
    )
    return Scale(left, right, 0, wide), Scale(bottom, top, tall, 0)


def _heads(
    rows: Rows, fills: Sequence[str], settings: Mapping[str, Any], width: int, palette: Palette
) -> tuple[Frame, list[str]]:
    """The plot of a map of heads in these colours, and what is drawn in it."""

    def drawn(wide: float) -> tuple[Scale, list[Name]]:
        x, y = _plane(settings, wide)
        named = [row for row in rows if row["label"]]
        return x, _free(_name(x(row["x"]), y(row["y"]), row["label"], row["aside"], row["down"]) for row in named)

    _, y = _plane(settings, width - 60)  # about as wide, so that the numbers on its left are known
    left = margin((name for _, name in y.ticks()), "nats")
    right = _right(width - left, drawn)
    (x, y), (_, names) = _plane(settings, width - left - right), drawn(width - left - right)
    frame = Frame(palette, width, round(y.first), left, right)
    beyond = [name.middle for name in names if name.left < -AWAY]
    marked = [(at, name if all(abs(at - one) > LINE for one in beyond) else "") for at, name in y.ticks()]
    points = [(fill, x(row["x"]), y(row["y"])) for row, fill in zip(rows, fills, strict=True)]
    return frame, [
        frame.below_axis(x.ticks(), "nats"),
        frame.left_axis(marked, "nats", grid=False),
        _points(palette, HEAD, points, ' fill-opacity=".9" stroke-opacity=".9"'),
        *(name.svg() for name in names),
    ]


def _points(palette: Palette, radius: float, points: Iterable[tuple[str, float, float]], style: str = "") -> str:
    """Colour and place of each point, drawn one over the other."""
    drawn = (
        dots(f'fill="{fill}"', radius, ((x, y) for _, x, y in some)) for fill, some in groupby(points, itemgetter(0))
    )
    return f'<g stroke="{palette.ink}"{style}>{"".join(drawn)}</g>'


def _name(x: float, y: float, content: str, aside: int = 1, down: int = 0) -> Name:
    """The name of a point that lies at `x` and `y`, on this side of it."""
    cut = shortened(content, LONGEST)
    held, wide = x + AWAY * aside, width_of(cut)
    left = held - wide * (1 - aside) / 2
    return Name(held, y + DOWN * down, cut, aside, left, left + wide)


def _right(room: float, drawn: Callable[[float], tuple[Scale, Iterable[Name]]]) -> int:
    """Of `room` pixels for a plot and what is right of it, how many are not the plot's, so that all texts end in the
    picture; `drawn` are the axis below a plot of some width and the names in it.
    """
    right = Frame.right
    while True:
        x, names = drawn(room - right)
        ends = *(at + width_of(name) / 2 for at, name in x.ticks()), *(name.right for name in names)
        over = max(ends) + MARGIN - room
        if over <= 0:
            return right
        right += ceil(over)


def _free(names: Iterable[Name]) -> list[Name]:
    """Those that cover none before them."""
    free: list[Name] = []
    for name in names:
        if not any(name.meets(other) for other in free):
            free.append(name)
    return free
