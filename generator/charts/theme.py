"""Every colour of the site, for light and dark, in one place.

Charts take theirs as Vega configuration and signals, pages as CSS variables; both are made from the same record.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif"
"""Fonts with the same letter widths, so that a text is equally wide on every system and where Vega draws alone."""

HEADER = "#0b4465"
"""The bar at the top of every page, in both schemes, with white text."""


@dataclass(frozen=True)
class Palette:
    """The colours of one scheme."""

    ink: str
    """Text and axes."""
    muted: str
    """Uniform references, secondary text: still readable on the page."""
    line: str
    """Grids and borders."""
    page: str
    """The page behind a chart."""
    cell: str
    """An empty square on the map of a model."""
    accent: str
    """Weights."""
    contrast: str
    """Norms, and whatever else stands against the accent."""
    ramp: tuple[str, ...]
    """Colours from zero to the top of a measure's range."""
    kinds: Mapping[str, str]
    """The colour of each kind of head."""
    verdicts: Mapping[str, str]
    """The colour of each verdict."""
    patterns: Mapping[str, str]
    """Shades of one colour for the patterns of maps, from the bottom of a bar up."""
    roles: Mapping[str, str]
    """The colour of each role of a token: far apart, since most points have no name beside them."""


LIGHT = Palette(
    ink="#1f2a2e",
    muted="#5f6b70",
    line="#d9e0e1",
    page="#ffffff",
    cell="#edf1f2",
    accent="#11698a",
    contrast="#68111c",
    ramp=("#f3f7f7", "#c5e0e0", "#86bfc8", "#4193ab", "#11698a", "#0b4465", "#0a2742"),
    kinds=MappingProxyType(
        {
            "relation": "#b3266e",
            "antecedent": "#3b3b98",
            "previous": "#1b7f79",
            "next": "#57a773",
            "self": "#8a6d3b",
            "begin": "#7b4fa3",
            "separator": "#1d5fa8",
            "punctuation": "#c4622d",
            "pattern": "#5aa9d6",
            "window": "#d99aa5",
            "broad": "#b8a12c",
            "cost": "#33414a",
            "none": "#b9c3c6",
        }
    ),
    verdicts=MappingProxyType(
        {"holds": "#2e7d32", "fails": "#b3261e", "inconclusive": "#b57f00", "not-testable": "#9aa5a9"}
    ),
    patterns=MappingProxyType(
        {
            "vertical": "#31162f",
            "diagonal": "#4c2f4a",
            "mixed": "#694a66",
            "block": "#876684",
            "heterogeneous": "#a684a2",
        }
    ),
    roles=MappingProxyType(
        {
            "hunter": "#f0600c",
            "separator": "#0000cc",
            "loner": "#020202",
            "insider": "#840000",
            "none": "#0c9cd8",
        }
    ),
)
DARK = Palette(
    ink="#e3e9ea",
    muted="#a3b0b4",
    line="#3a4448",
    page="#1e2129",
    cell="#2c333b",
    accent="#5bb8d4",
    contrast="#c4685a",
    ramp=("#242a33", "#24434f", "#256477", "#2f8aa0", "#56b3c3", "#98d8de", "#e2f7f5"),
    kinds=MappingProxyType(
        {
            "relation": "#f06fae",
            "antecedent": "#9a9aff",
            "previous": "#3fb5ac",
            "next": "#84cf9d",
            "self": "#c2a36a",
            "begin": "#b48be0",
            "separator": "#6aa5ee",
            "punctuation": "#f0935b",
            "pattern": "#8fd3f7",
            "window": "#a8515f",
            "broad": "#dcc95a",
            "cost": "#d5dde2",
            "none": "#55626a",
        }
    ),
    verdicts=MappingProxyType(
        {"holds": "#6fbf73", "fails": "#ff8a80", "inconclusive": "#e0b040", "not-testable": "#6b787d"}
    ),
    patterns=MappingProxyType(
        {
            "vertical": "#fce9fa",
            "diagonal": "#dcc9d9",
            "mixed": "#bcaab9",
            "block": "#9d8c9b",
            "heterogeneous": "#7f6e7d",
        }
    ),
    roles=MappingProxyType(
        {
            "hunter": "#c0a800",
            "separator": "#6c6cfc",
            "loner": "#fcfca8",
            "insider": "#cc2478",
            "none": "#3cccfc",
        }
    ),
)
SCHEMES: Mapping[str, Palette] = MappingProxyType({"default": LIGHT, "slate": DARK})
"""The palettes by the names that Material for MkDocs gives to colour schemes."""

