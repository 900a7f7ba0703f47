"""What a chart is told of the names in it.

`named` says where the names of lines stand and `keys` which entries the legend has: a blank one where the lines have
names, else all of them. `named_slim` and `keys_slim` say the same for a chart that is slim.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from generator.charts.naming.places import BROAD, SLIM, Track, beside_lines, beside_points
from generator.charts.static.plot import nice

MOST, FAR = 3, 0.1
"""How many heads of a plot have names, and how far from the median they are, as a part of the axis; choices."""
SPARE = 2
"""How many more are tried, as not every name finds a place."""
ROOM = 0.3
"""The part of the width that a name at a bar takes at most; a choice."""


class Spot(NamedTuple):
    """A point of a curve: its place as the data have it, the part of the plot's width, and its number or None."""

    at: float
    across: float
    value: float | None


class Upright(NamedTuple):
    """The axis on the left of a plot: its ends, and its length in pixels."""

    bottom: float
    top: float
    tall: float

    def down(self, value: float) -> float:
        """Pixels from the top; what lies beyond an end is put there."""
        return self.tall * (self.top - min(max(value, self.bottom), self.top)) / (self.top - self.bottom)


def lines(curves: Mapping[str, Sequence[Spot]], up: Upright, others: Sequence[Track] = ()) -> dict[str, Any]:
    """The signals for the names of curves, which all have one or none has; `others` are other lines."""
    known = {name: [spot for spot in curve if spot.value is not None] for name, curve in curves.items()}
    # No number is missing here; `or 0` is for the type checker.
    tracks = {name: [(spot.across, up.down(spot.value or 0)) for spot in curve] for name, curve in known.items()}
    signals: dict[str, Any] = {}
    for ending, widths in (("", BROAD), ("_slim", SLIM)):
        found = beside_lines({name: track for name, track in tracks.items() if track}, widths, up.tall, others)
        every = len(found) == len(tracks)
        spots = {name: [known[name][side.at].at, side.aside, side.down] for name, side in found.items()}
        signals |= {f"named{ending}": spots if every else {}, f"keys{ending}": [""] if every else list(curves)}
    return signals


def over_layers(
    columns: Mapping[str, Sequence[Any]],
    name: str,
    across: Mapping[int, float],
    tall: float,
    others: Sequence[Track] = (),
    beside: Sequence[float] = (),
) -> dict[str, Any]:
    """The same for curves over layers on an axis that has 0; the column `name` tells them apart.

    `across` has the part of the width at which each layer stands, `beside` the numbers that are drawn beside the
    curves.
    """
    curves: dict[str, list[Spot]] = {}
    for series, layer, value in zip(columns[name], columns["layer"], columns["value"], strict=True):
        curves.setdefault(series, []).append(Spot(layer, across[layer], value))
    known = [value for end in ("value", "low", "high") for value in columns[end] if value is not None]
    up = Upright(*nice(min([0, *known, *beside]), max([0, *known, *beside])), tall)
    return lines({series: sorted(curve) for series, curve in curves.items()}, up, others)


def evenly(layers: Iterable[int]) -> dict[int, float]:
    """Layer -> the part of the width at which it stands if each has an equal part.

    >>> evenly([2, 1, 2])
    {1: 0.25, 2: 0.75}
    """
    every = sorted(set(layers))
    return {layer: (at + 0.5) / len(every) for at, layer in enumerate(every)}


def extremes(heads: Mapping[str, tuple[float, float]], up: Upright, others: Sequence[Track] = ()) -> dict[str, int]:
    """Head -> the side of its point on which its name stands, for at most MOST of those farthest from the median.

    The head with the largest number comes first; other heads only if they are FAR from the median. `heads` have the
    part of the width and the number of every point, and `others` are lines.

    >>> many = {f"1-{at}": (0.25, 0.02) for at in range(2, 9)}
    >>> extremes({"1-1": (0.25, 0.9), "2-1": (0.75, 0.05), **many}, Upright(0, 1, 200))
    {'1-1': 1}
    """
    if not heads:
        return {}
    middle = median(value for _, value in heads.values())
    away = {name: abs(value - middle) for name, (_, value) in heads.items()}
    highest = max(heads, key=lambda name: heads[name][1])
    far = sorted((name for name in heads if away[name] > FAR * (up.top - up.bottom)), key=lambda name: -away[name])
    wanted = list(dict.fromkeys([*([highest] if away[highest] else []), *far]))[: MOST + SPARE]
    places = {name: (across, up.down(value)) for name, (across, value) in heads.items()}
    unnamed = [[place] for name, place in places.items() if name not in wanted]
    found = beside_points({name: places[name] for name in wanted}, up.tall, [*others, *unnamed])
    return {name: side.aside for name, side in [*found.items()][:MOST]}


def labelled(columns: Mapping[str, Sequence[Any]]) -> str:
    """The class of tokens at whose bars names stand: the one with the longest of those that leave ROOM for them.

    Of shares of one whole, only one can be so long that it leaves none.

    >>> labelled({"class": ["[CLS]", "[SEP]", "others"], "value": [0.9, 0.02, 0.08], "high": [0.95, None, 0.1]})
    'others'
    """
    ends: dict[str, float] = {}
    for name, value, high in zip(columns["class"], columns["value"], columns["high"], strict=True):
        ends[name] = max(ends.get(name, 0), value or 0, high or 0)
    return max((name for name in ends if ends[name] <= 1 - ROOM), key=ends.__getitem__, default=next(iter(ends), ""))
