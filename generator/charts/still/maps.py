"""A head's map of a sentence as pictures: a PNG with one pixel for each weight, and lines between tokens.

The charts are those of `maps.py`.
"""

import base64
import struct
import zlib
from collections.abc import Sequence

import numpy as np
from markupsafe import escape

from generator.charts.still.plot import group, percent, pixels, plot, text
from generator.charts.theme import DARK, LIGHT, ramp

STEP = 21
"""Pixels from token to token."""
SIDE = 7
"""Pixels of a letter beside the map, about."""
LONGEST = 16
"""Letters of a token that there is room for."""
FAINT = 0.02
"""A weaker weight has no line."""
RAMPS = {"light": ramp(LIGHT), "dark": ramp(DARK)}
"""Scheme -> its colours from weight 0 to weight 1."""
END = ' text-anchor="end"'


def heat_map(labels: Sequence[str], weights: np.ndarray, label: str) -> str:
    """Weights `[query, key]` as colours, queries down and keys across: once for light pages, once for dark ones."""
    names = [_short(one) for one in labels]
    letters = max(map(len, names)) * SIDE
    above, tall = round(0.87 * letters) + 26, STEP * len(names)
    keys = (
        f'<svg x="{percent((at + 0.5) / len(names))}" class="fg-key">'
        f'<text transform="rotate(-60)">{escape(name)}</text></svg>'
        for at, name in enumerate(names)
    )
    pictures = (
        f'<image class="fg-{scheme}" width="100%" height="{tall}" preserveAspectRatio="none" '
        f'xlink:href="{png(weights, colours)}"/>'
        for scheme, colours in RAMPS.items()
    )
    # The theme sets the property `href` of all that has such an attribute, which a picture in SVG does not bear.
    drawn = plot(
        label,
        above + tall + 4,
        letters + 34,
        text("50%", 6, "key", ' text-anchor="middle"'),
        f'<g transform="translate(0 {above - 6})">',
        *keys,
        f'</g><g transform="translate(0 {above})">',
        *pictures,
        *(text("-6", STEP * (at + 0.5), name, END) for at, name in enumerate(names)),
        f'<text transform="translate({-letters - 20} {tall // 2}) rotate(-90)" text-anchor="middle">query</text></g>',
    )
    return f'{drawn}<p class="fg-note">0 <span class="fg-heat"></span> 1</p>'


def lines(labels: Sequence[str], weights: np.ndarray, label: str) -> str:
    """Queries on the left, keys on the right, a line for each weight that is not faint, stronger for more."""
    drawn = (
        f'<line x1="30%" x2="70%" y1="{pixels(STEP * (q + 0.5))}" y2="{pixels(STEP * (k + 0.5))}" '
        f'opacity="{round(weights[q, k].item(), 3):g}"/>'
        for q, k in np.argwhere(weights >= FAINT).tolist()
    )
    names = [_short(one) for one in labels]
    sides = (("30%", "-8", END), ("70%", "8", ""))
    told = (
        text(x, STEP * (at + 0.5), name, f' dx="{dx}"{more}') for x, dx, more in sides for at, name in enumerate(names)
    )
    colour = 'stroke="var(--fg-accent)" stroke-width="2.5" stroke-linecap="round"'
    return plot(label, STEP * len(names), 0, group(colour, drawn), group('font-size="13"', told))


def png(weights: np.ndarray, colours: Sequence[bytes]) -> str:
    """A picture of weights from 0 to 1, a pixel each, in these colours; its address holds it all."""
    levels, pixel = np.unique(np.rint(weights * (len(colours) - 1)).astype(int), return_inverse=True)
    rows = np.pad(pixel.reshape(weights.shape).astype(np.uint8), ((0, 0), (1, 0)))  # each row says first: no filter
    size = struct.pack(">IIBBBBB", weights.shape[1], weights.shape[0], 8, 3, 0, 0, 0)
    used = b"".join(colours[level] for level in levels.tolist())
    chunks = ((b"IHDR", size), (b"PLTE", used), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    whole = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in chunks
    )
    return f"data:image/png;base64,{base64.b64encode(whole).decode()}"


def _short(token: str) -> str:
    return token if len(token) <= LONGEST else f"{token[: LONGEST - 1]}…"