COUNTED = {"weight": "accent", "norm": "contrast", "tokens": "muted"}
"""What is shown of a class of tokens -> the name of its colour."""
ROLES = {role: f"role_{role}" for role in LIGHT.roles}
"""Role of a token -> the name of its colour."""
FINDERS = {"best head": "accent", "best fixed offset": "muted", "untrained twins": "page"}
"""What finds the words of a relation -> the name of its colour."""
DIRECTIONS = {"more": "accent", "less": "contrast"}
"""Which way a number went -> the name of its colour."""
SYSTEMS = {
    "majority class": "muted",
    "frozen": "page",
    "random, fine-tuned": "contrast",
    "pre-trained, fine-tuned": "accent",
}
"""What is scored on a task -> the name of its colour."""
PRINTED = "published, BERT-base"
"""What a legend calls the ticks of scores that a paper prints; they have the colour of text."""
QUANTITIES = {
    "breadth": "kind_broad",
    "[CLS]": "kind_begin",
    "[SEP]": "kind_separator",
    "periods and commas": "kind_punctuation",
    "gain in syntax": "ink",
}
"""Quantity of a phase -> the name of its colour: that of the target it counts."""
PATTERNS = {pattern: f"pattern_{pattern}" for pattern in LIGHT.patterns}
"""Pattern of maps, from the bottom of a bar up -> the name of its colour."""


def vega_config(palette: Palette) -> dict[str, Any]:
    """Vega's configuration for a scheme; a chart itself names no colour."""
    text = {"labelColor": palette.ink, "titleColor": palette.ink, "labelFont": FONT, "titleFont": FONT}
    return {
        "text": {"font": FONT},
        "style": {"cell": {"stroke": "transparent"}},
        "axis": {
            **text,
            "domainColor": palette.line,
            "gridColor": palette.line,
            "tickColor": palette.line,
            "labelFontSize": 12,
            "labelPadding": 6,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        },
        "legend": {**text, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
        "range": {"heatmap": list(palette.ramp), "category": [palette.accent, palette.contrast, palette.muted]},
    }


def signals(palette: Palette) -> dict[str, str]:
    """Colours that charts use by name, as `alt.ExprRef`."""
    names = {name: getattr(palette, name) for name in ("ink", "muted", "accent", "contrast", "page")}
    for code, colours in codes(palette).items():
        names |= {f"{code}_{use.replace('-', '_')}": colour for use, colour in colours.items()}
    return names


def codes(palette: Palette) -> dict[str, Mapping[str, str]]:
    """What a colour stands for -> its colours by name; no two of these tables have a colour in common."""
    return {"kind": palette.kinds, "verdict": palette.verdicts, "pattern": palette.patterns, "role": palette.roles}


def heat(palette: Palette, shares: np.ndarray) -> np.ndarray:
    """Red, green and blue of the colours of the ramp, `[..., 3]` as bytes, at these shares of its length."""
    # The digits of red, green and blue in "#rrggbb".
    stops = np.array([[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in palette.ramp])
    places = np.clip(shares, 0, 1) * (len(stops) - 1)
    channels = [np.interp(places, range(len(stops)), channel) for channel in stops.T]
    return np.rint(np.stack(channels, -1)).astype(np.uint8)


def css() -> str:
    """The same colours for pages: variables for each scheme, and the classes of the kinds of heads and of verdicts."""
    blocks = [f'[data-md-color-primary="custom"] {{ --md-primary-fg-color: {HEADER}; --md-primary-bg-color: #fff; }}\n']
    for scheme, palette in SCHEMES.items():
        names = {
            name: getattr(palette, name) for name in ("ink", "muted", "line", "page", "cell", "accent", "contrast")
        }
        for code, colours in codes(palette).items():
            names |= {f"{code}-{use}": colour for use, colour in colours.items()}
        names["heat"] = f"linear-gradient(to right, {', '.join(palette.ramp)})"
        body = "".join(f"  --fg-{name}: {colour};\n" for name, colour in names.items())
        blocks.append(f'@media screen {{ [data-md-color-scheme="{scheme}"] {{\n{body}}} }}\n')
        # Paper is white, whatever scheme the screen has.
        if palette is LIGHT:
            blocks.append(f"@media print {{ [data-md-color-scheme] {{\n{body}}} }}\n")
    filled = [*(f"kind-{kind}" for kind in LIGHT.kinds), *(f"verdict-{verdict}" for verdict in LIGHT.verdicts)]
    blocks += [f".fg-{name} {{ background-color: var(--fg-{name}); }}\n" for name in filled]
    return "".join(blocks)
