"""How well one colour reads on another: WCAG 2.2's contrast ratio, from 1 to 21."""

import re

READABLE = 4.5
"""Level AA for text."""
Colour = tuple[int, int, int]


def colour(text: str) -> Colour:
    """Read `#rrggbb` or `rgb(r, g, b)`."""
    if text.startswith("#"):
        return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
    red, green, blue = (int(part) for part in re.findall(r"\d+", text)[:3])
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """The ratio of the lighter to the darker luminance, each raised by 0.05."""
    dark, light = sorted((luminance(colour(one)), luminance(colour(other))))
    return (light + 0.05) / (dark + 0.05)


def luminance(value: Colour) -> float:
    """Relative luminance: 0 for black, 1 for white."""
    linear = [c / 12.92 if (c := part / 255) <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for part in value]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
