"""What the pictures share that are written as files: a plot in its picture, the axes and the legend around it.

Colours are those of one scheme. Places are pixels from the upper left corner of the plot.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from markupsafe import escape

from generator.charts import NARROW
from generator.charts.still.plot import escaped, pixels, ticks
from generator.charts.theme import FONT, Palette

SLIM, WIDE = frozenset(" !'(),-./:;I[]fijlrt|"), frozenset("mw%@…")
ROW = 17
"""Pixels of a row of a legend."""
THICK = 10
"""Pixels from the upper to the lower edge of the bar that explains the colours of the ramp."""
SHARP = 'fill="none" shape-rendering="crispEdges"'
"""Style of the lines of axes: as thin as they can be, wherever between two pixels of a screen they lie."""
MIDDLE, END = ' text-anchor="middle"', ' text-anchor="end"'
Tick = tuple[float, str]
"""A place on an axis, and what is written there."""


class Upward(NamedTuple):
    """The numbers from the lower to the upper end of a plot of `tall` pixels."""

    start: float
    stop: float
    tall: int

    def y(self, value: float) -> float:
        """Pixels from the top; what lies beyond an end is put there."""
        return self.tall * (self.stop - min(max(value, self.start), self.stop)) / (self.stop - self.start)

    def marked(self) -> list[Tick]:
        """What stands on the axis on the left, about 40 pixels apart."""
        return [(self.y(at), name) for at, name in ticks(self.start, self.stop, -(-self.tall // 40))]


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

    def left_axis(self, marked: Sequence[Tick], title: str, *, grid: bool = True) -> str:
        """The axis on the left of the plot with its title, which is turned."""
        lines = "".join(f"M-5 {pixels(at)}H{self.wide if grid else 0}" for at, _ in marked)
        return (
            f'<path stroke="{self.palette.line}" {SHARP} d="{lines}M0 0V{self.tall}"/>'
            f"{''.join(text(-11, at + 4, name, END) for at, name in marked if name)}"
            f"{self.turned(title) if title else ''}"
        )

    def turned(self, title: str) -> str:
        """The title of the axis on the left, which is read from below."""
        place = f"translate({12 - self.left} {pixels(self.tall / 2)}) rotate(-90)"
        return f'<text{MIDDLE} transform="{place}">{escape(title)}</text>'

    def legend(self, named: Sequence[tuple[str, str]], columns: int, symbol: str, style: str = "") -> str:
        """Name and colour of each entry, in rows above the plot; `symbol` is the path of one around its middle, and
        `style` what it has apart from its colour.
        """
        across = [column_width([name for name, _ in named[at::columns]]) for at in range(columns)]
        drawn = ""
        for place, (name, colour) in enumerate(named):
            x = sum(across[: place % columns]) + 6
            y = 14 - self.above + ROW * (place // columns)
            drawn += f'<path fill="{colour}"{style} transform="translate({pixels(x)} {y})" d="{symbol}"/>'
            drawn += text(x + 10, y + 4, name)
        return drawn

    def gradient(self, length: int, y: float, marked: Sequence[Tick], style: str = "") -> str:
        """All colours of the ramp in a bar, and below it what is written at these places."""
        last = len(self.palette.ramp) - 1
        stops = "".join(
            f'<stop offset="{at / last:.4g}" stop-color="{colour}"/>' for at, colour in enumerate(self.palette.ramp)
        )
        return (
            f'<linearGradient id="ramp">{stops}</linearGradient>'
            f'<rect fill="url(#ramp)"{style} y="{pixels(y)}" width="{length}" height="{THICK}"/>'
            + "".join(
                text(at, y + THICK + 11, name, END if at == length else MIDDLE if at else "") for at, name in marked
            )
        )


CIRCLE, SQUARE = "M-5 0a5 5 0 1 1 10 0a5 5 0 1 1-10 0z", "M-5-5h10v10h-10z"
"""Symbols of legends, as paths around their middle."""


def column_width(names: Sequence[str]) -> float:
    """Pixels of a column of a legend that has these names."""
    return max(map(width_of, names), default=0) + 30


def margin(names: Iterable[str], title: str = "") -> int:
    """Pixels on the left of a plot that the axis there takes with these names."""
    return round(max(map(width_of, names), default=0)) + (33 if title else 15)


def legend_columns(wide: float, most: int, narrow: int = 2) -> int:
    """The columns of a legend as `generator.charts.parts.legend_columns` has them, for a chart so many pixels wide."""
    return narrow if wide < NARROW else most


def legend_height(entries: int, columns: int) -> int:
    """Pixels above the plot that a legend takes, with its distance from the plot."""
    return ROW * -(-entries // columns) + 16


def dots(style: str, radius: float, places: Iterable[tuple[float, float]]) -> str:
    """Circles of one style around these places; nothing where there are none."""
    drawn = "".join(f'<circle cx="{pixels(x)}" cy="{pixels(y)}" r="{radius}"/>' for x, y in places)
    return f"<g {style}>{drawn}</g>" if drawn else ""


def text(x: float, y: float, content: str, more: str = "") -> str:
    """A text whose letters stand on the line `y`."""
    return f'<text x="{pixels(x)}" y="{pixels(y)}"{more}>{escaped(content)}</text>'


@lru_cache(maxsize=1 << 12)
def width_of(content: str) -> float:
    """About how many pixels wide a text is, in letters of the size that is drawn."""
    return sum(3.7 if one in SLIM else 9.3 if one in WIDE or one.isupper() else 6.6 for one in content)


@lru_cache(maxsize=1 << 12)
def shortened(name: str, longest: float) -> str:
    """The name, cut so that it is at most `longest` pixels wide."""
    if width_of(name) <= longest:
        return name
    return next(cut for end in range(len(name) - 1, -1, -1) if width_of(cut := f"{name[:end]}…") <= longest)


def apart(marked: Sequence[Tick]) -> Sequence[Tick]:
    """What is written on an axis, thinned by halves until each is some pixels from the next."""
    while any(b - a < (width_of(one) + width_of(other)) / 2 + 4 for (a, one), (b, other) in pairwise(marked)):
        marked = marked[::2]
    return marked
