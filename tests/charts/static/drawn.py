"""What Vega draws and what a written picture draws, as the same plain marks."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import vl_convert

from generator.charts.compile import compiled
from generator.charts.static.plot import ACROSS
from generator.charts.static.vega import filled
from generator.charts.theme import LIGHT, Palette

VARIABLE = re.compile(r"var\(--fg-(\w+)\)")


class Mark(NamedTuple):
    """A bar or a line: across in parts of the plot's width, down in pixels."""

    left: float
    right: float
    top: float
    bottom: float
    colour: str
    opacity: float = 1


class Vega:
    """The marks of Vega's own drawing of a kind."""

    def __init__(
        self,
        kind: str,
        rows: Sequence[Mapping[str, Any]],
        settings: Mapping[str, Any],
        palette: Palette = LIGHT,
        width: int = 600,
    ) -> None:
        found = vl_convert.vega_to_scenegraph(filled(compiled(kind), rows, settings, width, palette))["scenegraph"]
        self._plot = found["items"][0]
        self.wide, self.tall = self._plot["width"], self._plot["height"]

    def marks(self, kind: str) -> list[Mark]:
        """Marks of data: rect or rule."""
        return [self._mark(item, kind) for item in self.items(kind, "mark")]

    def data(self) -> list[dict[str, Any]]:
        """All marks of data, as Vega tells them."""
        return [mark for mark in _marks(self._plot) if mark["role"] == "mark"]

    def texts(self, role: str) -> list[str]:
        """What stands at an axis or in the plot."""
        return [item["text"] for item in self.items("text", role)]

    def items(self, kind: str, role: str) -> Iterator[dict[str, Any]]:
        """All that Vega knows of such marks."""
        for mark in _marks(self._plot):
            if (mark["marktype"], mark["role"]) == (kind, role):
                yield from mark["items"]

    def _mark(self, item: Mapping[str, Any], kind: str) -> Mark:
        x, y = item["x"], item["y"]
        right, bottom = (
            (item.get("x2", x), item.get("y2", y))
            if kind == "rule"
            else (x + item.get("width", 0), y + item.get("height", 0))
        )
        (x, right), (y, bottom) = sorted((x, right)), sorted((y, bottom))
        colour = item["stroke" if kind == "rule" else "fill"]
        return Mark(x / self.wide, right / self.wide, y, bottom, colour, item.get("opacity", 1))


def _marks(group: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for mark in group["items"]:
        yield mark
        if mark["marktype"] == "group":
            for item in mark["items"]:
                yield from _marks(item)


class Written:
    """The marks of a picture that a writer made."""

    def __init__(self, html: str) -> None:
        svg = html.partition("</svg><p")[0].removesuffix("</svg>") + "</svg>"
        self.svg = ET.fromstring(svg.replace("<svg ", '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ', 1))

    def marks(self, kind: str) -> list[Mark]:
        """Those with a colour of their data: rect or rule."""
        return [
            Mark(*ends, colour, float(one.get("opacity", "1")))
            for one in _inherited(self.svg, {})
            if one["tag"] == "path" and (kind == "rule") == ("stroke" in one)
            for colour in [
                VARIABLE.sub(lambda found: getattr(LIGHT, found[1]), one["stroke" if kind == "rule" else "fill"])
            ]
            if colour != LIGHT.line
            for ends in _pieces(one, kind)
        ]

    def texts(self) -> list[str]:
        """Every text, from the first to the last."""
        return [one.text or "" for one in self.svg.iter("text")]


def _inherited(element: ET.Element, above: Mapping[str, str]) -> Iterator[dict[str, str]]:
    own = {name: above[name] for name in ("fill", "stroke", "opacity", "from", "over") if name in above}
    own |= dict(element.attrib)
    if "viewBox" in own:
        own |= {"from": own.get("x", "0%"), "over": own["width"]}
    yield {"tag": element.tag, **own}
    for one in element:
        yield from _inherited(one, own)


def _pieces(path: Mapping[str, str], kind: str) -> Iterator[tuple[float, float, float, float]]:
    """Left, right, top and bottom of each piece of a path; a bar goes across, down and back, a line to its end."""
    shape = ("M# # # #" if kind == "rule" else "M# #H#V#H#z").replace("#", r"(-?[\d.]+)")
    start, width = (float(path[side].removesuffix("%")) / 100 for side in ("from", "over"))
    assert re.sub(shape, "", path["d"]) == ""
    for x, y, right, bottom, *back in re.findall(shape, path["d"]):
        assert back in ([], [x])
        across = sorted(start + width * float(end) / ACROSS for end in (x, right))
        yield (*across, *sorted((float(y), float(bottom))))
