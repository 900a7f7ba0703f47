"""The written maps of heads and of tokens show what Vega shows: the same points and names in the same places."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from generator.charts.still import points
from generator.charts.still.frame import shortened
from generator.charts.still.picture import ALONE, BESIDE, NARROW
from generator.charts.theme import LIGHT, SCHEMES, Palette
from tests.charts.still.drawn import Vega
from tests.charts.still.written import Picture, as_wide, rgb

RADIUS, TICK = re.compile(r"^M-(\d+) 0a\1 \1 "), re.compile(r"M-5 ([\d.]+)H0")
KINDS = list(LIGHT.kinds)
WRITERS = {"heads-by-kind": points.heads_by_kind, "heads-by-layer": points.heads_by_layer}
ENDS = {
    "square": {"left": -1, "right": 1, "bottom": -0.8, "top": 1},
    "flat": {"left": -0.0101, "right": 0.02, "bottom": -0.002, "top": 0.003},
    "steep": {"left": 0.1, "right": 0.3, "bottom": -3, "top": 4},
}
SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1))


def heads(ends: dict[str, float]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Heads of layers 3 to 7 all over the plane, of which one lies nowhere, and what else a map is given."""
    rows = []
    for at in range(20):
        x, y = (0.05 + 0.9 * (at * step % 20) / 19 for step in (7, 3))
        aside, down = SIDES[at % 4]
        rows.append(
            {
                "layer": at // 4 + 3,
                "head": at % 4 + 1,
                "x": ends["left"] + (ends["right"] - ends["left"]) * x if at != 6 else None,
                "y": ends["bottom"] + (ends["top"] - ends["bottom"]) * y,
                "kind": KINDS[at % len(KINDS)],
                "label": f"{at // 4 + 3}-{at % 4 + 1}" if at % 5 < 3 else "",
                "aside": aside,
                "down": down,
            }
        )
    return rows, ends | {"names": {kind: f"<{kind}>" for kind in KINDS}, "kinds": KINDS[1:], "layers": [3, 5, 7]}


@pytest.mark.parametrize("palette", SCHEMES.values())
@pytest.mark.parametrize("width", [BESIDE, NARROW])
@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("kind", WRITERS)
def test_heads_are_those_of_vega(kind: str, ends: str, width: int, palette: Palette) -> None:
    rows, settings = heads(ENDS[ends])
    theirs = Vega(kind, rows, settings, palette, width)
    ours = as_wide(lambda one: WRITERS[kind](rows, settings, "heads", one, palette), theirs.wide, width)
    assert (ours.wide, ours.tall) == pytest.approx((theirs.wide, theirs.tall), abs=1)
    for one, other in zip(ours.all("circle"), theirs.items("symbol", "mark"), strict=True):
        assert rgb(one["fill"]) == pytest.approx(rgb(other["fill"]), abs=3)  # Vega takes another way round
        assert one["stroke"] == other["stroke"] == palette.ink
        assert float(one["fill-opacity"]) == float(one["stroke-opacity"]) == other["opacity"]
        assert float(one["r"]) == pytest.approx(other["size"] ** 0.5 / 2, abs=0.05)
        assert [float(one[name]) for name in ("cx", "cy")] == pytest.approx([other["x"], other["y"]], abs=1)
    names = {one["text"]: one for one in ours.all("text")}
    anchors = {"left": "start", "center": "middle", "right": "end"}
    shown = [one for one in theirs.items("text", "mark") if one["text"] in names]
    assert len(shown) > 6
    for other in shown:
        one = names[other["text"]]
        assert one.get("text-anchor", "start") == anchors[other["align"]]
        assert [float(one[name]) for name in "xy"] == pytest.approx(
            [other["x"] + other["dx"], other["y"] + other["dy"] + 4], abs=1
        )


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("width", [BESIDE, NARROW])
@pytest.mark.parametrize("ends", ENDS)
def test_axes_and_legends_of_heads_are_those_of_vega(kind: str, ends: str, width: int) -> None:
    rows, settings = heads(ENDS[ends])
    rows = [{**row, "label": ""} for row in rows]
    theirs = Vega(kind, rows, settings, width=width)
    ours = as_wide(lambda one: WRITERS[kind](rows, settings, "heads", one, LIGHT), theirs.wide, width)
    roles = ["axis-label", "axis-title", "legend-label", "legend-title"]
    told = [text for role in roles for text in theirs.texts(role)]
    assert sorted(ours.texts()) == sorted(text for text in told if text)


