"""Where names stand in a chart, so that none covers a line, a point or another name, however narrow the chart is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from generator.charts import NARROW
from generator.charts.static.frame import width_of

SLIM, BROAD = (270, NARROW), (NARROW, 780)
"""The least and the largest width in pixels of the plots for which names are placed: on a telephone, and elsewhere.
What is free in both is free between them.
"""
AWAY, APART = 8, 12
"""Pixels from the middle of a point to a name beside it, and from a line to the middle of a name above or below it."""
HALF, CLEAR = 6, 5
"""Half the height of a name in pixels, and how far it stays from all but its own line."""
Track = Sequence[tuple[float, float]]
"""The places of a line from left to right, or of one point: the part of the plot's width, and pixels from its top."""


class Side(NamedTuple):
    """Where a name stands: at which place of its track, on which side of that, and how many pixels below it."""

    at: int
    aside: int
    """1 if it begins at the place, -1 if it ends there, 0 if its middle is there."""
    down: int


class Box(NamedTuple):
    """Pixels that a name takes."""

    left: float
    right: float
    above: float
    below: float

    def meets(self, track: Track, wide: float, clear: float) -> bool:
        """Whether a track in a plot so wide comes nearer than `clear` pixels."""
        left, right, above, below = (
            self.left - clear,
            self.right + clear,
            self.above - clear,
            self.below + clear,
        )
        # A point is a line without length.
        for (x, y), (to, end) in pairwise(track) if len(track) > 1 else [(track[0], track[0])]:
            first, last = max(x * wide, left), min(to * wide, right)
            if first > last:
                continue
            slope = (end - y) / ((to - x) * wide) if to > x else 0
            ends = (y, end) if to == x else (y + slope * (first - x * wide), y + slope * (last - x * wide))
            if min(ends) < below and max(ends) > above:
                return True
        return False

    def to(self, y: float) -> "Box":
        """The box drawn out to this height, so that no other line can lie between a name and its own, or on that."""
        return self._replace(above=min(self.above, y), below=max(self.below, y))

    def covers(self, other: "Box") -> bool:
        """Whether both take a pixel."""
        return (
            self.left < other.right + CLEAR
            and other.left < self.right + CLEAR
            and self.above < other.below
            and other.above < self.below
        )


def beside_lines(
    tracks: Mapping[str, Track], widths: Sequence[float], tall: float, others: Sequence[Track] = ()
) -> dict[str, Side]:
    """Name -> where it stands above or below its line, as far to the right as there is room; without room, none.

    `widths` and `tall` are the pixels of the plots, and `others` lines without a name.

    >>> beside_lines({"[CLS]": [(0, 80), (1, 80)], "[SEP]": [(0, 50), (1, 50)]}, SLIM, 100)
    {'[CLS]': Side(at=1, aside=-1, down=-12), '[SEP]': Side(at=1, aside=-1, down=-12)}
    >>> beside_lines({"[CLS]": [(0, 80), (1, 80)], "[SEP]": [(0, 79), (1, 79)]}, SLIM, 100)
    {}
    """
    sides = [(aside, down) for down in (-APART, APART) for aside in (-1, 1, 0)]

    def offered(track: Track) -> Iterator[Side]:
        yield from (Side(at, *side) for at in reversed(range(len(track))) for side in sides)

    return _placed({name: [*offered(track)] for name, track in tracks.items()}, tracks, (widths, tall), others)


def beside_points(
    points: Mapping[str, tuple[float, float]], tall: float, others: Sequence[Track] = ()
) -> dict[str, Side]:
    """Name -> the side of its point on which it stands; `others` are lines, and points without a name.

    >>> beside_points({"3-1": (0.5, 50), "3-2": (0.5, 52), "6-1": (1, 50)}, 100)
    {'3-1': Side(at=0, aside=1, down=0), '3-2': Side(at=0, aside=-1, down=0), '6-1': Side(at=0, aside=-1, down=0)}
    """
    tracks = {name: [place] for name, place in points.items()}
    sides = [Side(0, aside, 0) for aside in (1, -1)]
    return _placed(dict.fromkeys(points, sides), tracks, ((SLIM[0], BROAD[-1]), tall), others)


def _placed(
    offered: Mapping[str, Iterable[Side]],
    tracks: Mapping[str, Track],
    plots: tuple[Sequence[float], float],
    others: Sequence[Track],
) -> dict[str, Side]:
    """The first free side of each, where the earlier names have theirs; `plots` are their widths and their height."""
    widths, tall = plots
    found: dict[str, Side] = {}
    taken: list[list[Box]] = [[] for _ in widths]
    for name, sides in offered.items():
        foreign = [*others, *(track for other, track in tracks.items() if other != name)]
        for side in sides:
            place = tracks[name][side.at]
            boxes = [_box(name, place, side, wide) for wide in widths]
            # The chart is drawn in several widths with one set of sides, so a side has to be free in all of them.
            if all(
                box.left >= 0
                and box.right <= wide
                and box.above >= -HALF
                and box.below <= tall
                and not any(box.covers(earlier) for earlier in kept)
                and not box.meets(tracks[name], wide, 0)
                and not _met(box.to(place[1]), foreign, wide)
                for box, wide, kept in zip(boxes, widths, taken, strict=True)
            ):
                found[name] = side
                for box, kept in zip(boxes, taken, strict=True):
                    kept.append(box)
                break
    return found


def _met(box: Box, tracks: Sequence[Track], wide: float) -> bool:
    return any(box.meets(track, wide, CLEAR) for track in tracks)


def _box(name: str, place: tuple[float, float], side: Side, wide: float) -> Box:
    x, y = place[0] * wide + (0 if side.down else AWAY * side.aside), place[1] + side.down
    long = width_of(name)
    left = x - long * (1 - side.aside) / 2
    return Box(left, left + long, y - HALF, y + HALF)
