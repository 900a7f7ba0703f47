"""Maps of single sentences by their pattern, and which of a pattern are typical."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from generator.corpora.classes import CLASS_OF, TokenClass
from generator.corpora.pairs import Input
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.measures.patterns import PATTERN_COLUMNS, PATTERNS
from generator.numbers.pieces import SPACE

NEAR, BREADTH = (COLUMNS.index(f"attention.{name}") for name in ("near", "segment_breadth"))


class Sentence(NamedTuple):
    """A sentence of one segment, and every head's map of it."""

    tokens: Sequence[str]
    weights: np.ndarray
    """`[layer, head, query, key]`."""


class ClassedMap(NamedTuple):
    """One head's map of one sentence; layer and head count from 1, sentences from 0."""

    layer: int
    head: int
    sentence: int
    pattern: str
    numbers: tuple[float, float, float]
    """What the rule reads: attention to special tokens and to neighbours, breadth within the segment."""


def classed(sentences: Sequence[Sentence], *, begins: bool, separates: bool) -> list[ClassedMap]:
    """Every map with its pattern; `begins` and `separates` say which special tokens the model has."""
    return list(_classed(sentences, begins, separates))


def nearest_to_median(maps: Sequence[ClassedMap]) -> list[ClassedMap]:
    """One map per head, those nearest to the median first; equally near ones in the order of heads and sentences."""
    if not maps:
        return []
    numbers = np.array([one.numbers for one in maps])
    far = np.linalg.norm(numbers - np.median(numbers, axis=0), axis=1).round(9)
    chosen: dict[tuple[int, int], ClassedMap] = {}
    for at in sorted(range(len(maps)), key=lambda at: (far[at], maps[at][:3])):
        chosen.setdefault((maps[at].layer, maps[at].head), maps[at])
    return list(chosen.values())


def _classed(sentences: Sequence[Sentence], begins: bool, separates: bool) -> Iterator[ClassedMap]:
    """The sentences are read as saved maps, so that one code classes all maps."""
    from generator.attention.saved import SavedMaps  # noqa: PLC0415 - loads torch

    at = [COLUMNS.index(name) for name in PATTERN_COLUMNS]
    kinds = _kinds([one.tokens for one in sentences], begins, separates)
    inputs = tuple(
        Input(str(place), 1, tuple(range(len(own))), (0,) * len(own), own) for place, own in enumerate(kinds)
    )
    weights = {str(place): one.weights for place, one in enumerate(sentences)}
    for sentence, seen in enumerate(SavedMaps("examples", "", inputs, (), weights).observe()):
        found = compute(seen.primitives, Counts.of(seen.input))
        mass = seen.primitives.mass[..., [TokenClass.BEGIN, TokenClass.SEPARATOR]]
        special = mass.sum((-1, -2)) / len(seen.input)
        for layer, head in np.ndindex(*special.shape):
            own = found[layer, head]
            numbers = float(special[layer, head]), float(own[NEAR]), float(own[BREADTH])
            yield ClassedMap(layer + 1, head + 1, sentence, PATTERNS[int(own[at].argmax())], numbers)


def _kinds(sentences: Sequence[Sequence[str]], begins: bool, separates: bool) -> list[tuple[TokenClass, ...]]:
    """The class of every token; those that all sentences begin or end with are the tokenizer's own.

    A begin token or separator is looked for only where the model has one, for sentences may end with the same mark.
    """
    found = [[CLASS_OF.get(token.lstrip(SPACE), TokenClass.OTHER) for token in tokens] for tokens in sentences]
    for kind, place, has in ((TokenClass.BEGIN, 0, begins), (TokenClass.SEPARATOR, -1, separates)):
        if has and len({tokens[place] for tokens in sentences}) == 1:
            for kinds in found:
                kinds[place] = kind if kinds[place] is not TokenClass.PUNCTUATION else kinds[place]
    return [tuple(kinds) for kinds in found]
