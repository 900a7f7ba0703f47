"""How alike the maps of two models are on the same inputs: cosine by head (Kovaleva et al. 2019, section 4.3), and
the pairing of heads that differ least.

Kovaleva et al.'s released code compares maps padded to one size, padding rows included; here a map holds the real
tokens of its input alone.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from generator.numbers.number import Grid, Number
from generator.numbers.resampling import bootstrap, resample
from generator.numbers.simultaneous import lowest
from generator.studies.halves import reported
from generator.topics.distances.compute.divergence import pairwise


class Twins(NamedTuple):
    """The pairing of two models' heads with the least sum of divergences between matched heads."""

    heads: np.ndarray
    """`[pair]`, 0-based among all heads of the first model, layer by layer; as many as the smaller model has."""
    matches: np.ndarray
    """`[pair]`, the matched heads of the second model, 0-based in the same way."""
    divergence: Grid
    """`[pair]`: Jensen-Shannon divergence of the two heads, in nats."""
    matched: Grid
    """The mean divergence over the pairs."""
    every: Grid
    """The mean divergence of all heads of one model from all heads of the other: what a random pairing would give."""


def cosines(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """`[layer, head]`: the cosine of two maps of one input, each flattened; from 0 to 1, as no weight is negative.

    Both are `[layer, head, query, key]`. Equal maps have a cosine of 1 exactly.
    """
    a, b = first.astype(float), second.astype(float)
    both, of_a, of_b = (np.einsum("lhqk,lhqk->lh", x, y) for x, y in ((a, b), (a, a), (b, b)))
    # Rounding may go beyond 1.
    return np.minimum(both / np.sqrt(of_a * of_b), 1.0)


def last_least(rows: np.ndarray, seed: int) -> Number:
    """How much more the last layers change than any other, from cosines `[document, layer]` of two layers or more.

    The number is the smallest cosine among the layers before the last sixth, minus the mean cosine of that last sixth
    (the last two of twelve layers). Above 0, the last layers change more than every other.
    """
    layers = rows.shape[1]
    last = np.arange(layers) >= layers - math.ceil(layers / 6)
    apart = rows[:, ~last] - rows[:, last].mean(1, keepdims=True)
    found = resample(apart, seed)
    return lowest(found.value, found.draws, len(rows))


def divergences(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """`[head of first, head of second]`: the Jensen-Shannon divergence of every two heads in nats, mean over rows.

    Both arguments are maps `[layer, head, query, key]` of one input; heads are numbered layer by layer. The definition
    is that of `generator.topics.distances.compute.divergence`.
    """
    maps = [array.reshape(-1, *array.shape[2:]) for array in (first, second)]
    size = len(maps[0])
    pairs = pairwise(np.concatenate(maps)[None])
    down, across = np.triu_indices(size + len(maps[1]), 1)
    between = (down < size) & (across >= size)
    # Pairs across the models come in the order of the first model's heads, for each in that of the second's.
    return pairs[between].reshape(size, -1)


class Pairs(NamedTuple):
    """A pairing of two models' heads, and the documents on which it was not chosen."""

    heads: np.ndarray
    """`[pair]`, 0-based among all heads of the first model, layer by layer; as many as the smaller model has."""
    matches: np.ndarray
    """`[pair]`, the matched heads of the second model, 0-based in the same way."""
    left: np.ndarray
    """`[document]`: whether a document was left for reporting."""

    def of(self, rows: np.ndarray) -> np.ndarray:
        """`[document, pair]` from `[document, head, head]`: the values of paired heads in the documents left for
        reporting.
        """
        return rows[self.left][:, self.heads, self.matches]


def pair(names: list[str], rows: np.ndarray, seed: int) -> Pairs:
    """Pair heads so that the sum of their divergences is least, from `rows [document, head, head]`.

    `names` are the documents'. Heads are paired on one half of the documents; if a half is empty, all documents serve
    for pairing and for reporting.
    """
    left = reported(names, seed)
    apart = left.any() and not left.all()
    left = left if apart else np.ones(len(names), bool)
    heads, matches = linear_sum_assignment((rows[~left] if apart else rows).mean(0))
    return Pairs(heads, matches, left)


def twins(names: list[str], rows: np.ndarray, seed: int) -> Twins:
    """How alike paired heads are, from divergences `rows [document, head, head]`; `names` are the documents'."""
    found = pair(names, rows, seed)
    pairs = found.of(rows)
    return Twins(
        found.heads,
        found.matches,
        bootstrap(pairs, seed),
        bootstrap(pairs.mean(1), seed),
        bootstrap(rows[found.left].mean((1, 2)), seed),
    )
