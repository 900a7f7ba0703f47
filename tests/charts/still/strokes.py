"""What Vega draws over layers and what a written picture draws there, as the same plain marks."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from generator.charts.theme import Palette
from tests.charts.still.drawn import Vega

Stroke = tuple[tuple[Any, ...], list[tuple[float, ...]]]
"""Kind, colour, opacity, width and dashes; and the places: the part of the plot's width, pixels down the plot."""


def parsed(svg: str) -> ET.Element:
    """A picture whose elements have plain names."""
    return ET.fromstring(svg.replace(" xmlns=", " class="))


def of_vega(vega: Vega) -> Iterator[Stroke]:
    """All marks of data; lines and areas in parts that have no gap."""
    for mark in vega.data():
        kind, items = mark["marktype"], mark["items"]
        if kind in ("area", "line"):
            columns = ("y", "y2") if kind == "area" else ("y",)
            for whole, run in groupby(items, lambda item: item["defined"]):
                if whole:
                    part = list(run)
                    places = [(item["x"] / vega.wide, *(item.get(one, 0) for one in columns)) for item in part]
                    yield _style(kind, part[0]), places
        for item in items:
            x = item["x"] / vega.wide
            if kind == "symbol":
                yield _style(kind, {**item, "strokeWidth": item["size"] ** 0.5}), [(x, item["y"])]
            elif kind == "rule":
                yield _style(kind, item), [(x, 0), (x, item["y2"])]
            elif kind == "rect" and item["width"]:
                yield _style(kind, item), [(x, 0), (x + item["width"] / vega.wide, item["height"])]


def plot_of(svg: str) -> tuple[int, int]:
    """Width and height of the plot, from the ends of its axes."""
    ((tall, wide),) = re.findall(r'd="[^"]*M0 (\d+)H(\d+)"', svg)
    return int(wide), int(tall)


def written(svg: str, palette: Palette) -> Iterator[Stroke]:
    """The same of a written picture, in the order in which it draws."""
    plot = next(parsed(svg).iter("g"))
    wide, _ = plot_of(svg)
    for one in plot:
        for kept in [{**one.attrib, **part.attrib} for part in one] or [one.attrib]:
            if kept.get("stroke") == palette.line or "transform" in kept:
                continue
            if one.tag == "rect":
                x, over = float(kept["x"]), float(kept["width"])
                yield _told("rect", kept), [(x / wide, 0), ((x + over) / wide, float(kept["height"]))]
            for piece in re.findall(r"M[^M]+", kept.get("d", "")):
                kind, places = _places(piece)
                yield _told(kind, kept), [(x / wide, *down) for x, *down in places]


def _places(piece: str) -> tuple[str, list[tuple[float, ...]]]:
    """What a piece of a path is, and its places; a band goes to its end and back."""
    values = [float(number) for number in re.findall(r"-?[\d.]+", piece)]
    if piece.endswith("h0"):
        return "symbol", [(values[0], values[1])]
    if "V" in piece:
        return "rule", [(values[0], values[1]), (values[0], values[2])]
    places = list(zip(values[::2], values[1::2], strict=True))
    if not piece.endswith("z"):
        return "line", places
    there, back = places[: len(places) // 2], places[len(places) // 2 :]
    assert [x for x, _ in there] == [x for x, _ in reversed(back)]
    return "area", [(x, low, high) for (x, low), (_, high) in zip(there, reversed(back), strict=True)]


def _style(kind: str, item: Mapping[str, Any]) -> tuple[Any, ...]:
    line = kind in ("line", "rule")
    return (
        kind,
        item["stroke" if line else "fill"],
        float(item.get("opacity", 1)),
        round(item["strokeWidth"], 1) if line or kind == "symbol" else 0,
        tuple(item.get("strokeDash", ())) if line else (),
    )


def _told(kind: str, kept: Mapping[str, str]) -> tuple[Any, ...]:
    assert kind != "symbol" or kept["stroke-linecap"] == "round"
    assert kind != "line" or kept["fill"] == "none"
    named = {
        "stroke": kept.get("stroke"),
        "fill": kept.get("stroke" if kind == "symbol" else "fill"),
        "opacity": kept.get("stroke-opacity", kept.get("opacity", 1)),
        "strokeWidth": float(kept.get("stroke-width", 0)),
        "strokeDash": [int(one) for one in re.findall(r"\d+", kept.get("stroke-dasharray", ""))],
    }
    return _style(kind, named)
