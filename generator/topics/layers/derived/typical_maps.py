"""The pattern of maps of single sentences, and the most typical maps of a pattern."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from generator.corpora.classes import ADDED, CLASS_OF, TokenClass
from generator.measures.patterns import PATTERNS, classify
from generator.numbers.makers import makes
from generator.numbers.pieces import bare
from generator.topics.layers.records import TYPICAL


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
    """The numbers that the rule needs: attention to special tokens and to neighbours, breadth within the segment."""


def classed(sentences: Sequence[Sentence], *, begins: bool, separates: bool) -> list[ClassedMap]:
    """Every map with its pattern; `begins` and `separates` say which special tokens the model has."""
    return list(_classed(sentences, begins, separates))


def nearest_to_median(maps: Sequence[ClassedMap]) -> list[ClassedMap]:
    """Each head's map that lies nearest to the median of all maps, the nearest of them first; of equally near maps the
    first in the order of heads and sentences.
    """
    if not maps:
        return []
    numbers = np.array([classed_map.numbers for classed_map in maps])
    # Rounded, so that maps that are equally near do not differ by an error of rounding.
    far = np.linalg.norm(numbers - np.median(numbers, axis=0), axis=1).round(9)
    chosen: dict[tuple[int, int], ClassedMap] = {}
    for at in sorted(range(len(maps)), key=lambda at: (far[at], maps[at][:3])):
        chosen.setdefault((maps[at].layer, maps[at].head), maps[at])
    return list(chosen.values())


def _classed(sentences: Sequence[Sentence], begins: bool, separates: bool) -> Iterator[ClassedMap]:
    for sentence, (example, kinds) in enumerate(
        zip(sentences, _kinds([item.tokens for item in sentences], begins, separates), strict=True)
    ):
        special, near, breadth = numbers_of(example.weights, kinds)
        chosen = classify(special, near, np.ones_like(near), breadth, two_segments=False).argmax(0)
        for layer, head in np.ndindex(*chosen.shape):
            numbers = float(special[layer, head]), float(near[layer, head]), float(breadth[layer, head])
            yield ClassedMap(layer + 1, head + 1, sentence, PATTERNS[int(chosen[layer, head])], numbers)


@makes(TYPICAL, "special", "near", "breadth")
def numbers_of(weights: np.ndarray, kinds: Sequence[TokenClass]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The numbers that the rule needs from maps of one segment: attention to special tokens, `attention.near`, and
    `attention.segment_breadth`, each `[layer, head]`. They are defined as the measures but computed without torch,
    because pages use this.
    """
    n, place = len(kinds), np.arange(len(kinds))
    added = np.isin(kinds, list(ADDED))
    beside = (np.abs(place[:, None] - place) <= 1) & ~added
    # A weight of 0 adds nothing, and its logarithm would make it NaN.
    entropy = -np.einsum("lhqk,lhqk->lh", weights, np.log(np.maximum(weights, np.finfo(np.float32).tiny)))
    breadth = entropy / (n * np.log(n)) if n > 1 else np.full(entropy.shape, np.nan)
    return weights[..., added].sum((-1, -2)) / n, weights[..., beside].sum(-1) / n, np.minimum(breadth, 1)


def _kinds(sentences: Sequence[Sequence[str]], begins: bool, separates: bool) -> list[tuple[TokenClass, ...]]:
    """The class of every token; a token with which all sentences begin or end counts as added by the tokenizer.

    This is only done if the model has a begin token or a separator, because sentences may all end with the same mark.
    """
    found = [[CLASS_OF.get(bare(token), TokenClass.OTHER) for token in tokens] for tokens in sentences]
    for kind, place, has in ((TokenClass.BEGIN, 0, begins), (TokenClass.SEPARATOR, -1, separates)):
        if has and len({tokens[place] for tokens in sentences}) == 1:
            for kinds in found:
                # Sentences may all end with a full stop, which is no separator.
                kinds[place] = kind if kinds[place] is not TokenClass.PUNCTUATION else kinds[place]
    return [tuple(kinds) for kinds in found]