@pytest.mark.parametrize("extra", [0, 1])
def test_legend_of_kinds_has_the_columns_of_vega(extra: int) -> None:
    """Two of them in a plot of less than 420 pixels, and four in others."""
    rows, settings = heads(ENDS["square"])
    rows = [{**row, "label": ""} for row in rows]
    ours = as_wide(lambda one: points.heads_by_kind(rows, settings, "heads", one, LIGHT), 419 + extra, 480)
    assert ours.wide == 419 + extra
    theirs = Vega("heads-by-kind", rows, settings, width=BESIDE if extra else NARROW)
    symbols = [one for one in ours.all("path") if "transform" in one]
    assert len({one["transform"].split()[0] for one in symbols}) == len(
        {one["x"] for one in theirs.items("group", "scope")}
    )
    assert [one["fill"] for one in symbols] == [LIGHT.kinds[kind] for kind in KINDS[1:]]
    assert {one["opacity"] for one in symbols} == {".9"}
    (size,) = {one["size"] for one in theirs.items("symbol", "legend-symbol")}
    assert {RADIUS.findall(one["d"])[0] for one in symbols} == {f"{size**0.5 / 2:g}"}


@pytest.mark.parametrize("extra", [0, 1])
def test_legend_of_roles_has_the_columns_of_vega(extra: int) -> None:
    ours = as_wide(lambda one: points.tokens(TOKENS["from 1"], {}, "tokens", one, LIGHT), 419 + extra, 470)
    theirs = Vega("tokens", TOKENS["from 1"], {}, width=BESIDE if extra else NARROW)
    symbols = [one for one in ours.all("path") if "transform" in one]
    columns = {one["transform"].split()[0] for one in symbols}
    assert (ours.wide, len(columns)) == (419 + extra, len({one["x"] for one in theirs.items("group", "scope")}))
    assert [one["fill"] for one in symbols] == [one["fill"] for one in theirs.items("symbol", "legend-symbol")]


@pytest.mark.parametrize("rows", [[], [{"layer": 1, "x": 0, "y": 0, "kind": "none", "label": ""}]])
def test_map_of_one_head_and_of_none(rows: list[dict[str, Any]]) -> None:
    """The only layer has the colour in the middle, and stands in the middle below the colours."""
    _, settings = heads(ENDS["square"])
    settings["layers"] = [1]
    for kind, write in WRITERS.items():
        theirs = Vega(kind, rows, settings)
        ours = Picture(write(rows, settings, "heads", 600, LIGHT))
        fills = [rgb(one["fill"]) for one in ours.all("circle")]
        assert fills == [rgb(one.colour) for one in theirs.marks("symbol")]
        assert len(fills) == len(rows)
    assert [one["x"] for one in ours.all("text") if one["text"] == "1"] == ["90"]


def token(label: str, entropy: float | None, received: float | None, role: str = "none", named: int = 1) -> Any:
    return {"label": label, "entropy": entropy, "received": received, "role": role, "named": named}


TOKENS = {
    "usual": [
        token("[CLS]", 6.4749, 29.5848, "separator"),
        token(",", 5.2451, 0.7187, "hunter"),
        token("a name of many letters", 4.39, 2.4, "loner"),
        token("never", 4.8, 0.5, "insider", 0),
        token("nowhere", None, 1),
        token("nothing", 5, None),
    ],
    "near 1": [token("one", 3.6816, 0.9615), token("two", 3.7036, 1.04)],
    "from 1": [token("one", -0.6, 1), token("two", 0.7, 8)],
    "far apart": [token("one", 0.1, 0.004), token("two", 0.2, 4000)],
    "same entropy": [token("one", 5, 0.4), token("two", 5, 7)],
    "uniform": [token("one", 5, 1)],
}


