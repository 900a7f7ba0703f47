"""How well one colour reads on another, by WCAG 2.2's contrast ratio, from 1 to 21, and how far two are apart."""

import re

import numpy as np

READABLE, DRAWN = 4.5, 3
"""Level AA for text, and for what is drawn."""
Colour = tuple[int, int, int]
SIGHT = {
    "all": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
"""Linear red, green and blue as people see them who lack a kind of cone (Machado et al. 2009, severity 1)."""
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LIGHTNESS = np.array(
    [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
    ]
)
"""CONES and LIGHTNESS lead to Oklab (Ottosson 2020), in which equal distances look about equally large."""


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
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), _linear(value), strict=True))


def apart(one: str, other: str, sight: str = "all") -> float:
    """How different two colours look, from 0 to 1 for black and white; 0.02 is about the least that is seen.

    `sight` is one of SIGHT.
    """
    seen = [np.clip(SIGHT[sight] @ _linear(colour(text)), 0, 1) for text in (one, other)]
    left, right = (LIGHTNESS @ np.cbrt(CONES @ light) for light in seen)
    return float(np.linalg.norm(left - right))


def _linear(value: Colour) -> list[float]:
    return [c / 12.92 if (c := part / 255) <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for part in value]
