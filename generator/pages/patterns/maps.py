"""The most typical maps of each pattern among the example sentences, drawn small."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from generator.attention.saved import CLASS_OF, SPACE, SavedMaps
from generator.attention.stream import Observed
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.measures.patterns import PATTERN_COLUMNS, PATTERNS
from generator.numbers.writing import number
from generator.pages.blocks import Section
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, prose
from generator.pages.links import to_head

SHOWN = 3
"""Maps of a pattern, each of another head."""
SHADES = (0.05, 0.15, 0.3, 0.5, 0.75)
"""Weights from which a cell is drawn one step stronger; what is below the first is left out."""
OPACITY = (0.12, 0.3, 0.5, 0.75, 1.0)
NUMBERS = {"special": "special tokens", "near": "neighbours", "breadth": "breadth"}


class _Map(NamedTuple):
    layer: int
    head: int
    sentence: int
    pattern: str
    numbers: tuple[float, ...]
    """In the order of NUMBERS."""


@dataclass(frozen=True)
class Shade:
    """All cells of a small map that are drawn equally strongly."""

    opacity: str
    path: str
    """SVG path data; a cell is one unit wide and high."""


@dataclass(frozen=True)
class SmallMap:
    """One head's map of an example sentence, queries down and keys across."""

    head: Link
    sentence: str
    numbers: str
    """What the rule read."""
    tokens: int
    shades: tuple[Shade, ...]


@dataclass(frozen=True)
class SmallMaps:
    """Maps side by side, each with the sentence."""

    template: ClassVar[str] = "small_maps"
    maps: tuple[SmallMap, ...]


def typical_maps(atlas: Atlas, page: str) -> Iterator[Section]:
    """Every pattern with the maps that lie nearest to the median of its numbers; none where no map has it."""
    yield Section(
        "typical",
        "Typical maps",
        (
            prose(
                "Queries down, keys across; the stronger the colour, the more attention. Shown are the maps nearest to "
                "the median of their pattern in the three numbers, each of another head. The example sentences are "
                "single segments, so a block cannot occur among them, and they are much shorter than the inputs "
                "counted above."
            ),
        ),
    )
    maps = list(_classed(atlas))
    for pattern in PATTERNS:
        group = [one for one in maps if one.pattern == pattern]
        text = f"{len(group)} of {len(maps)} maps of the example sentences."
        drawn = tuple(_drawn(atlas, one, page) for one in _nearest(group))
        yield Section("", pattern, (text, SmallMaps(drawn)) if drawn else (text,), level=3)


def _classed(atlas: Atlas) -> Iterator[_Map]:
    at = [COLUMNS.index(name) for name in PATTERN_COLUMNS]
    near, breadth = (COLUMNS.index(f"attention.{name}") for name in ("near", "segment_breadth"))
    for sentence, seen in enumerate(_observed(atlas)):
        item = seen.input
        found = compute(seen.primitives, Counts.of(item))
        special = seen.primitives.mass[..., [TokenClass.BEGIN, TokenClass.SEPARATOR]].sum((-1, -2)) / len(item)
        for layer, head in atlas.places:
            own = found[layer - 1, head - 1]
            numbers = (float(special[layer - 1, head - 1]), float(own[near]), float(own[breadth]))
            yield _Map(layer, head, sentence, PATTERNS[int(own[at].argmax())], numbers)


def _observed(atlas: Atlas) -> Iterator[Observed]:
    """The example sentences as if they were saved maps, so that one code classes all maps."""
    examples = list(zip(*(atlas.examples[place] for place in atlas.places), strict=True))
    tokens = [heads[0].tokens for heads in examples]
    kinds = _kinds(atlas, tokens)
    inputs, weights = [], {}
    for sentence, (heads, classes) in enumerate(zip(examples, kinds, strict=True)):
        n, name = len(classes), str(sentence)
        inputs.append(Input(name, 1, tuple(range(n)), (0,) * n, classes))
        weights[name] = np.stack([one.weights for one in heads]).reshape(*atlas.shape, n, n)
    yield from SavedMaps("examples", "", tuple(inputs), (), weights).observe()


def _kinds(atlas: Atlas, sentences: Sequence[Sequence[str]]) -> list[tuple[TokenClass, ...]]:
    """The class of every token; those that all sentences begin or end with are the tokenizer's own.

    A begin token or separator is looked for only where the model has one, for sentences may end with the same mark.
    """
    found = [[CLASS_OF.get(token.lstrip(SPACE), TokenClass.OTHER) for token in tokens] for tokens in sentences]
    for kind, place, column in ((TokenClass.BEGIN, 0, "cls"), (TokenClass.SEPARATOR, -1, "sep")):
        has = not np.isnan(atlas.estimates[f"attention.{column}"].value).all()
        if has and len({tokens[place] for tokens in sentences}) == 1:
            for kinds in found:
                kinds[place] = kind if kinds[place] is not TokenClass.PUNCTUATION else kinds[place]
    return [tuple(kinds) for kinds in found]


def _nearest(group: Sequence[_Map]) -> list[_Map]:
    """The maps nearest to the median, one per head; equally near ones in the order of heads and sentences."""
    if not group:
        return []
    numbers = np.array([one.numbers for one in group])
    far = np.linalg.norm(numbers - np.median(numbers, axis=0), axis=1).round(9)
    chosen: dict[tuple[int, int], _Map] = {}
    for at in sorted(range(len(group)), key=lambda at: (far[at], group[at][:3])):
        chosen.setdefault((group[at].layer, group[at].head), group[at])
    return list(chosen.values())[:SHOWN]


def _drawn(atlas: Atlas, one: _Map, page: str) -> SmallMap:
    example = atlas.examples[one.layer, one.head][one.sentence]
    parts = (f"{words} {number(value)}" for words, value in zip(NUMBERS.values(), one.numbers, strict=True))
    return SmallMap(
        head=to_head(atlas.slug, one.layer, one.head, page),
        sentence=example.text,
        numbers=", ".join(parts),
        tokens=len(example.tokens),
        shades=tuple(_shades(example.weights)),
    )


def _shades(weights: np.ndarray) -> Iterator[Shade]:
    """Cells of one strength as one path, runs of them along a row as one rectangle."""
    steps = np.digitize(weights, SHADES)
    for step, opacity in enumerate(OPACITY, start=1):
        path = "".join(_row(row, cells) for row, cells in enumerate(steps == step))
        if path:
            yield Shade(f"{opacity:g}", path)


def _row(row: int, cells: np.ndarray) -> str:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(int), [0]])))
    return "".join(f"M{start} {row}h{end - start}v1h{start - end}z" for start, end in edges.reshape(-1, 2).tolist())
