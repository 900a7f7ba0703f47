"""A sentence with its arcs: read back from the drawing."""

import math
import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from generator.charts.static.arcs import FAINT, Arc, Line, arcs, standing
from generator.charts.static.maps import LONGEST
from generator.charts.static.vega import size_of
from generator.charts.theme import LIGHT

WORDS = ["How", "do", "bats", "find", "moths"]


def read(line: Line) -> ET.Element:
    """The drawing as a tree; what is no XML is an error."""
    return ET.fromstring(arcs(line, "Who looks at whom"))


def groups(svg: ET.Element) -> list[ET.Element]:
    return [one for one in svg if one.tag == "g"]


def curves(group: ET.Element) -> list[ET.Element]:
    return [one for one in group if one.tag == "path" and one.get("class") != "fg-tip"]


def ends(curve: ET.Element) -> tuple[float, float]:
    """Where an arc leaves the words and where it meets them again."""
    numbers = [float(one) for one in re.findall(r"-?[\d.]+", curve.get("d"))]
    return numbers[0], numbers[-2]


def places(svg: ET.Element) -> list[float]:
    return [float(group.findall("text")[-1].get("x")) for group in groups(svg)]


def test_an_arc_leaves_the_word_that_looks_and_ends_at_the_one_that_is_looked_at():
    svg = read(Line(WORDS, [Arc(4, 3, 0.35, True), Arc(0, 2, 0.2)], "relation"))
    at = places(svg)
    assert at == sorted(at)
    (coloured,), (grey,) = curves(groups(svg)[4]), curves(groups(svg)[0])
    for curve, (start, end) in ((coloured, (4, 3)), (grey, (0, 2))):
        assert [min(range(5), key=lambda word: abs(at[word] - x)) for x in ends(curve)] == [start, end]
    assert coloured.get("class") == "fg-hue"
    assert grey.get("class") is None
    assert svg.get("style").startswith("--hue:var(--fg-kind-relation);")
    assert float(coloured.get("stroke-width")) > float(grey.get("stroke-width"))


@pytest.mark.parametrize(("weight", "named", "drawn"), [(FAINT, False, 1), (FAINT - 0.01, False, 0), (0.01, True, 1)])
def test_a_faint_arc_is_drawn_only_if_it_is_pointed_out(weight, named, drawn):
    assert len(curves(groups(read(Line(WORDS, [Arc(0, 2, weight, named)])))[0])) == drawn


def test_the_share_is_written_if_one_arc_alone_has_a_colour():
    one, two = [Arc(4, 3, 0.354, True)], [Arc(4, 3, 0.354, True), Arc(2, 3, 0.5, True)]
    assert [text.text for text in read(Line(WORDS, one)).iter("text") if text.get("class")] == ["35 %"]
    assert not [text.text for text in read(Line(WORDS, two)).iter("text") if text.get("class")]


def test_each_word_can_be_reached_and_says_at_what_it_looks():
    svg = read(Line(WORDS, [Arc(4, 3, 0.35, True), Arc(4, 0, 0.2), Arc(0, 2, 0.2)], dimmed=frozenset({1})))
    titles = [group.find("title").text for group in groups(svg)]
    assert titles == ["How: bats 20 %", "do", "bats", "find", "moths: find 35 %, How 20 %"]
    assert {group.get("tabindex") for group in groups(svg)} == {"0"}
    assert [("dim" in group.get("class"), "from" in group.get("class")) for group in groups(svg)] == [
        (False, False),
        (True, False),
        (False, False),
        (False, False),
        (False, True),
    ]


def test_nothing_leaves_the_picture_and_words_do_not_touch():
    long = [f"{'x' * (1 + number % 20)}" for number in range(40)]
    svg = read(Line(long, [Arc(0, 39, 0.5, True), Arc(39, 0, 0.5), Arc(3, 4, 0.2)]))
    _, _, width, height = map(float, svg.get("viewBox").split())
    at = places(svg)
    assert 0 < at[0] < at[-1] < width
    assert min(b - a for a, b in pairwise(at)) > 9
    for curve in svg.iter("path"):
        numbers = [float(one) for one in re.findall(r"-?[\d.]+", curve.get("d").replace("h", " h "))]
        assert all(map(math.isfinite, numbers))
        if curve.get("class") != "fg-tip":
            assert 0.25 * numbers[1] + 0.75 * numbers[3] >= 0, "the top of a curve lies at three quarters of its height"
    assert height < 330


def test_wide_letters_get_more_room_and_text_is_text():
    narrow, wide = (places(read(Line([word] * 3, []))) for word in ("ab", "\u8a9e\u8a9e"))
    assert wide[1] - wide[0] > narrow[1] - narrow[0]
    hostile = ['"><script>', "&amp;", "x" * 200]
    drawn = arcs(Line(hostile, [Arc(0, 1, 0.5, True)]), '"><b>')
    assert "<script" not in drawn
    svg = ET.fromstring(drawn)
    assert svg.get("aria-label") == '"><b>'
    assert [group.findall("text")[-1].text for group in groups(svg)][:2] == hostile[:2]
    assert len(groups(svg)[2].findall("text")[-1].text) == LONGEST


@pytest.mark.parametrize("words", [WORDS, ['"><script>', ' role="x"', "<title>", 'class="fg-hue"', "&amp;"]])
def test_a_picture_that_stands_alone_has_its_colours_and_nothing_of_a_page(words):
    line = Line(words, [Arc(4, 3, 0.354, True), Arc(0, 2, 0.2)], "relation", frozenset({1}))
    drawn = standing(line, '"><b>')
    svg = ET.fromstring(drawn)
    tag = "{http://www.w3.org/2000/svg}"
    assert [one.text for one in svg.iter(f"{tag}title")] == ['"><b>']
    attributes = {name for one in svg.iter() for name in one.attrib}
    assert not attributes & {"class", "style", "tabindex", "role", "aria-label", "marker-end"}
    hue = LIGHT.kinds["relation"]
    texts = {one.text: one.get("fill") for one in svg.iter(f"{tag}text")}
    assert texts == dict.fromkeys(words, LIGHT.ink) | {"35 %": hue}
    paths = [(one.get("stroke"), one.get("fill")) for one in svg.iter(f"{tag}path")]
    assert sorted(paths, key=str) == sorted([(hue, None), ("none", hue), (None, None)], key=str)
    assert size_of(drawn) == size_of(arcs(line, ""))


def test_a_sentence_without_arcs_is_its_words():
    assert [group.findall("text")[-1].text for group in groups(read(Line(WORDS, [])))] == WORDS
    assert len(groups(read(Line([], [])))) == 0
