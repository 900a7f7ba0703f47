"""Small maps are real, typical of their pattern and of different heads."""

import re

import numpy as np
import pandas as pd

from generator.home import TEMPLATES
from generator.measures.patterns import PATTERNS
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Renderer
from generator.topics.layers.page.patterns.maps import OPACITY, SHADES, SHOWN, SmallMap, one_of_each
from generator.topics.layers.page.patterns.page import patterns_page
from tests import slow
from tests.measures.maps import all_to, identity, random_map
from tests.site.documents import Document
from tests.topics.layers.page.patterns.conftest import Changed

RUN = re.compile(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z")


def made_map(head: int, n: int) -> np.ndarray:
    """The first four heads have four patterns."""
    half = (identity(n) + all_to([n - 1], n)) / 2
    return (all_to([0, n - 1], n), identity(n), half, random_map(n))[head - 1]


def with_made_maps(frame: pd.DataFrame) -> pd.DataFrame:
    """Example maps of known pattern; in layer 1 they are blurred, so that they are less typical."""
    weights = []
    for row in frame.to_dict("records"):
        n = len(row["tokens"])
        blur = 0.1 * (row["layer"] == 1)
        weights.append(((1 - blur) * made_map(row["head"], n) + blur / n).ravel())
    return frame.assign(weights=weights)


def pattern_of(atlas: Atlas, layer: int, head: int, sentence: int) -> str:
    """The pattern of an example by the slow derivation."""
    example = atlas.examples[layer, head][sentence]
    n = len(example.tokens)
    text = slow.Text(n, frozenset({0}), frozenset({n - 1}), frozenset(), (0,) * n)
    found = slow.patterns(example.weights.astype(float).tolist(), text)
    return next(name for name in PATTERNS if found[f"pattern.{name}"])


def painted(small_map: SmallMap) -> np.ndarray:
    """The strength of every cell, from the paths."""
    cells = np.zeros((small_map.tokens, small_map.tokens))
    for shade in small_map.shades:
        assert RUN.sub("", shade.path) == ""
        for column, row, width, back in (map(int, run) for run in RUN.findall(shade.path)):
            assert width == back
            assert not cells[row, column : column + width].any(), "cells are drawn once"
            cells[row, column : column + width] = float(shade.opacity)
    return cells


def typical(atlas: Atlas) -> list[tuple[str, str, tuple[SmallMap, ...]]]:
    """Each pattern, what is said of it, and its maps."""
    found = []
    for section in patterns_page(atlas).sections:
        if section.level == 3:
            text, *drawn = section.blocks
            found.append((str(section.title), str(text), drawn[0].maps if drawn else ()))  # type: ignore[union-attr]
    assert [pattern for pattern, _, _ in found] == list(PATTERNS)
    return found


def test_every_example_map_is_counted_with_its_pattern(changed: Changed) -> None:
    atlas = changed("examples", with_made_maps)
    sentences = len(atlas.examples[1, 1])
    found = [pattern_of(atlas, *place, at) for place in atlas.places for at in range(sentences)]
    assert set(found) == set(PATTERNS) - {"block"}
    for pattern, text, maps in typical(atlas):
        assert text == f"{found.count(pattern)} of {len(found)} maps of the example sentences."
        assert len(maps) == (0 if pattern == "block" else SHOWN)


def test_typical_maps_have_their_pattern_and_are_of_different_heads(changed: Changed) -> None:
    atlas = changed("examples", with_made_maps)
    heads = {"vertical": "1", "diagonal": "2", "mixed": "3", "heterogeneous": "4"}
    for pattern, _, maps in typical(atlas):
        assert len({small.head.text for small in maps}) == len(maps)
        for small in maps:
            layer, head = small.head.text.split("-")
            assert head == heads[pattern]
            assert small.head.href == f"../heads/{layer}-{head}/"
        if maps:
            assert maps[-1].head.text.startswith("1-"), "a blurred map is far from the median"


def test_a_small_map_is_drawn_as_strongly_as_its_weights(atlas: Atlas) -> None:
    drawn = 0
    for _, _, maps in typical(atlas):
        for small in maps:
            layer, head = map(int, small.head.text.split("-"))
            example = next(each for each in atlas.examples[layer, head] if each.text == small.sentence)
            cells = painted(small)
            for query, key in np.ndindex(*cells.shape):
                reached = sum(example.weights[query, key] >= step for step in SHADES)
                assert cells[query, key] == (OPACITY[reached - 1] if reached else 0)
            drawn += 1
    assert drawn


def test_special_tokens_are_known_by_their_place_whatever_they_are_called(atlas: Atlas, changed: Changed) -> None:
    names = {"[CLS]": "<|begin|>", "[SEP]": "<|end|>"}
    other = changed(
        "examples", lambda frame: frame.assign(tokens=[[names.get(t, t) for t in row] for row in frame["tokens"]])
    )
    assert typical(other) == typical(atlas)


def test_every_small_map_is_a_labelled_picture_in_a_link(atlas: Atlas) -> None:
    page = patterns_page(atlas)
    document = Document(Renderer(TEMPLATES).render("page.html", page))
    pictures = document.find("svg")
    labels = [picture.attributes["aria-label"] for picture in pictures]
    shown = [small for _, _, maps in typical(atlas) for small in maps]
    assert labels == [f"Map of head {small.head.text}: {small.numbers}" for small in shown]
    assert {picture.attributes["role"] for picture in pictures} == {"img"}


def test_a_model_without_example_sentences_has_no_section_on_typical_maps(atlas: Atlas, changed: Changed) -> None:
    bare = changed("examples", lambda frame: frame.head(0))
    titles = [str(section.title) for section in patterns_page(atlas).sections]
    assert [str(section.title) for section in patterns_page(bare).sections] == [
        title for title in titles if title not in ("Typical maps", *PATTERNS)
    ]
    assert "Typical maps" in titles


def test_a_written_page_shows_the_first_typical_map_of_each_pattern_by_name(atlas: Atlas, changed: Changed) -> None:
    found = one_of_each(atlas, "findings/x/")
    assert found
    firsts = {pattern: maps[0] for pattern, _, maps in typical(atlas) if maps}
    assert [one.numbers for one in found.maps] == [f"{pattern}: {first.numbers}" for pattern, first in firsts.items()]
    assert [one.shades for one in found.maps] == [first.shades for first in firsts.values()]
    assert all(one.head.href.startswith("../../models/") for one in found.maps)
    assert one_of_each(changed("examples", lambda frame: frame.head(0)), "findings/x/") is None
