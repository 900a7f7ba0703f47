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
from generator.numbers.resampling import bootstrap, sample_counts
from generator.numbers.simultaneous import lowest
from generator.studies.distances.divergence import pairwise
from generator.studies.halves import reported


class Twins(NamedTuple):
    """The pairing of two models' heads in which matched heads differ least in all."""

    heads: np.ndarray
    """`[pair]`, 0-based among all heads of the first model, layer by layer; as many as the smaller model has."""
    matches: np.ndarray
    """`[pair]`, the same of the second."""
    divergence: Grid
    """`[pair]`, nats."""
    matched: Grid
    """Mean over the pairs."""
    every: Grid
    """Mean over all heads of one with all heads of the other: what a pairing at random would give."""


def cosines(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """`[layer, head]`: the cosine of two maps of one input, each flattened; 0 to 1, for no weight is negative.

    Both are `[layer, head, query, key]`. Equal maps have a cosine of 1 exactly.
    """
    a, b = first.astype(float), second.astype(float)
    both, of_a, of_b = (np.einsum("lhqk,lhqk->lh", x, y) for x, y in ((a, b), (a, a), (b, b)))
    return np.minimum(both / np.sqrt(of_a * of_b), 1.0)


def last_least(rows: np.ndarray, seed: int) -> Number:
    """How much more the last layers change than any other, from cosines `[document, layer]` of two layers or more.

    The cosine of a layer minus the mean of the last sixth of the layers (the last two of twelve), the least among the
    layers before them: above 0 the last layers change more than every other.
    """
    documents, layers = rows.shape
    last = np.arange(layers) >= layers - math.ceil(layers / 6)
    apart = rows[:, ~last] - rows[:, last].mean(1, keepdims=True)
    return lowest(apart.mean(0), sample_counts(documents, seed) @ apart / documents, documents)


def divergences(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """`[head, head]`: mean over rows of the Jensen-Shannon divergence, nats, of all heads with all others.

    Both are `[layer, head, query, key]` of one input; heads run layer by layer, those of `first` down, those of
    `second` across. The definition is that of `generator.studies.distances.divergence`.
    """
    maps = [one.reshape(-1, *one.shape[2:]) for one in (first, second)]
    size = len(maps[0])
    pairs = pairwise(np.concatenate(maps)[None])
    down, across = np.triu_indices(size + len(maps[1]), 1)
    between = (down < size) & (across >= size)
    return pairs[between].reshape(size, -1)


class Pairs(NamedTuple):
    """A pairing of two models' heads, and the documents that it did not see."""

    heads: np.ndarray
    """`[pair]`, 0-based among all heads of the first model, layer by layer; as many as the smaller model has."""
    matches: np.ndarray
    """`[pair]`, the same of the second."""
    left: np.ndarray
    """`[document]`: whether it was left for reporting."""

    def of(self, rows: np.ndarray) -> np.ndarray:
        """`[document, pair]` from `[document, head, head]`: the values of paired heads in the documents left."""
        return rows[self.left][:, self.heads, self.matches]


def pair(names: list[str], rows: np.ndarray, seed: int) -> Pairs:
    """Pair heads so that they differ least in all, by `rows [document, head, head]`; `names` are the documents'.

    Heads are paired on one half of the documents; where a half is empty, on all, and all are reported.
    """
    left = reported(names, seed)
    apart = left.any() and not left.all()
    left = left if apart else np.ones(len(names), bool)
    heads, matches = linear_sum_assignment((rows[~left] if apart else rows).mean(0))
    return Pairs(heads, matches, left)


def twins(names: list[str], rows: np.ndarray, seed: int) -> Twins:
    """How alike paired heads are, by `rows [document, head, head]`; `names` are the documents'."""
    found = pair(names, rows, seed)
    pairs = found.of(rows)
    return Twins(
        found.heads,
        found.matches,
        bootstrap(pairs, seed),
        bootstrap(pairs.mean(1), seed),
        bootstrap(rows[found.left].mean((1, 2)), seed),
    )
