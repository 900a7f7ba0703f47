"""A plot in its picture, with the axis below it.

Colours are those of one scheme. Places are pixels from the upper left corner of the plot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from markupsafe import escape

from generator.charts.static.plot import escaped, pixels
from generator.charts.theme import FONT, Palette

SLIM, WIDE = frozenset(" !'(),-./:;I[]fijlrt|"), frozenset("mw%@…")
SHARP = 'fill="none" shape-rendering="crispEdges"'
"""Style of the lines of axes: as thin as they can be, wherever between two pixels of a screen they lie."""
MIDDLE, END = ' text-anchor="middle"', ' text-anchor="end"'
Tick = tuple[float, str]
"""A place on an axis, and what is written there."""


@dataclass(frozen=True)
class Frame:
    """A plot of `tall` pixels in a picture of `width`, with room for what stands around it."""

    palette: Palette
    width: int
    tall: int
    left: int
    right: int = 4
    above: int = 7
    below: int = 46

    @property
    def wide(self) -> int:
        """Pixels across the plot."""
        return self.width - self.left - self.right

    def svg(self, label: str, *parts: str) -> str:
        """The picture as SVG; `label` says what it shows."""
        height = self.above + self.tall + self.below
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{height}" '
            f'viewBox="0 0 {self.width} {height}" role="img"><title>{escape(label)}</title>'
            f'<rect width="{self.width}" height="{height}" fill="{self.palette.page}"/>'
            f'<g transform="translate({self.left} {self.above})" font-family="{FONT}" font-size="12" '
            f'fill="{self.palette.ink}">{"".join(parts)}</g></svg>'
        )

    def below_axis(self, marked: Sequence[Tick], title: str, *, grid: bool = False) -> str:
        """The axis below the plot with its title; ticks are lines through the plot if it is to have a `grid`."""
        top = 0 if grid else self.tall
        middle = min(self.wide / 2, self.wide + self.right - 3 - width_of(title) / 2)  # a long one goes to the left
        lines = "".join(f"M{pixels(at)} {top}V{self.tall + 5}" for at, _ in marked)
        return (
            f'<path stroke="{self.palette.line}" {SHARP} d="{lines}M0 {self.tall}H{self.wide}"/>'
            f"{''.join(text(at, self.tall + 20, name, MIDDLE) for at, name in apart(marked))}"
            f"{text(middle, self.tall + 38, title, MIDDLE) if title else ''}"
        )


def text(x: float, y: float, content: str, more: str = "") -> str:
    """A text whose letters stand on the line `y`."""
    return f'<text x="{pixels(x)}" y="{pixels(y)}"{more}>{escaped(content)}</text>'


@lru_cache(maxsize=1 << 12)
def width_of(content: str) -> float:
    """About how many pixels wide a text is, in letters of the size that is drawn."""
    return sum(3.7 if letter in SLIM else 9.3 if letter in WIDE or letter.isupper() else 6.6 for letter in content)


@lru_cache(maxsize=1 << 12)
def shortened(name: str, longest: float) -> str:
    """The name, cut so that it is at most `longest` pixels wide."""
    if width_of(name) <= longest:
        return name
    return next(cut for end in range(len(name) - 1, -1, -1) if width_of(cut := f"{name[:end]}…") <= longest)


def apart(marked: Sequence[Tick]) -> Sequence[Tick]:
    """What is written on an axis, thinned by halves until each is some pixels from the next."""
    while any(b - a < (width_of(name) + width_of(other)) / 2 + 4 for (a, name), (b, other) in pairwise(marked)):
        marked = marked[::2]
    return marked
