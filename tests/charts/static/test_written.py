"""The written pictures of a head show what Vega shows: the same marks in the same places, colours and labels."""

import base64
import json
import math
import re
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from generator.charts.naming.signals import labelled
from generator.charts.static import bars, maps
from generator.charts.static.picture import Chart, picture
from generator.charts.static.plot import nice
from generator.charts.theme import DARK, LIGHT
from tests.charts.contrast import colour
from tests.charts.static.drawn import Mark, Vega, Written

ACROSS, DOWN, SHADE = 0.001, 0.11, 8
"""How far a mark may lie from Vega's, as a part of the width and in pixels, and a colour, of 255."""
TOKENS = ["[CLS]", "a", "<b>", "of", "the", "[SEP]"]


def offsets(top: float) -> dict[str, list[Any]]:
    """The columns of an offset profile that reaches up to `top`, one without an interval."""
    values = [round(top * part, 4) for part in (0.02, 0.3, 0.93, 0, 0.5, 0.111, 0.07, 0.21, 0.4)]
    names = ["< -2", "-2", "-1", "0", "1", "2", "> 2", "[CLS]", "[SEP]"]
    columns: dict[str, list[Any]] = {"offset": names, "near": [0 < at < 6 for at in range(9)], "value": values}
    columns |= {
        "low": [round(0.9 * value, 4) for value in values],
        "high": [round(1.07 * value, 4) for value in values],
    }
    for end in ("low", "high"):
        columns[end][4] = None
    return columns | {"uniform": [0.004] * len(values)}


CLASSES: dict[str, list[Any]] = {
    "class": [name for name in ("[CLS]", "[SEP]", "periods & commas") for _ in range(3)],
    "counted": ["weight", "norm", "tokens"] * 3,
    "value": [0.34, 0.02, 0.01, 0.2, None, 0.01, 1, 0.9, 0.8],
    "low": [0.3, 0.01, None, 0.1, None, None, 0.99, 0.8, None],
    "high": [0.4, 0.04, None, 0.3, None, None, 1, 0.95, None],
}


