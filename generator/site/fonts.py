"""The letters in which pages are read: Source Serif, cut down to what is written in Latin letters.

They come from a package and are served with the site, so that a page asks nobody else for them. Its licence, the SIL
Open Font License, lets a font be cut down under another name, and goes with it.
"""

import hashlib
from collections.abc import Mapping
from functools import partial
from importlib import metadata, resources
from io import BytesIO
from pathlib import Path

from generator.cache import Cache

PACKAGE = resources.files("fontpkg_source_serif_4")

FAMILY = "Fieldguide Serif"
"""The name of what is left; the licence reserves the original's."""
FACES: Mapping[str, tuple[str, str, tuple[int, int] | int]] = {
    "serif.woff2": ("SourceSerif4[opsz,wght].ttf", "normal", (400, 700)),
    "serif-italic.woff2": ("SourceSerif4-Italic[opsz,wght].ttf", "italic", 400),
}
"""Name of a file of the site -> the original, its style, and the weights that are left of it."""
LICENCE = "serif-license.txt"
SIZE = 14
"""The optical size, in points, for which letters are drawn."""
RANGES = ((0x20, 0x7E), (0xA0, 0x17F), (0x2010, 0x2026), (0x2190, 0x2193), (0x2212, 0x2212), (0x2260, 0x2265))
"""Code points from and to: Latin letters and their accents, punctuation, arrows, and signs of arithmetic."""
KERNED = ("ccmp", "kern", "liga", "mark")
COPYRIGHT, LICENSED, LICENSED_AT = 0, 13, 14
"""Names that stay, by their numbers in OpenType."""
NAMED = {1: FAMILY, 4: FAMILY, 6: FAMILY.replace(" ", "")}


def fonts(kept: Cache) -> dict[str, str | bytes]:
    """Name -> content of the fonts that pages load, and of their licence. To cut them takes seconds: `kept` has those
    that earlier builds have cut of the same originals in the same way. Raises OSError.
    """
    licence = PACKAGE.joinpath("LICENSE").read_text(encoding="utf-8")
    return {LICENCE: licence} | {name: kept.get(made_of(name), partial(cut, name)) for name in FACES}


def made_of(name: str) -> str:
    """Names all that decides what a font is: the original, how it is cut, and the libraries that do it."""
    parts = (_original(name), Path(__file__).read_bytes())
    libraries = (f"{library} {metadata.version(library)}" for library in ("brotli", "fonttools"))
    return " ".join([name, *(hashlib.sha256(part).hexdigest() for part in parts), *libraries])


def cut(name: str) -> bytes:
    """The font of this name, cut from the original."""
    from fontTools.subset import Options, Subsetter  # noqa: PLC0415 - loads what a build without changes does not need
    from fontTools.ttLib import TTFont  # noqa: PLC0415
    from fontTools.varLib.instancer import instantiateVariableFont  # noqa: PLC0415

    options = Options(layout_features=[*KERNED], hinting=False, name_IDs=[COPYRIGHT, LICENSED, LICENSED_AT])
    # With the original's time stamp, so that the same letters give the same bytes.
    font = TTFont(BytesIO(_original(name)), recalcTimestamp=False)
    subset = Subsetter(options)
    subset.populate(unicodes=[point for first, last in RANGES for point in range(first, last + 1)])
    subset.subset(font)
    font = instantiateVariableFont(font, {"opsz": SIZE, "wght": FACES[name][2]})
    for number, text in NAMED.items():
        # The record of Windows, in Unicode, in American English.
        font["name"].setName(text, number, 3, 1, 0x409)
    font.flavor = "woff2"
    written = BytesIO()
    font.save(written)
    return written.getvalue()


def faces() -> str:
    """The part of the style sheet that names the fonts, which lie beside it."""
    return "".join(map(_face, FACES))


def _face(name: str) -> str:
    _, style, weights = FACES[name]
    weight = weights if isinstance(weights, int) else " ".join(map(str, weights))
    return (
        f'@font-face {{ font-family: "{FAMILY}"; src: url("{name}") format("woff2"); font-style: {style}; '
        f"font-weight: {weight}; font-display: fallback; }}\n"
    )


def _original(name: str) -> bytes:
    return PACKAGE.joinpath("files", FACES[name][0]).read_bytes()
