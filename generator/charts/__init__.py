"""The charts of the site; here, the names and sizes that charts and their data share. Importing it loads no library."""

ROWS = "d"
"""The name of a chart's data."""
TOLD = "told"
"""The column that has a number and its interval as text: Vega cannot round a number to suit an interval."""
RIGHT, SHARE = "share that is right", "share"
"""What the bars of a head are: how often it is right, or how much of its attention or of its inputs."""
STEP = 30
"""Pixels from one bar of the charts `found` and `looked` to the next."""
NARROW = 420
"""Pixels below which the legend of a chart has fewer columns: those of a telephone."""
RING = 7
"""Pixels across the ring of a published number."""
PHASES_TALL, SERIES_TALL, HEADS_TALL = 280, 240, 220
"""Pixels between the ends of the plots of curves over layers: of phases, of few series, and of a measure's heads."""
SIGNATURES_TALL, NUMBERS_TALL = 280, 260
"""The same for curves over a course of training."""
LOWEST, HIGHEST = 220, 420
"""Pixels between which the height of a map of heads follows its width."""


def height_of(left: float, right: float, bottom: float, top: float, width: float) -> float:
    """The height in pixels of a map of heads of this width in pixels; the other four are the ends of what it shows."""
    return min(max(width * (top - bottom) / (right - left), LOWEST), HIGHEST)


def unit_of(left: float, right: float, bottom: float, top: float, width: float) -> float:
    """What a pixel of such a map is worth, across and down: all of this part of the plane is shown."""
    return max((right - left) / width, (top - bottom) / height_of(left, right, bottom, top, width))
