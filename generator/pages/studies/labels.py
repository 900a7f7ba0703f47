"""Where the labels of points stand in a chart, so that none covers a point or another label."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.charts import unit_of

WIDTHS = (290, 420, 560)
"""Widths in pixels of the plots for which labels are placed: on a telephone, and beside another plot."""
RADIUS = 6
"""Pixels of a point."""
AWAY, UP = 9, 13
"""Pixels from the middle of a point to the beginning of a label beside it, and to the middle of one above or below."""
LETTER, LINE = 6.5, 12
"""Pixels of a letter, and of a line."""
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1))
"""Right, left, above and below, the first that is free: how many times AWAY to the right, and UP downwards."""


class Extent(NamedTuple):
    """What part of the plane a chart shows."""

    left: float
    right: float
    bottom: float
    top: float


class Box(NamedTuple):
    """Pixels that are taken."""

    left: float
    right: float
    above: float
    below: float

    def meets(self, other: "Box") -> bool:
        """Whether both take a pixel."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.above < other.below
            and other.above < self.below
        )


def places(
    points: Sequence[tuple[float, float]], labels: Sequence[str], extent: Extent
) -> list[tuple[int, int] | None]:
    """The side of each point on which its label stands, one of SIDES; None without a label or without room for it.

    Of two labels that would meet, the one of the earlier point stands.

    >>> extent = Extent(0, 1, 0, 1)
    >>> places([(0.5, 0.5), (0.55, 0.5)], ["1-1", "1-2"], extent), places([(0.1, 0.1)], [""], extent)
    ([(-1, 0), (1, 0)], [None])
    >>> places([(0.5, 0.5)] * 2, ["1-1", "1-2"], extent)
    [(1, 0), (-1, 0)]
    """
    plots = [list(_pixels(points, extent, width)) for width in WIDTHS]
    taken = [[_around(*place, RADIUS, RADIUS) for place in plot] for plot in plots]
    found: list[tuple[int, int] | None] = []
    for at, label in enumerate(labels):
        free = None
        for side in SIDES if label else ():
            boxes = [_label(*plot[at], len(label), side) for plot in plots]
            if not any(box.meets(other) for box, some in zip(boxes, taken, strict=True) for other in some):
                free = side
                for box, some in zip(boxes, taken, strict=True):
                    some.append(box)
                break
        found.append(free)
    return found


def _pixels(points: Sequence[tuple[float, float]], extent: Extent, width: float) -> Iterator[tuple[float, float]]:
    """The places of points in a plot of this width, to the right and downwards from its left upper corner."""
    unit = unit_of(*extent, width)
    yield from (((x - extent.left) / unit, (extent.top - y) / unit) for x, y in points)


def _around(x: float, y: float, half_width: float, half_height: float) -> Box:
    return Box(x - half_width, x + half_width, y - half_height, y + half_height)


def _label(x: float, y: float, letters: int, side: tuple[int, int]) -> Box:
    half = letters * LETTER / 2
    aside, down = side
    return _around(x + aside * (AWAY + half), y + down * UP, half, LINE / 2)
