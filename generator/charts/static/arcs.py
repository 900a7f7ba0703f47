"""A sentence with its arcs: who looks at whom, as one picture in the page.

A word and the arcs that leave it are one group, so that a style sheet can show these alone while a reader points at the
word or has moved to it by keyboard; no script is needed. Arrow heads are the marker that the page defines once.
"""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

from generator.charts.static.maps import shortened
from generator.charts.static.plot import escaped
from generator.charts.theme import LIGHT

LETTER, WIDE = 11.4, 19.0
"""About how many pixels a letter of a broad serif takes at the size in the style sheet, and one of the scripts that are
twice as wide.
"""
NARROW, BROAD = frozenset("iljtfrI.,;:'!|()[] "), frozenset("mwMW@")
"""Letters that take six tenths of that, and half as much again."""
GAP = 12.0
"""Pixels between words."""
LOWEST, STEEP = 4.0, 5.0
"""The height of an arc grows with the root of its width."""
BELOW = 30.0
"""Pixels below the feet of the arcs, for the words."""
ROOM, LARGEST = 700.0, 1.35
"""A sentence that is narrower than so many pixels is drawn larger, up to this."""
FAINT = 0.1
"""An arc with less weight is not drawn, unless it is pointed out."""
HEAD = 5
"""Half of the width of an arrow's head."""
TIP = "fg-tip"
"""The name of the marker that is the head of a grey arc."""
SPOKEN = re.compile(
    r"<title>.*?</title>| (?:tabindex|role|aria-label|style|marker-end)=\"[^\"]*\"| class=\"fg-arcs-[dw][^\"]*\""
)
"""What a page's styles, its keyboard and its voices need of the picture."""


class Arc(NamedTuple):
    """A weight from one token to another."""

    start: int
    end: int
    weight: float
    named: bool = False
    """Whether it is in colour; all others are grey."""
    hue: str = ""
    """The kind of head whose colour it has, if that is not the colour of the line."""


class Line(NamedTuple):
    """A sentence and its arcs."""

    words: Sequence[str]
    arcs: Sequence[Arc]
    kind: str = "none"
    """The kind of head whose colour its named arcs have."""
    dimmed: frozenset[int] = frozenset()
    """The places of special tokens."""


def arcs(line: Line, label: str) -> str:
    """SVG of a sentence with its arcs, those without a colour below the others."""
    names = [shortened(name) for name in line.words]
    widths = [sum(map(_wide, name)) for name in names]
    starts = [GAP / 2]
    for width in widths:
        starts.append(starts[-1] + width + GAP)
    # There is one start more than words: the end of the sentence.
    centres = [start + width / 2 for start, width in zip(starts, widths, strict=False)]
    drawn = [arc for arc in line.arcs if arc.named or (arc.weight >= FAINT and arc.start != arc.end)]
    # A cubic curve whose two control points are equally high reaches three quarters of their height.
    foot = max([_height(centres, arc) for arc in drawn], default=0) * 0.75 + 18
    named = [arc.start for arc in drawn if arc.named]
    single, source = len(named) == 1, named[0] if len({*named}) == 1 else -1
    groups = "".join(
        _word(
            at,
            names=names,
            centres=centres,
            foot=foot,
            drawn=drawn,
            dim=at in line.dimmed,
            single=single,
            source=source,
        )
        for at in range(len(names))
    )
    width, height = starts[-1], foot + BELOW
    zoom = min(max(ROOM / width, 1), LARGEST)
    size = f'width="{whole(zoom * width)}" height="{whole(zoom * height)}"'
    colour = f'style="--hue:var(--fg-kind-{line.kind});--wide:{whole(width)}px"'
    text = f'role="group" aria-label="{escaped(label)}"'
    box = f'viewBox="0 0 {whole(width)} {whole(height)}"'
    return f'<svg class="fg-arcs-drawn" {box} {size} {colour} {text} marker-end="url(#{TIP})">{groups}</svg>'


