"""Frequent token types in a corpus: how often, beside which tokens and at which places they occur.

The hypothesis of 2021 ("A Hypothesis about Learning Curve of BERT") calls special tokens frequent outsiders: frequent,
but without constant relations to other tokens. Neighbours are those that the model reads, special tokens included.

A small sample holds fewer types than its source, so its entropy is biased low: [CLS] with 150 occurrences would look
more constant than "the" with 1000. Every entropy here is therefore the expected entropy of SAMPLE occurrences drawn
without replacement, computed exactly from the hypergeometric distribution (rarefaction, Hurlbert 1971). It is no
estimate of the entropy of the language, never exceeds ln SAMPLE, and compares types that differ in frequency fairly.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.topics.tokens.derived.entropy import sample_entropy
from generator.topics.tokens.records.tokens import SAMPLE

TYPES = 30
"""How many token types are followed: special tokens, periods, commas, and the most frequent types of the text."""


class Occurrence(NamedTuple):
    """One token of one input; positions are 0-based."""

    document: str
    part: int
    position: int


@dataclass(frozen=True)
class TypeFacts:
    """One token type in a corpus."""

    token: int
    """Vocabulary id."""
    rank: int
    """Rank by frequency, 1 for the most frequent; types of equal frequency rank in the order of their ids."""
    count: int
    next_entropy: float
    """Entropy of the token that follows, in nats; NaN with fewer than SAMPLE neighbours."""
    previous_entropy: float
    position_deviation: float
    """Standard deviation of the position in the input, where 0 is the first token and 1 the last."""
    end_deviation: float
    """Standard deviation, in tokens, of the distance to the next separator, which is 0 for a separator."""


def frequent_types(inputs: Iterable[Input], most: int = TYPES) -> tuple[int, ...]:
    """Special tokens, periods and commas, however many, and the most frequent other types, to make up `most` in total;
    sorted by frequency.
    """
    counts: Counter[int] = Counter()
    kept: set[int] = set()
    for item in inputs:
        counts.update(item.input_ids)
        kept |= {token for token, kind in zip(item.input_ids, item.classes, strict=True) if kind != TokenClass.OTHER}
    text = [token for token in _by_frequency(counts) if token not in kept]
    chosen = kept | set(text[: max(most - len(kept), 0)])
    return tuple(token for token in _by_frequency(counts) if token in chosen)


def describe(inputs: Sequence[Input], types: Sequence[int]) -> list[TypeFacts]:
    """The facts of these types, in their order; inputs may come in any order."""
    counts: Counter[int] = Counter()
    after: dict[int, Counter[int]] = {token: Counter() for token in types}
    before: dict[int, Counter[int]] = {token: Counter() for token in types}
    places: dict[int, list[tuple[float, int]]] = {token: [] for token in types}
    for item in inputs:
        # Places are shares of the input, so that inputs of different lengths can be compared.
        ids, last = item.input_ids, max(len(item) - 1, 1)
        counts.update(ids)
        for first, second in pairwise(ids):
            if first in after:
                after[first][second] += 1
            if second in before:
                before[second][first] += 1
        for position, (token, distance) in enumerate(zip(ids, distances_to_end(item), strict=True)):
            if token in places:
                places[token].append((position / last, distance))
    ranks = {token: rank for rank, token in enumerate(_by_frequency(counts), start=1)}
    found = []
    for token in types:
        # Sorted: sums of floats are then the same whatever the order of inputs.
        relative, distance = np.array(sorted(places[token]), dtype=float).T
        found.append(
            TypeFacts(
                token=token,
                rank=ranks[token],
                count=counts[token],
                next_entropy=sample_entropy(list(after[token].values())),
                previous_entropy=sample_entropy(list(before[token].values())),
                position_deviation=_deviation(relative),
                end_deviation=_deviation(distance),
            )
        )
    return found


def distances_to_end(item: Input) -> list[int]:
    """For every token the number of tokens to the next separator, 0 for a separator; without one, to the last token."""
    distances, distance = [], 0
    for at, kind in enumerate(reversed(item.classes)):
        distance = 0 if at == 0 or kind == TokenClass.SEPARATOR else distance + 1
        distances.append(distance)
    return distances[::-1]


def equal_samples(inputs: Iterable[Input], types: Sequence[int], seed: int) -> dict[int, list[Occurrence]]:
    """Type -> SAMPLE of its occurrences, spread over as many inputs as possible, for every type that has as many.

    Each input gives one occurrence before any gives a second. Which one, and which inputs come first, is drawn with the
    seed and the names of the inputs, so an input's draws depend neither on the order of inputs nor on other inputs.
    """
    wanted = set(types)
    ordered: dict[int, list[tuple[int, bytes, Occurrence]]] = {token: [] for token in types}
    for item in inputs:
        own: dict[int, list[tuple[bytes, Occurrence]]] = {}
        for position, token in enumerate(item.input_ids):
            if token in wanted:
                place = Occurrence(item.document, item.part, position)
                own.setdefault(token, []).append((_draw(place, seed), place))
        for token, places in own.items():
            # One of each input comes first, then a second of each, and so on.
            ordered[token] += [(turn, draw, place) for turn, (draw, place) in enumerate(sorted(places))]
    return {
        token: [place for _, _, place in sorted(rows)[:SAMPLE]]
        for token, rows in ordered.items()
        if len(rows) >= SAMPLE
    }


def _draw(place: Occurrence, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{place.document}:{place.part}:{place.position}".encode()).digest()


def _by_frequency(counts: Counter[int]) -> Iterator[int]:
    return iter(sorted(counts, key=lambda token: (-counts[token], token)))


def _deviation(values: np.ndarray) -> float:
    """The standard deviation of the values; exactly 0 if all are equal, although the mean of equal numbers may be
    rounded.
    """
    return 0.0 if values.min() == values.max() else float(values.std())
