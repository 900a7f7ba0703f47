"""The card of a page, which other sites show beside a link to it: its title, what it says, and its first picture."""

import re
from html import unescape
from textwrap import wrap

from markupsafe import escape

from generator.charts.static.vega import size_of
from generator.charts.theme import LIGHT

WIDTH, HEIGHT, MARGIN = 1200, 630, 56
"""Pixels, as Open Graph has them."""
TITLE, TOLD = (50, 41), (27, 74)
"""Size of the letters in pixels, and about how many fill a line: of the title, and of the text below it."""
CAPTION = 84
"""Letters of the line below the picture, which says what it shows."""
NAME = re.compile("<title>(.*?)</title>", re.DOTALL)


def card(title: str, clause: str, picture: str) -> str:
    """The card as SVG; `picture` is SVG of any size, which is scaled to the room that the words leave, or empty."""
    y, words = MARGIN, ""
    for text, (size, letters), weight, colour in ((title, TITLE, 700, LIGHT.ink), (clause, TOLD, 400, LIGHT.muted)):
        for line in wrap(text, letters, max_lines=2, placeholder=" ..."):
            y += round(1.2 * size)
            words += (
                f'<text x="{MARGIN}" y="{y - 0.3 * size:g}" font-size="{size}" font-weight="{weight}" fill="{colour}">'
                f"{escape(line)}</text>"
            )
        y += 10
    drawn, line = _scaled(picture, y) if picture else ("", "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="{LIGHT.page}"/><rect width="100%" height="14" fill="{LIGHT.accent}"/>'
        f"{words}{drawn}"
        f'<g font-size="22" fill="{LIGHT.muted}"><text x="{MARGIN}" y="{HEIGHT - 24}">{escape(line)}</text>'
        f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - 24}" text-anchor="end">Fieldguide</text></g></svg>'
    )


def _scaled(picture: str, y: float) -> tuple[str, str]:
    """A picture in the room below `y`, and the line below it."""
    width, height = size_of(picture)
    shown = NAME.search(picture)
    assert shown  # every picture has a title
    across, down = WIDTH - 2 * MARGIN, HEIGHT - y - 78
    scale = min(across / width, down / height)
    left, top = MARGIN + (across - scale * width) / 2, y + 14 + (down - scale * height) / 2
    unclipped = picture.replace("<svg ", '<svg overflow="visible" ', 1)  # clipping would take a third of the time
    (line,) = wrap(unescape(shown[1]), CAPTION, max_lines=1, placeholder=" ...") or [""]
    return f'<g transform="translate({left:g} {top:g}) scale({scale:g})">{unclipped}</g>', line
