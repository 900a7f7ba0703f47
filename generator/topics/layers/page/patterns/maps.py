"""The most typical maps of each pattern among the example sentences, drawn small."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from generator.measures.patterns import PATTERNS
from generator.numbers.writing import number
from generator.pages.blocks import Section
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, prose
from generator.pages.links import to_head
from generator.topics.layers.derived.typical_maps import ClassedMap, Sentence, classed, nearest_to_median

SHOWN = 3
"""How many maps of each pattern are shown."""
SHADES = (0.05, 0.15, 0.3, 0.5, 0.75)
"""Weights from which a cell is drawn one step darker; cells below the first are left out."""
OPACITY = (0.12, 0.3, 0.5, 0.75, 1.0)
NUMBERS = ("special tokens", "neighbours", "breadth")
"""What is told of a map, in the order of the numbers that `numbers_of` gives."""


@dataclass(frozen=True)
class Shade:
    """All cells of a small map that are drawn equally dark."""

    opacity: str
    path: str
    """SVG path data; a cell is one unit wide and high."""


@dataclass(frozen=True)
class SmallMap:
    """One head's map of an example sentence, queries down and keys across."""

    head: Link
    sentence: str
    numbers: str
    """The numbers from which the rule decides, as text."""
    tokens: int
    shades: tuple[Shade, ...]


@dataclass(frozen=True)
class SmallMaps:
    """Maps side by side, each with the sentence."""

    template: ClassVar[str] = "small_maps"
    maps: tuple[SmallMap, ...]


def typical_maps(atlas: Atlas, page: str) -> Iterator[Section]:
    """A section for every pattern, with the maps nearest to the median of its numbers; none without examples."""
    maps = classed(_sentences(atlas), begins=_has(atlas, "cls"), separates=_has(atlas, "sep"))
    if not maps:
        return
    yield Section(
        "typical",
        "Typical maps",
        (
            prose(
                "Each row is a token that attends, each column a token that is attended to; the stronger the colour, "
                "the more attention. The maps shown are those whose three numbers, written below each, lie nearest to "
                "the median of their pattern, each of another head. The example sentences are single segments, so a "
                "block cannot occur among them, and they are much shorter than the inputs counted above."
            ),
        ),
    )
    for pattern in PATTERNS:
        group = [classed_map for classed_map in maps if classed_map.pattern == pattern]
        text = f"{len(group)} of {len(maps)} maps of the example sentences."
        drawn = tuple(_drawn(atlas, classed_map, page) for classed_map in nearest_to_median(group)[:SHOWN])
        yield Section("", pattern, (text, SmallMaps(drawn)) if drawn else (text,), level=3)


def one_of_each(atlas: Atlas, page: str) -> SmallMaps | None:
    """The most typical map of every pattern that the example sentences show, with its name; None without examples."""
    maps = classed(_sentences(atlas), begins=_has(atlas, "cls"), separates=_has(atlas, "sep"))
    groups = [
        (pattern, [classed_map for classed_map in maps if classed_map.pattern == pattern]) for pattern in PATTERNS
    ]
    drawn = [(pattern, _drawn(atlas, nearest_to_median(group)[0], page)) for pattern, group in groups if group]
    named = tuple(replace(small_map, numbers=f"{pattern}: {small_map.numbers}") for pattern, small_map in drawn)
    return SmallMaps(named) if named else None


def _sentences(atlas: Atlas) -> list[Sentence]:
    """The example sentences with the maps of all heads."""
    every = zip(*(atlas.examples[place] for place in atlas.places), strict=True)
    weights = ((heads[0].tokens, np.stack([head.weights for head in heads])) for heads in every)
    return [Sentence(tokens, maps.reshape(*atlas.shape, *maps.shape[1:])) for tokens, maps in weights]


def _has(atlas: Atlas, column: str) -> bool:
    return not np.isnan(atlas.estimates[f"attention.{column}"].value).all()


def _drawn(atlas: Atlas, shown: ClassedMap, page: str) -> SmallMap:
    example = atlas.examples[shown.layer, shown.head][shown.sentence]
    parts = (f"{words} {number(value)}" for words, value in zip(NUMBERS, shown.numbers, strict=True))
    return SmallMap(
        head=to_head(atlas.slug, shown.layer, shown.head, page),
        sentence=example.text,
        numbers=", ".join(parts),
        tokens=len(example.tokens),
        shades=tuple(_shades(example.weights)),
    )


def _shades(weights: np.ndarray) -> Iterator[Shade]:
    """A shade for each step of SHADES; neighbouring cells of a row are drawn as one rectangle."""
    steps = np.digitize(weights, SHADES)
    for step, opacity in enumerate(OPACITY, start=1):
        path = "".join(_row(row, cells) for row, cells in enumerate(steps == step))
        if path:
            yield Shade(f"{opacity:g}", path)


def _row(row: int, cells: np.ndarray) -> str:
    # With nothing at both ends, every run of cells has a rise where it begins and a fall behind it.
    edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(int), [0]])))
    return "".join(f"M{start} {row}h{end - start}v1h{start - end}z" for start, end in edges.reshape(-1, 2).tolist())
