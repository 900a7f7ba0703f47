"""A head's map of a sentence as a picture: a PNG with one pixel for each weight.

The chart is that of `generator.charts.maps`.
"""

import base64
import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from generator.charts.static.bars import END, MIDDLE
from generator.charts.static.plot import percent, plot, text
from generator.charts.theme import DARK, LIGHT, heat

STEP = 21
"""Pixels from token to token."""
SIDE = 7
"""About how many pixels wide a letter beside the map is."""
LONGEST = 16
"""The most letters of a token that are shown; a longer one is cut."""
LEVELS = 64
"""Colours that an eye can tell apart on a ramp."""
RAMPS = {
    scheme: [bytes(colour) for colour in heat(palette, np.linspace(0, 1, LEVELS)).tolist()]
    for scheme, palette in (("light", LIGHT), ("dark", DARK))
}
"""Scheme -> its colours from weight 0 to weight 1."""


def heat_map(labels: Sequence[str], weights: np.ndarray, label: str) -> str:
    """Weights `[query, key]` as colours, queries down and keys across: once for light pages, once for dark ones."""
    letters = max(len(shortened(token)) for token in labels) * SIDE
    above, tall = round(0.87 * letters) + 26, STEP * len(labels)
    # Not `href`: the theme sets that property of all elements with such an attribute, and on an SVG image this fails.
    pictures = (
        f'<image class="fg-{scheme}" width="100%" height="{tall}" preserveAspectRatio="none" xlink:href="{picture}"/>'
        for scheme, picture in zip(RAMPS, pngs(weights, [*RAMPS.values()]), strict=True)
    )
    before, after = _around(tuple(labels), letters, above)
    drawn = plot(label, above + tall + 4, letters + 34, before, *pictures, after)
    return f'{drawn}<p class="fg-note">0 <span class="fg-heat"></span> 1</p>'


@lru_cache(maxsize=64)
def _around(labels: tuple[str, ...], letters: int, above: int) -> tuple[str, str]:
    """What is written before and after the picture of a map; the same for all heads."""
    names = [shortened(label) for label in labels]
    keys = "".join(text(percent((at + 0.5) / len(names)), above - 6, name) for at, name in enumerate(names))
    queries = "".join(text("-6", STEP * (at + 0.5), name) for at, name in enumerate(names))
    key, middle = text("50%", 6, "key", f" {MIDDLE}"), STEP * len(names) // 2
    query = f'<text transform="translate({-letters - 20} {middle}) rotate(-90)" {MIDDLE}>query</text>'
    before = f'{key}<g class="fg-keys">{keys}</g><g transform="translate(0 {above})">'
    return before, f"<g {END}>{queries}</g>{query}</g>"


def pngs(weights: np.ndarray, ramps: Sequence[Sequence[bytes]]) -> Iterator[str]:
    """Data URLs of PNGs with one pixel for each weight from 0 to 1, one in the LEVELS colours of each ramp."""
    levels = np.rint(weights * (LEVELS - 1)).astype(int)
    # The palette has only the colours that occur, so a level is written as its rank among them.
    there = np.bincount(levels.ravel()) > 0
    rows = np.zeros((len(weights), weights.shape[1] + 1), np.uint8)
    rows[:, 1:] = (there.cumsum() - 1)[levels]  # a row of a PNG begins with its filter: 0 for none
    # Eight bits for each pixel, which are a place in a palette (3); not interlaced.
    size = struct.pack(">IIBBBBB", weights.shape[1], weights.shape[0], 8, 3, 0, 0, 0)
    before = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", size)
    after = _chunk(b"IDAT", zlib.compress(rows.tobytes())) + _chunk(b"IEND", b"")
    used = there.nonzero()[0].tolist()
    # Only the palettes differ, so the pixels are packed once.
    for colours in ramps:
        whole = before + _chunk(b"PLTE", b"".join([colours[level] for level in used])) + after
        yield f"data:image/png;base64,{base64.b64encode(whole).decode()}"


def _chunk(name: bytes, content: bytes) -> bytes:
    """A chunk of a PNG, with its length and its checksum."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def shortened(token: str) -> str:
    """A token, cut if it is longer than LONGEST."""
    return token if len(token) <= LONGEST else f"{token[: LONGEST - 1]}…"
