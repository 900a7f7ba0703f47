"""What the written pictures share: a plot as wide as its place, marks in it, and the ticks that Vega would choose.

Across the plot everything is placed in per cent, down it in pixels, so that text keeps its size on every screen.
Colours are the CSS variables of the page and follow its scheme.
"""

import math
from collections.abc import Iterable
from functools import lru_cache

from markupsafe import escape

PLOT = 200
"""Pixels between the ends of a plot of bars."""
ACROSS = 1000
"""Units from one end of a plot to the other; the browser stretches them to the width of its place."""


def plot(label: str, height: int, left: int, *parts: str) -> str:
    """SVG whose plot begins `left` pixels from its left side; what stands left of the plot has negative places."""
    named = f'role="img" aria-label="{escape(label)!s}"'
    return f'<svg class="fg-static" {named} height="{height}" style="padding-left:{left}px">{"".join(parts)}</svg>'


def stretched(height: int, *paths: str) -> str:
    """Paths in units of ACROSS and pixels, as wide as the plot."""
    ends = f'viewBox="0 0 {ACROSS} {height}" preserveAspectRatio="none"'
    return f'<svg class="fg-wide" {ends} width="100%" height="{height}">{"".join(paths)}</svg>'


def path(attributes: str, pieces: Iterable[str]) -> str:
    """One path of many pieces with these attributes; nothing where there are none."""
    whole = "".join(pieces)
    return f'<path {attributes} d="{whole}"/>' if whole else ""


def bar(left: float, top: float, right: float, bottom: float) -> str:
    """A filled piece of a path; left and right are parts of the width."""
    x = pixels(left * ACROSS)
    return f"M{x} {pixels(top)}H{pixels(right * ACROSS)}V{pixels(bottom)}H{x}z"


def line(left: float, top: float, right: float, bottom: float) -> str:
    """A piece of a path from end to end; left and right are parts of the width."""
    return f"M{pixels(left * ACROSS)} {pixels(top)} {pixels(right * ACROSS)} {pixels(bottom)}"


def percent(part: float) -> str:
    """A share of the width, in per cent.

    >>> percent(0.125), percent(1)
    ('12.5%', '100%')
    """
    return f"{round(100 * part, 2):g}%"


def drawn(value: float) -> float:
    """A number as fieldguide.js draws it: six digits are enough for an eye, and an axis ends where its own does.

    >>> drawn(0.30000000000000004)
    0.3
    """
    return float(f"{value:.6g}")


class _Tenths(dict[int, str]):
    """Tenths -> how they are written; kept, because there are few, and each is written thousands of times."""

    def __missing__(self, tenths: int) -> str:
        return self.setdefault(tenths, f"{tenths / 10:g}")


_TENTHS = _Tenths()


def pixels(length: float) -> str:
    """A length in pixels, rounded to a tenth.

    >>> pixels(12.04), pixels(7.25), pixels(-0.01)
    ('12', '7.2', '0')
    """
    return _TENTHS[round(10 * length)]


def text(x: str, y: float, content: str, more: str = "") -> str:
    """A text whose middle lies at `y`."""
    return f'<text x="{x}" y="{pixels(y)}"{more}>{escaped(content)}</text>'


@lru_cache(maxsize=1 << 12, typed=True)  # a text is not taken for HTML that equals it
def escaped(content: str) -> str:
    """A text with HTML escaped; kept, because all pages of a model have the same few names in their pictures."""
    return str(escape(content))


def step(top: float, count: int) -> float:
    """The distance between ticks if about `count` lie from 0 to `top`: 1, 2 or 5 times a power of ten, as D3 chooses.

    >>> step(0.83, 10), step(1, 5)
    (0.1, 0.2)
    """
    power = math.floor(math.log10(top / count))
    rest = top / count / 10.0**power
    factor = next((factor for factor, least in ((10, 50), (5, 10), (2, 2)) if rest >= math.sqrt(least)), 1)
    # Divided, since 5 / 10**6 is the float nearest to 0.000005, and 5 * 10.0**-6 is not.
    return factor * 10.0**power if power >= 0 else factor / 10.0**-power


def nice(left: float, right: float) -> tuple[float, float]:
    """The ends of an axis that reaches at least this far; from 0 to 1 where there is nothing to show.

    >>> nice(0, 0.83), nice(-0.02, 0.412)
    ((0.0, 0.9), (-0.05, 0.45))
    """
    before = 0.0
    # A wider axis may have wider steps, by which its ends are rounded again.
    while right > left and (value := step(right - left, 10)) != before:
        left, right = (round(side(end / value) * value, 12) for side, end in ((math.floor, left), (math.ceil, right)))
        before = value
    return (left, right) if right > left else (0.0, 1.0)


def ticks(left: float, right: float, count: int) -> list[tuple[float, str]]:
    """Where about `count` ticks stand between two ends, and what is written there.

    >>> ticks(-0.05, 0.45, 5)
    [(0.0, '0.0'), (0.1, '0.1'), (0.2, '0.2'), (0.3, '0.3'), (0.4, '0.4')]
    """
    value = step(right - left, count)
    digits = max(0, -math.floor(math.log10(value)))
    # A tick at an end stays where the quotient is off by a rounding error.
    places = range(math.ceil(left / value - 1e-9), math.floor(right / value + 1e-9) + 1)
    return [(round(at * value, 12), f"{at * value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")) for at in places]
