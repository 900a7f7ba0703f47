"""Pictures that Vega draws at build time: in both schemes, without what a picture has no use for, and only once."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import vl_convert

from generator.charts.compile import CHARTS, compiled
from generator.charts.static.vega import SPOKEN, StaticPicture, StaticPictures, filled
from generator.charts.theme import DARK, LIGHT

HEADS = [
    {"layer": 1, "head": head, "value": 0.3 * head, "low": 0.1, "high": 0.9, "summary": "x", "href": "../1-1/"}
    for head in (1, 2, 3)
]
SERIES = [{"layer": 1, "step": 1, "series": "one", "reference": 0, "value": 0.3, "low": 0.2, "high": 0.4}]
ROWS = {"series": SERIES, "curve-numbers": SERIES}
"""What axes and legends cannot be drawn without."""
HOSTILE = '"><script>alert(1)</script>'


def grid(pictures: StaticPictures, **changed: Any) -> dict[str, StaticPicture]:
    """A small grid of heads."""
    given = {"kind": "grid", "rows": HEADS, "settings": {"top": 1}, "label": "Heads", "width": 400}
    return pictures.draw(**{**given, **changed})


@pytest.mark.parametrize("kind", CHARTS)
def test_dark_picture_is_the_one_that_vega_draws_in_dark_colours(tmp_path: Path, kind: str) -> None:
    """Axes and legends have every colour that a kind names."""
    rows = ROWS.get(kind, [])
    drawn = StaticPictures(tmp_path).draw(kind, rows, {"caption": "x"}, "Nothing", 400)
    for scheme, palette in (("default", LIGHT), ("slate", DARK)):
        theirs = SPOKEN.sub("", vl_convert.vega_to_svg(filled(compiled(kind), rows, {"caption": "x"}, 400, palette)))
        found = re.compile(r"#[0-9a-f]{6}|rgb\([^)]*\)")
        assert set(found.findall(drawn[scheme].svg)) == set(found.findall(theirs)) - {"#000000"}
        assert drawn[scheme].width == pytest.approx(400, abs=2)
        assert ET.fromstring(drawn[scheme].svg).tag.endswith("svg")


def test_a_picture_of_few_points_is_whole(tmp_path: Path) -> None:
    """Vega closes what is empty in two ways."""
    rows = [{"layer": 1, "head": head, "value": 0.3, "low": 0.1, "high": 0.9} for head in (1, 2)]
    for one in StaticPictures(tmp_path).draw("curves", rows, {"top": 1, "caption": "x"}, "Curves", 400).values():
        assert not [empty for empty in ET.fromstring(one.svg).iter() if empty.tag.endswith("}g") and not len(empty)]


def test_heads_keep_the_colours_of_the_ramp_in_both_schemes(tmp_path: Path) -> None:
    for scheme, palette in (("default", LIGHT), ("slate", DARK)):
        theirs = vl_convert.vega_to_svg(filled(compiled("grid"), HEADS, {"top": 1}, 400, palette))
        fills = re.compile(r'fill="(rgb\([^"]*\))"')
        assert fills.findall(grid(StaticPictures(tmp_path))[scheme].svg) == fills.findall(theirs)
        assert len(fills.findall(theirs)) == len(HEADS)


def test_picture_has_one_name_leads_nowhere_and_needs_nothing_else(tmp_path: Path) -> None:
    for still in grid(StaticPictures(tmp_path), label=HOSTILE).values():
        root = ET.fromstring(still.svg)
        assert root[0].text == HOSTILE
        assert {
            name for one in root.iter() for name in one.attrib if name.startswith("aria") or "href" in name
        } == set()
        assert not [one for one in root.iter() if one.tag.endswith(("}a", "}script"))]
        assert "://" not in still.svg.replace("http://www.w3.org/2000/svg", "")
        assert (still.width, still.height) == tuple(round(float(root.attrib[side])) for side in ("width", "height"))


def test_what_was_drawn_is_not_drawn_again_unless_it_was_damaged(tmp_path: Path, monkeypatch: Any) -> None:
    drawn, draw = [], vl_convert.vega_to_svg
    monkeypatch.setattr(vl_convert, "vega_to_svg", lambda spec: drawn.append(1) or draw(spec))
    first = grid(StaticPictures(tmp_path))
    made = len(drawn)
    assert grid(StaticPictures(tmp_path)) == first
    assert len(drawn) == made
    for kept in tmp_path.iterdir():
        kept.write_text(kept.read_text().replace("Heads", "Kept"))
    assert grid(StaticPictures(tmp_path)) == first
    assert len(drawn) == 2 * made


def test_a_chart_is_compiled_again_only_if_what_makes_it_changes(tmp_path: Path, monkeypatch: Any) -> None:
    made = []
    monkeypatch.setattr("generator.charts.compile.compiled", lambda kind: made.append(kind) or compiled(kind))
    for rows in (HEADS, HEADS[:2]):
        grid(StaticPictures(tmp_path), rows=rows)
    assert made == ["grid"]
    monkeypatch.setattr("generator.charts.static.vega._makers", lambda: "other code")
    grid(StaticPictures(tmp_path))
    assert made == ["grid", "grid"]


@pytest.mark.parametrize(
    "changed",
    [{"rows": HEADS[:2]}, {"settings": {"top": 2}}, {"label": "Others"}, {"width": 300}, {"kind": "curves"}],
    ids=lambda one: next(iter(one)),
)
def test_whatever_is_shown_otherwise_is_another_picture(tmp_path: Path, changed: dict[str, Any]) -> None:
    grid(StaticPictures(tmp_path))
    before = len(list(tmp_path.iterdir()))
    grid(StaticPictures(tmp_path), **changed)
    assert len(list(tmp_path.iterdir())) > before


def test_pictures_of_earlier_builds_are_forgotten(tmp_path: Path) -> None:
    grid(StaticPictures(tmp_path), label="Earlier")
    pictures = StaticPictures(tmp_path)
    grid(pictures)
    pictures.cache.forget()
    pictures = [text for text in (kept.read_text() for kept in tmp_path.iterdir()) if "<title>" in text]
    assert all("<title>Heads" in text for text in pictures)
    assert len(pictures) == 2
