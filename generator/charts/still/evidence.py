"""The chart of `generator.charts.evidence` as a picture. It is written here and not drawn by Vega, because every claim
has one and each new model changes all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import escape

from generator.charts.still.plot import nice, pixels, ticks
from generator.charts.theme import FONT, LIGHT

STEP = 34
"""Pixels from row to row."""
ABOVE, BELOW = 7, 46
"""Pixels around the plot; the numbers of the axis and the caption stand below it."""
LONGEST = 140
"""Pixels that a name may take."""
SLIM, WIDE = frozenset(" !'(),-./:;I[]fijlrt|"), frozenset("mw%@…")
DOT = 5
"""Pixels from the middle of a dot to its edge."""
MIDDLE, END = 'text-anchor="middle"', 'text-anchor="end"'


def evidence(rows: Sequence[Mapping[str, Any]], settings: Mapping[str, Any], label: str, width: int) -> str:
    """SVG of the chart in the light scheme, `width` pixels wide; `rows` and `settings` are those of the chart."""
    names = list(dict.fromkeys(row["name"] for row in rows))
    start, stop = nice(settings["left"], settings["right"])
    marked = ticks(start, stop, 6)
    left = round(min(max(map(_width, names)), LONGEST)) + 12
    wide, tall = width - left - round(_width(marked[-1][1]) / 2) - 3, STEP * len(names)

    def x(value: float) -> str:
        return pixels((value - start) / (stop - start) * wide)

    def of(*columns: str) -> Iterator[tuple[int, list[str]]]:
        """For each row that has all of these columns: the height of its middle, and the places of the columns."""
        for row in rows:
            values = [row.get(column) for column in columns]
            if None not in values:
                yield (
                    round(STEP * (names.index(row["name"]) + 0.5)),
                    [x(value) for value in values if value is not None],
                )

    hollow = {round(STEP * (names.index(row["name"]) + 0.5)) for row in rows if row.get("hollow")}
    bounds = dict.fromkeys(at for name in ("bound", "second_bound") for _, (at,) in of(name))
    parts = (
        *(f'<path stroke="{LIGHT.line}" d="M{x(at)} 0V{tall + 5}"/>' for at, _ in marked),
        f'<path stroke="{LIGHT.line}" d="M0 {tall}H{wide}"/>',
        *(
            f'<path stroke="{LIGHT.muted}" stroke-width="1.5" stroke-dasharray="5,4" d="M{at} 0V{tall}"/>'
            for at in bounds
        ),
        *(
            f'<path stroke="{LIGHT.accent}" stroke-width="2" d="M{low} {y}H{high}"/>'
            for y, (low, high) in of("low", "high")
        ),
        *(
            f'<circle fill="{LIGHT.accent}" cx="{at}" cy="{y}" r="{DOT}"/>'
            if y not in hollow
            else f'<circle fill="{LIGHT.page}" stroke="{LIGHT.accent}" stroke-width="2" cx="{at}" cy="{y}" '
            f'r="{DOT - 1}"/>'
            for y, (at,) in of("value")
        ),
        *(f'<path stroke="{LIGHT.ink}" stroke-width="3" d="M{at} {y - 9}v18"/>' for y, (at,) in of("published")),
        f'<g fill="{LIGHT.ink}">',
        *(_text("-6", STEP * (at + 0.5) + 4, _short(name), END) for at, name in enumerate(names)),
        *(_text(x(at), tall + 20, name, MIDDLE) for at, name in _apart(marked, wide / (stop - start))),
        _text(pixels(wide / 2), tall + 40, settings["caption"], MIDDLE),
    )
    ends = f'width="{width}" height="{ABOVE + tall + BELOW}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {ends} viewBox="0 0 {width} {ABOVE + tall + BELOW}" role="img">'
        f'<title>{escape(label)}</title><rect width="{width}" height="{ABOVE + tall + BELOW}" fill="{LIGHT.page}"/>'
        f'<g transform="translate({left} {ABOVE})" font-family="{FONT}" font-size="12">{"".join(parts)}</g></g></svg>'
    )


def _text(x: str, y: float, content: str, anchor: str) -> str:
    return f'<text x="{x}" y="{pixels(y)}" {anchor}>{escape(content)}</text>'


def _short(name: str) -> str:
    if _width(name) <= LONGEST:
        return name
    return next(cut for end in range(len(name) - 1, -1, -1) if _width(cut := f"{name[:end]}…") <= LONGEST)


def _width(text: str) -> float:
    """About how many pixels wide a text is, in letters of the size that is drawn."""
    return sum(3.7 if one in SLIM else 9.3 if one in WIDE or one.isupper() else 6.6 for one in text)


def _apart(marked: list[tuple[float, str]], scale: float) -> list[tuple[float, str]]:
    """The numbers of an axis, thinned by halves until none touches the next; `scale` is pixels per unit."""
    while any((b - a) * scale < (_width(one) + _width(other)) / 2 for (a, one), (b, other) in pairwise(marked)):
        marked = marked[::2]
    return marked
