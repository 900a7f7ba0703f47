"""A head's map of a sentence as pictures: a PNG with one pixel for each weight, and lines between tokens.

The charts are those of `maps.py`.
"""

import base64
import struct
import zlib
from collections.abc import Sequence

import numpy as np

from generator.charts.still.bars import END, MIDDLE
from generator.charts.still.plot import ACROSS, path, percent, pixels, plot, stretched, text
from generator.charts.theme import DARK, LIGHT, ramp

STEP = 21
"""Pixels from token to token."""
SIDE = 7
"""About how many pixels wide a letter beside the map is."""
LONGEST = 16
"""The most letters of a token that are shown; a longer one is cut."""
FAINT = 0.02
"""A weaker weight has no line."""
LEVELS = 64
"""Colours that an eye can tell apart on a ramp."""
RAMPS = {"light": ramp(LIGHT, LEVELS), "dark": ramp(DARK, LEVELS)}
"""Scheme -> its colours from weight 0 to weight 1."""


def heat_map(labels: Sequence[str], weights: np.ndarray, label: str) -> str:
    """Weights `[query, key]` as colours, queries down and keys across: once for light pages, once for dark ones."""
    names = [_short(one) for one in labels]
    letters = max(map(len, names)) * SIDE
    above, tall = round(0.87 * letters) + 26, STEP * len(names)
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
        text("50%", 6, "key", f" {MIDDLE}"),
        '<g class="fg-keys">',
        *(text(percent((at + 0.5) / len(names)), above - 6, name) for at, name in enumerate(names)),
        f'</g><g transform="translate(0 {above})">',
        *pictures,
        f"<g {END}>",
        *(text("-6", STEP * (at + 0.5), name) for at, name in enumerate(names)),
        f'</g><text transform="translate({-letters - 20} {tall // 2}) rotate(-90)" {MIDDLE}>query</text></g>',
    )
    return f'{drawn}<p class="fg-note">0 <span class="fg-heat"></span> 1</p>'


def lines(labels: Sequence[str], weights: np.ndarray, label: str) -> str:
    """Queries on the left, keys on the right, a line for each weight that is not faint, stronger for more."""
    shades: dict[float, list[str]] = {}
    names = [_short(one) for one in labels]
    heights, rows = [pixels(STEP * (at + 0.5)) for at in range(len(names))], weights.tolist()
    for q, k in np.argwhere(weights >= FAINT).tolist():
        shades.setdefault(round(rows[q][k], 2), []).append(f"M0 {heights[q]} {ACROSS} {heights[k]}")
    tall = STEP * len(names)
    sides = (("30%", "-8", f" {END}"), ("70%", "8", ""))
    told = (
        f'<svg x="{x}" class="fg-side"{anchor}>'
        f"{''.join(text(dx, STEP * (at + 0.5), name) for at, name in enumerate(names))}</svg>"
        for x, dx, anchor in sides
    )
    colour = 'stroke="var(--fg-accent)" stroke-width="2.5" stroke-linecap="round"'
    drawn = (path(f'opacity="{shade:g}"', some) for shade, some in sorted(shades.items()))
    between = stretched(tall, f"<g {colour}>", *drawn, "</g>", place='x="30%" width="40%"')
    return plot(label, tall, 0, between, *told)


def png(weights: np.ndarray, colours: Sequence[bytes]) -> str:
    """A data URL of a PNG with one pixel for each weight from 0 to 1, in these colours."""
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
