"""Charts over layers as pictures: `series` and `profiles` of `generator.charts.profiles`, `curves` of
`generator.charts.grid`.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from generator.charts import HEADS_TALL, NARROW, PHASES_TALL, RING, SERIES_TALL
from generator.charts.naming.places import AWAY
from generator.charts.still.frame import (
    CIRCLE,
    END,
    MIDDLE,
    Frame,
    Upward,
    legend_columns,
    legend_height,
    margin,
    shortened,
    text,
)
from generator.charts.still.plot import nice, path, pixels, ticks
from generator.charts.theme import QUANTITIES, Palette, signals

Rows = Sequence[Mapping[str, Any]]
LONGEST = 240
"""Pixels that the name of a series may take."""
SIDES = {1: "", 0: MIDDLE, -1: END}
"""On which side of its place a name stands -> how its text is held."""
DASHED = 'stroke-width="1.5" stroke-dasharray="5,4"'


def series(rows: Rows, settings: Mapping[str, Any], label: str, width: int, palette: Palette) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    names = dict.fromkeys(row["series"] for row in rows)
    colours = dict(zip(names, cycle((palette.accent, palette.contrast, palette.muted)), strict=False))
    columns = legend_columns(width, 3, 1)
    named, keys = _naming(settings, width)
    up, frame = _plot(rows, SERIES_TALL, settings["caption"], _above(keys, columns), width, palette)
    x = _evenly(frame, rows)
    return frame.svg(
        label,
        frame.left_axis(up.marked(), settings["caption"]),
        frame.below_axis([(at, str(layer)) for layer, at in x.items()], "layer"),
        frame.legend([(shortened(name, LONGEST), colours[name]) for name in keys], columns, CIRCLE),
        _Curves(x.__getitem__, up).all(rows, "series", colours),
        _named(_Curves(x.__getitem__, up), rows, "series", named),
    )


def profiles(rows: Rows, settings: Mapping[str, Any], label: str, width: int, palette: Palette) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    named, depth = signals(palette), settings["depth"]
    colours = {quantity: named[colour] for quantity, colour in QUANTITIES.items()}
    printed = [row for row in rows if row["printed"]]
    columns = legend_columns(width, 5)
    spots, keys = _naming(settings, width)
    up, frame = _plot(rows, PHASES_TALL, "share", _above(keys, columns), width, palette)
    rows = [row for row in rows if not row["printed"]]

    def x(layer: float) -> float:
        return (layer - 0.5) / depth * frame.wide

    def ends(column: str) -> Iterator[str]:
        for layer in dict.fromkeys(row["layer"] for row in rows if row[column]):
            yield f"M{pixels(x(layer + 0.5))} 0V{frame.tall}"

    marked = ticks(0.5, depth + 0.5, min(math.ceil(frame.wide / 40), depth))
    between = dict.fromkeys((row["found_low"], row["found_high"]) for row in rows if row["found"])
    return frame.svg(
        label,
        frame.left_axis(up.marked(), "share"),
        frame.below_axis([(x(at), name) for at, name in marked], "layer"),
        frame.legend([(name, colours[name]) for name in keys], columns, CIRCLE),
        *(
            f'<rect fill="{palette.accent}" opacity="0.15" x="{pixels(x(low + 0.5))}" '
            f'width="{pixels(x(high) - x(low))}" height="{frame.tall}"/>'
            for low, high in between
            if None not in (low, high) and low < high
        ),
        path(f'stroke="{palette.accent}" stroke-width="3"', ends("found")),
        path(f'stroke="{palette.ink}" {DASHED}', ends("expected")),
        *(
            f'<circle fill="{palette.page}" stroke="{colours[row["quantity"]]}" stroke-width="1.5" r="{RING / 2:g}" '
            f'cx="{pixels(x(row["layer"]))}" cy="{pixels(up.y(row["value"]))}"/>'
            for row in printed
        ),
        _Curves(x, up).all(rows, "quantity", colours),
        _named(_Curves(x, up), rows, "quantity", spots),
    )


def curves(rows: Rows, settings: Mapping[str, Any], label: str, width: int, palette: Palette) -> str:
    """SVG of the chart, `width` pixels wide; `rows` and `settings` are those of the chart."""
    up = Upward(0, settings["top"], HEADS_TALL)
    frame = Frame(palette, width, up.tall, margin(name for _, name in up.marked()))
    x = _evenly(frame, rows)
    drawn = _Curves(x.__getitem__, up)
    layers = list({row["layer"]: {**row, **settings} for row in rows}.values())
    heads = "".join(f'<path d="{dot}"/>' for dot in drawn.dots(rows))  # where two lie on each other, it is darker
    return frame.svg(
        label,
        frame.left_axis(up.marked(), ""),
        frame.below_axis([(at, str(layer)) for layer, at in x.items()], "layer"),
        path(f'fill="{palette.accent}" opacity="0.25"', drawn.bands(layers, "layer_")),
        path(f'fill="none" stroke="{palette.muted}" {DASHED}', drawn.lines(layers, "uniform")),
        path(f'fill="none" stroke="{palette.accent}" stroke-width="2.5"', drawn.lines(layers, "layer_value")),
        f'<g {_round(palette.accent, 40)} stroke-opacity="0.45">{heads}</g>',
        *(
            text(x[row["layer"]] + AWAY * aside, up.y(row["value"]) + 4, name, SIDES[aside])
            for row in rows
            if (aside := settings["named"].get(name := f"{row['layer']}-{row['head']}"))
        ),
    )


def _naming(settings: Mapping[str, Any], width: int) -> tuple[Mapping[str, Sequence[int]], list[str]]:
    """Where the names of curves stand in a picture so wide, and the entries of its legend."""
    ending = "_slim" if width < NARROW else ""
    return settings[f"named{ending}"], [name for name in settings[f"keys{ending}"] if name]


def _above(keys: Sequence[str], columns: int) -> int:
    """Pixels above the plot, for a legend if there is one."""
    return legend_height(len(keys), columns) if keys else Frame.above


def _named(drawn: "_Curves", rows: Rows, column: str, named: Mapping[str, Sequence[int]]) -> str:
    """The names of curves that stand beside them."""
    return "".join(
        text(drawn.x(row["layer"]), drawn.up.y(row["value"]) + down + 4, row[column], SIDES[aside])
        for row in rows
        for at, aside, down in [named.get(row[column], (None, 0, 0))]
        if at == row["layer"]
    )


class _Curves(NamedTuple):
    """Draws numbers of layers; where one is missing, a curve is broken."""

    x: Callable[[int], float]
    """Layer -> pixels from the left."""
    up: Upward

    def all(self, rows: Rows, name: str, colours: Mapping[str, str]) -> str:
        """The bands of all curves, on them their lines, on these their points; the column `name` tells them apart."""
        of = [(colour, [row for row in rows if row[name] == one]) for one, colour in colours.items()]
        return "".join(
            [
                *(path(f'fill="{colour}" opacity="0.25"', self.bands(some)) for colour, some in of),
                *(path(f'fill="none" stroke="{colour}" stroke-width="2.5"', self.lines(some)) for colour, some in of),
                *(path(_round(colour, 50), self.dots(some)) for colour, some in of),
            ]
        )

    def bands(self, rows: Rows, prefix: str = "") -> Iterator[str]:
        """What lies between the two ends of intervals; names of columns begin with the prefix."""
        for run in self._unbroken(rows, f"{prefix}low", f"{prefix}high"):
            there, back = [(x, low) for x, low, _ in run], [(x, high) for x, _, high in reversed(run)]
            yield f"{_through(there + back)}z"

    def lines(self, rows: Rows, column: str = "value") -> Iterator[str]:
        return map(_through, self._unbroken(rows, column))

    def dots(self, rows: Rows) -> Iterator[str]:
        """Lines of no length, which are round with `_round`."""
        return (f"{_through([place])}h0" for run in self._unbroken(rows, "value") for place in run)

    def _unbroken(self, rows: Rows, *columns: str) -> Iterator[list[tuple[float, ...]]]:
        """Pixels from the left and, for each column, from the top, for neighbours that have all these columns."""
        ordered = sorted(rows, key=itemgetter("layer"))
        for whole, run in groupby(ordered, lambda row: all(row[column] is not None for column in columns)):
            if whole:
                yield [(self.x(row["layer"]), *(self.up.y(row[column]) for column in columns)) for row in run]


def _plot(rows: Rows, tall: int, title: str, above: int, width: int, palette: Palette) -> tuple[Upward, Frame]:
    """A plot in which 0 and the numbers of all rows lie, and its frame with `above` pixels for a legend."""
    known = [0, *(row[column] for row in rows for column in ("low", "value", "high") if row[column] is not None)]
    up = Upward(*nice(min(known), max(known)), tall)
    return up, Frame(palette, width, tall, margin((name for _, name in up.marked()), title), above=above)


def _evenly(frame: Frame, rows: Rows) -> dict[int, float]:
    """Layer -> pixels from the left to the middle of its share of the plot."""
    layers = sorted({row["layer"] for row in rows})
    return {layer: frame.wide * (at + 0.5) / len(layers) for at, layer in enumerate(layers)}


def _through(places: Iterable[Sequence[float]]) -> str:
    """A line through these places."""
    return "M" + " ".join(f"{pixels(x)} {pixels(y)}" for x, y in places)


def _round(colour: str, area: int) -> str:
    """Style of points that cover so many pixels of a square around them."""
    return f'stroke="{colour}" stroke-width="{area**0.5:.3g}" stroke-linecap="round"'