@pytest.mark.parametrize("palette", SCHEMES.values())
@pytest.mark.parametrize("width", [BESIDE, NARROW])
@pytest.mark.parametrize("which", TOKENS)
def test_tokens_are_those_of_vega(which: str, width: int, palette: Palette) -> None:
    rows = TOKENS[which]
    theirs = Vega("tokens", rows, {}, palette, width)
    ours = as_wide(lambda one: points.tokens(rows, {}, "tokens", one, palette), theirs.wide, width)
    assert (ours.wide, ours.tall) == pytest.approx((theirs.wide, theirs.tall), abs=1)
    for one, other in zip(ours.all("circle"), theirs.items("symbol", "mark"), strict=True):
        assert (one["fill"], one["stroke"]) == (other["fill"], other["stroke"])
        assert float(one["r"]) == pytest.approx(other["size"] ** 0.5 / 2, abs=0.05)
        assert [float(one[name]) for name in ("cx", "cy")] == pytest.approx([other["x"], other["y"]], abs=1)
        assert "opacity" not in one
    rules = [one for one in ours.all("path") if "stroke-dasharray" in one]
    for one, other in zip(rules, theirs.items("rule", "mark"), strict=True):
        assert one["d"] == f"M0 {round(other['y'], 1):g}H{ours.wide:g}"
        assert (one["stroke"], one["stroke-width"], one["stroke-dasharray"]) == (palette.muted, "1.5", "5,4")
    told = [text for role in ("axis-label", "legend-label") for text in theirs.texts(role)]
    titles = ["entropy, nats", "times uniform attention (log axis)"]
    names = {row["label"] for row in rows}
    written = [text for text in ours.texts() if text not in names and not text.endswith("…")]
    assert sorted(written) == sorted([text for text in told if text] + titles)
    marked = [float(at) for one in ours.all("path") for at in TICK.findall(one["d"])]
    expected = [one["y"] for one in theirs.items("rule", "axis-tick") if one.get("x2")]
    assert marked == pytest.approx(expected, abs=1)
    assert "never" not in ours.texts()
    for other in theirs.items("text", "mark"):
        written = shortened(other["text"], other["limit"])
        (one,) = (one for one in ours.all("text") if one["text"] == written)
        assert [float(one[name]) for name in "xy"] == pytest.approx([other["x"] + other["dx"], other["y"] + 4], abs=1)


def test_a_token_that_receives_nothing_has_no_place_on_a_logarithmic_axis() -> None:
    rows = TOKENS["usual"]
    pictures = [points.tokens(some, {}, "tokens", NARROW, LIGHT) for some in (rows, [*rows, token("zero", 9, 0)])]
    assert pictures[0] == pictures[1]


def test_without_tokens_there_is_a_legend() -> None:
    svg = points.tokens([], {}, "tokens", NARROW, LIGHT)
    theirs = Vega("tokens", [], {})
    assert re.findall(">([^<]+)</text>", svg) == theirs.texts("legend-label")
    assert "<circle" not in svg


def test_a_name_that_another_would_cover_is_left_out() -> None:
    rows = [token("first", 5, 1.5), token("second", 5.01, 1.51), token("far", 7, 9)]
    texts = Picture(points.tokens(rows, {}, "tokens", NARROW, LIGHT)).texts()
    assert {"first", "far"} <= set(texts)
    assert "second" not in texts


@pytest.mark.parametrize("place", [0.045, 0.5, 0.955])
@pytest.mark.parametrize("width", [BESIDE, NARROW])
@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("kind", WRITERS)
def test_no_text_leaves_the_picture_or_covers_another(kind: str, ends: str, width: int, place: float) -> None:
    """Not even names beside points at the ends of a plot."""
    rows, settings = heads(ENDS[ends])
    x = settings["left"] + place * (settings["right"] - settings["left"])
    for aside in (1, -1):
        told = [{**row, "x": x, "label": "12-12", "aside": aside, "down": 0} for row in rows]
        picture = Picture(WRITERS[kind](told, settings, "heads", width, LIGHT))
        assert picture.crowded() == []
        assert "12-12" in picture.texts()


@pytest.mark.parametrize("width", [ALONE, BESIDE, NARROW])
@pytest.mark.parametrize("which", TOKENS)
def test_no_text_of_tokens_leaves_the_picture_or_covers_another(which: str, width: int) -> None:
    rows = [{**row, "named": 1} for row in TOKENS[which]]
    assert Picture(points.tokens(rows, {}, "tokens", width, LIGHT)).crowded() == []


def test_text_of_a_name_is_text() -> None:
    hostile = '"><script>alert(1)</script>'
    rows, settings = heads(ENDS["square"])
    rows[0]["label"], settings["names"]["next"] = hostile, hostile
    for svg in (
        points.heads_by_kind(rows, settings, hostile, NARROW, LIGHT),
        points.tokens([token(hostile, 5, 3)], {}, hostile, NARROW, LIGHT),
    ):
        assert "<script" not in svg
        assert ET.fromstring(svg)[0].text == hostile
