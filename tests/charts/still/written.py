"""The parts of a picture that is written as a file, each with the style that it has from what is around it."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

from generator.charts.still.frame import width_of

TAKEN = "opacity", "fill-opacity", "stroke-opacity", "stroke-width", "stroke", "fill", "stroke-dasharray", "font-size"
"""Attributes that parts have from what is around them."""
MOVED = re.compile(r"translate\((\d+) (\d+)\)")
AXIS = re.compile(r"M0 ([\d.]+)H([\d.]+)$")
"""Matches the end of the path of the axis below a plot."""
RGB = re.compile(r"rgb\((\d+), (\d+), (\d+)\)")


class Picture:
    """A written picture; `wide` and `tall` are pixels of its plot."""

    def __init__(self, svg: str) -> None:
        self.parts = list(_parts(ET.fromstring(svg.replace(" xmlns=", " class=")), {}))
        size = [float(self.parts[0][side]) for side in ("width", "height")]
        moved = next(found for one in self.parts if (found := MOVED.fullmatch(one.get("transform", ""))))
        left, above = map(float, moved.groups())
        self.edges = -left, size[0] - left, -above, size[1] - above
        axes = [AXIS.search(one["d"]) for one in self.all("path") if "stroke-dasharray" not in one]
        self.tall, self.wide = max(tuple(map(float, one.groups())) for one in axes if one)

    def all(self, tag: str) -> list[dict[str, str]]:
        """Attributes of all parts of this kind, and their text as `text`."""
        return [one for one in self.parts if one["tag"] == tag]

    def texts(self) -> list[str]:
        """All that is written in it."""
        return [one["text"] for one in self.all("text")]

    def crowded(self) -> list[str]:
        """Which texts leave the picture or cover each other, about."""
        boxes = [_box(one) for one in self.all("text") if "transform" not in one]
        left, right, above, below = self.edges
        return [name for name, box in boxes if box[0] < left or box[1] > right or box[2] < above or box[3] > below] + [
            f"{name} {other}"
            for (name, one), (other, two) in combinations(boxes, 2)
            if one[0] < two[1] and two[0] < one[1] and one[2] < two[3] and two[2] < one[3]
        ]


def as_wide(write: Callable[[int], str], wide: float, about: int) -> Picture:
    """The picture whose plot is nearest to this width, of those that are about as wide."""
    made = (Picture(write(width)) for width in range(about - 40, about + 40))
    return min(made, key=lambda one: abs(one.wide - wide))


def rgb(colour: str) -> list[int]:
    """Red, green and blue, of a colour that is written in either way."""
    found = RGB.fullmatch(colour)
    return [int(one) for one in found.groups()] if found else [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _box(text: Mapping[str, str]) -> tuple[str, tuple[float, float, float, float]]:
    """What is written, and left, right, upper and lower end of its letters."""
    wide, x, y = width_of(text["text"]) * float(text["font-size"]) / 12, float(text["x"]), float(text["y"])
    left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", "start")]
    return text["text"], (left, left + wide, y - 9, y + 1)


def _parts(element: ET.Element, above: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    own = {name: value for name, value in above.items() if name in TAKEN} | element.attrib
    yield {**own, "tag": element.tag, "text": element.text or ""}
    for one in element:
        yield from _parts(one, own)
