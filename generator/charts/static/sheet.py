"""The pictures that are written into a page, also as one SVG file, so that other pages can show one of them.

`figures.svg#offsets` shows the picture of that name alone, `figures.svg#offsets-dark` in dark colours, and
`figures.svg` all of them below each other.
"""

import re
from collections.abc import Iterable

from generator.charts.theme import DARK, FONT, LIGHT, Palette

FILE = "figures.svg"
WIDTH, EDGE = 600, 10
"""Width of a picture in pixels, and its distance from the edges of its view."""
STATIC = re.compile(
    r'<svg class="fg-static" role="img" aria-label="([^"]*)" height="(\d+)" style="padding-left:(\d+)px">(.*)</svg>',
    re.DOTALL,
)
STYLE = f"""svg{{overflow:visible}}
text{{font:12px {FONT};fill:var(--fg-ink);dominant-baseline:central}}
.fg-wide path{{vector-effect:non-scaling-stroke}}
.fg-keys text{{transform-box:fill-box;transform-origin:0 50%;transform:rotate(-60deg)}}
image{{image-rendering:pixelated}}
.fg-light{{opacity:var(--light)}}
.fg-dark{{opacity:var(--dark)}}"""


def sheet(pictures: Iterable[tuple[str, str]]) -> str:
    """Named pictures of `plot.plot`, light ones below each other and dark ones beside them."""
    drawn, views, top = "", "", 0
    for name, picture in pictures:
        found = STATIC.search(picture)
        assert found  # every picture was made by plot.plot
        label, height, left = found[1], int(found[2]) + 2 * EDGE, int(found[3])
        place = f'x="{left + EDGE}" y="{top + EDGE}" width="{WIDTH - left - 2 * EDGE}" height="{found[2]}"'
        drawn += f"<svg {place}><title>{label}</title>{found[4]}</svg>"
        for ending, x in (("", 0), ("-dark", WIDTH)):
            views += f'<view id="{name}{ending}" viewBox="{x} {top} {WIDTH} {height}"/>'
        top += height
    ends = f'viewBox="0 0 {WIDTH} {top}"'
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return (
        f'<svg {spaces} {ends}><style>{STYLE}</style>{views}<g style="{_colours(LIGHT)};--light:1;--dark:0">'
        f'{_page(0, top)}<g id="all">{drawn}</g></g><g style="{_colours(DARK)};--light:0;--dark:1">{_page(WIDTH, top)}'
        # Drawn once: the dark half repeats it in its own colours.
        f'<use href="#all" x="{WIDTH}"/></g></svg>'
    )


def _page(left: int, height: int) -> str:
    return f'<rect x="{left}" width="{WIDTH}" height="{height}" fill="var(--fg-page)"/>'


def _colours(palette: Palette) -> str:
    names = ("ink", "muted", "line", "page", "accent", "contrast")
    return ";".join(f"--fg-{name}:{getattr(palette, name)}" for name in names)