def standing(line: Line, label: str) -> str:
    """SVG of a sentence with its arcs that stands without a page: it has the colours in itself, and a label."""
    hue = LIGHT.kinds[line.kind]
    drawn = SPOKEN.sub("", arcs(line, label))
    # The order matters: the second looks for what the first has written.
    for old, new in {
        "<text ": f'<text stroke="none" fill="{LIGHT.ink}" text-anchor="middle" ',
        f'fill="{LIGHT.ink}" text-anchor="middle" class="fg-arcs-share"': f'fill="{hue}" text-anchor="middle" '
        'font-size="14" font-weight="600"',
        'class="fg-hue"': f'stroke="{hue}"',
        'class="fg-tip"': f'stroke="none" fill="{hue}"',
    }.items():
        drawn = drawn.replace(old, new)
    opens = f'<svg xmlns="http://www.w3.org/2000/svg" fill="none" stroke="{LIGHT.muted}" font-size="19"'
    return drawn.replace("<svg", opens, 1).replace(">", f"><title>{escaped(label)}</title>", 1)


def _wide(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return WIDE
    return LETTER * (0.6 if letter in NARROW else 1.5 if letter in BROAD else 1)


def _height(centres: Sequence[float], arc: Arc) -> float:
    return LOWEST + STEEP * math.sqrt(abs(centres[arc.end] - centres[arc.start]))


def whole(length: float) -> str:
    """A length in whole pixels, which is fine enough for a curve."""
    return f"{length:.0f}"


def rounded(share: float) -> str:
    """A share in per cent.

    >>> rounded(0.287)
    '29 %'
    """
    return f"{100 * share:.0f} %"


def _word(
    at: int,
    names: Sequence[str],
    centres: Sequence[float],
    foot: float,
    drawn: Sequence[Arc],
    dim: bool,
    single: bool,
    source: int,
) -> str:
    """A word and the arcs from it, the strongest in colour last and with a head; the share of a single one is written.

    `source` is the place of the word from which all that are in colour come; then each has a head.
    """
    mine = sorted((arc for arc in drawn if arc.start == at), key=lambda arc: (arc.named, arc.weight))
    paths = "".join(_path(arc, centres, foot, tip=arc is mine[-1] or at == source, labelled=single) for arc in mine)
    text = ", ".join(f"{names[arc.end]} {rounded(arc.weight)}" for arc in mine[::-1])
    title = f"<title>{escaped(f'{names[at]}: {text}' if text else names[at])}</title>"
    style = " fg-arcs-from" if at == source else " fg-arcs-dim" if dim else ""
    word = f'<text x="{whole(centres[at])}" y="{whole(foot + 20)}">{escaped(names[at])}</text>'
    return f'<g class="fg-arcs-word{style}" tabindex="0" role="img">{title}{paths}{word}</g>'


def _path(arc: Arc, centres: Sequence[float], foot: float, *, tip: bool, labelled: bool) -> str:
    left, right = centres[arc.start], centres[arc.end]
    # The feet move towards each other, so that arcs to both sides of a word do not meet at it.
    lean = 4.0 if right > left else -4.0 if right < left else 0.0
    left, right, top = left + lean, right - lean, foot - _height(centres, arc)
    sides = whole(left), whole(top), whole(right), whole(top), whole(right), whole(foot)
    hue = f' style="--hue:var(--fg-kind-{arc.hue})"' if arc.hue else ""
    colour = f'class="fg-hue"{hue}' if arc.named else f'opacity="{0.2 + 0.6 * arc.weight:.1g}"'
    thick = f'stroke-width="{1 + 4 * arc.weight:.2g}"'
    shape = f'<path d="M{whole(left)} {whole(foot)}C{" ".join(sides)}" {thick} {colour}/>'
    if not arc.named or not tip:
        return shape
    end = f"M{whole(right - HEAD)} {whole(foot - 7)}h{whole(2 * HEAD)}L{whole(right)} {whole(foot + 1)}z"
    shape += f'<path class="fg-tip" d="{end}"{hue}/>'
    if not labelled:
        return shape
    place = f'x="{whole((left + right) / 2)}" y="{whole(foot - 0.75 * (foot - top) - 6)}"'
    return f'{shape}<text class="fg-arcs-share" {place}>{rounded(arc.weight)}</text>'