def rows(columns: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    """One after the other."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def weights() -> np.ndarray:
    """A map of TOKENS, in thousandths as pages hold them."""
    drawn = np.random.default_rng(3).dirichlet(np.full(len(TOKENS), 0.4), len(TOKENS))
    return drawn.round(3)


def cells(drawn: np.ndarray) -> list[dict[str, Any]]:
    """The rows of the chart of a map."""
    return [
        {"query": TOKENS[q], "key": TOKENS[k], "q": q, "k": k, "weight": drawn[q, k].item()}
        for q in range(len(TOKENS))
        for k in range(len(TOKENS))
    ]


def assert_same(ours: list[Mark], theirs: list[Mark]) -> None:
    """One by one, whatever their order."""
    assert len(ours) == len(theirs) > 0
    for one, other in zip(*(sorted(some, key=_place) for some in (ours, theirs)), strict=True):
        assert one[:2] == pytest.approx(other[:2], abs=ACROSS)
        assert one[2:4] == pytest.approx(other[2:4], abs=DOWN)
        assert (one.colour, one.opacity) == (other.colour, pytest.approx(other.opacity, abs=0.006))


def _place(mark: Mark) -> tuple[float, ...]:
    return (*(round(part, 1 if at > 1 else 2) for at, part in enumerate(mark[:4])), mark.opacity)


@pytest.mark.parametrize("top", [0.003, 0.0402, 0.21, 0.4, 0.933])
def test_offsets_are_those_of_vega(top: float) -> None:
    columns = offsets(top)
    vega, written = Vega("offsets", rows(columns), {}), Written(bars.offsets(columns, "a head"))
    for kind in ("rect", "rule"):
        assert_same(written.marks(kind), vega.marks(kind))
    assert set(vega.texts("axis-label")) | set(vega.texts("axis-title")) == set(written.texts())


@pytest.mark.parametrize("counted", [["weight", "norm", "tokens"], ["weight", "tokens"]])
def test_classes_are_those_of_vega(counted: list[str]) -> None:
    kept = [row for row in rows(CLASSES) if row["counted"] in counted]
    columns = {name: [row[name] for row in kept] for name in CLASSES}
    named = labelled(columns)
    vega, written = Vega("classes", kept, {"named": named}), Written(bars.classes(columns, "a head"))
    for kind in ("rect", "rule"):
        assert_same(written.marks(kind), vega.marks(kind))
    told = {*vega.texts("axis-label"), *vega.texts("axis-title"), *vega.texts("mark")}
    names = [(item["text"], item["x"] / vega.wide, item["y"], item["dx"]) for item in vega.items("text", "mark")]
    ours = [
        (one.text, float(one.get("x", "").removesuffix("%")) / 100, float(one.get("y", "")), float(one.get("dx", "")))
        for one in written.svg.iter("text")
        if one.get("dx")
    ]
    assert [name for name, *_ in names] == counted
    assert ours == [(name[0], *(pytest.approx(place, abs=0.06) for place in name[1:])) for name in names]
    assert told - set(written.texts()) == {"0.1", "0.3", "0.5", "0.7", "0.9"}, "half as many numbers fit a telephone"
    assert set(written.texts()) <= told


@pytest.mark.parametrize("count", [2, 3, 4])
def test_what_is_found_is_drawn_as_by_vega(count: int) -> None:
    whole: dict[str, list[Any]] = {
        "name": ["head 3-1", "best <offset>", "untrained model", "rule"],
        "own": [True, False, False, False],
        "value": [0.775, 0.381, 0.08, 0.5],
        "low": [0.739, 0.343, None, None],
        "high": [0.804, 0.42, None, None],
    }
    columns = {name: values[:count] for name, values in whole.items()}
    vega, written = Vega("found", rows(columns), {}), Written(bars.found(columns, "a head"))
    for kind in ("rect", "rule"):
        assert_same(written.marks(kind), vega.marks(kind))
    told = {*vega.texts("axis-label"), *vega.texts("axis-title")}
    assert told - set(written.texts()) <= {"0.1", "0.3", "0.5", "0.7", "0.9"}, "half as many numbers fit a telephone"
    assert set(written.texts()) <= told


def test_an_axis_does_not_grow_for_what_no_eye_can_see() -> None:
    def drawn(top: float) -> str:
        columns = offsets(0.3)
        columns["high"][2] = top
        data = {"shared": {}, "views": [{"columns": columns}]}
        return picture(Chart("offsets", json.dumps(data), "label", "name", alone=True), None)[0]

    assert drawn(0.4) == drawn(0.4 + 1e-9) != drawn(0.4 + 1e-3)


@pytest.mark.parametrize(("scheme", "palette"), [("light", LIGHT), ("dark", DARK)])
def test_map_has_a_pixel_for_each_weight_in_the_colour_of_vega(scheme: str, palette: Any) -> None:
    drawn = weights()
    vega = Vega("map", cells(drawn), {"labels": TOKENS}, palette)
    written = Written(maps.heat_map(TOKENS, drawn, "a head"))
    pixels = decoded(written, scheme)
    theirs = np.array([colour(mark.colour) for mark in sorted(vega.marks("rect"), key=lambda one: (one.top, one.left))])
    assert np.abs(pixels.reshape(-1, 3) - theirs).max() <= SHADE
    assert [text for text in vega.texts("axis-label") if text] == TOKENS * 2
    assert sorted(written.texts()) == sorted([*TOKENS * 2, "key", "query"])


def decoded(written: Written, scheme: str) -> np.ndarray:
    """The pixels of the picture of a scheme, `[row, column, colour]`, read by hand."""
    (image,) = (one for one in written.svg.iter("image") if one.get("class") == f"fg-{scheme}")
    address = next(value for name, value in image.attrib.items() if name.endswith("href"))
    whole, chunks, at = base64.b64decode(address.removeprefix("data:image/png;base64,")), {}, 8
    assert whole.startswith(b"\x89PNG\r\n\x1a\n")
    while at < len(whole):
        (size,), name = struct.unpack(">I", whole[at : at + 4]), whole[at + 4 : at + 8]
        chunks[name] = whole[at + 8 : at + 8 + size]
        assert struct.unpack(">I", whole[at + 8 + size : at + 12 + size]) == (zlib.crc32(name + chunks[name]),)
        at += 12 + size
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    return np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)[lines[:, 1:]].astype(int)


def test_nothing_measured_leaves_an_empty_plot() -> None:
    first = offsets(0.2) | {"value": [None, *offsets(0.2)["value"][1:]]}
    assert len(Written(bars.offsets(first, "a head")).marks("rect")) == 2 * len(first["value"]) - 1
    nothing = {name: [None] * 3 for name in ("value", "low", "high", "uniform")} | {
        "offset": ["-1", "0", "1"],
        "near": [True] * 3,
    }
    assert Written(bars.offsets(nothing, "a head")).marks("rect") == []
    assert nice(0, 0) == (0, 1)
    assert all(map(math.isfinite, nice(0, 1e-9)))


def test_text_of_a_token_is_text_and_fits() -> None:
    hostile = ['"><script>', "&amp;", "x" * 200, "[SEP]"]
    html = maps.heat_map(hostile, np.eye(4), '"><b>')
    written = Written(html)
    assert "<script" not in html
    assert written.svg.get("aria-label") == '"><b>'
    assert {'"><script>', "&amp;"} <= set(written.texts())
    assert max(map(len, written.texts())) == maps.LONGEST
    assert not re.search(r"\bnan\b", html)
