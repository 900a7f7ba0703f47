"""The best division of a curve over layers into contiguous parts: least squares, every division tried.

Several quantities over the same layers are standardised, each to mean 0 and standard deviation 1 over layers, so that
all weigh the same; the error of a division is the sum of squared deviations from the means of its parts. A model has
few layers, so all divisions are tried and the optimum is exact (Fisher 1958, "On Grouping for Maximum Homogeneity").
"""

from itertools import combinations

import numpy as np

FLAT = 1e-9
"""A quantity whose standard deviation over layers is no larger than this counts as constant, so that rounding makes no
phase.
"""
TIE = 1e-9
"""Divisions whose errors differ by no more than this count as equally good."""


def divisions(layers: int, parts: int) -> np.ndarray:
    """All ways to divide `layers` into at least two `parts`: `[division, cut]`, the 1-based last layers of all but one.

    >>> divisions(4, 3).tolist()
    [[1, 2], [1, 3], [2, 3]]
    """
    return np.array(list(combinations(range(1, layers), parts - 1)), dtype=int).reshape(-1, parts - 1)


def standardise(profile: np.ndarray) -> np.ndarray:
    """Each curve of `[..., layer]` with mean 0 and standard deviation 1; a flat curve becomes 0 throughout."""
    centred = profile - profile.mean(-1, keepdims=True)
    spread = centred.std(-1, keepdims=True)
    return np.divide(centred, spread, out=np.zeros_like(centred), where=spread > FLAT)


def errors(profile: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Squared error of every division, `[..., division]`.

    `profile` is `[..., quantity, layer]`, `cuts` is `[division, cut]`.
    """
    layers = profile.shape[-1]
    start = np.zeros((*profile.shape[:-1], 1))
    total = np.concatenate([start, profile.cumsum(-1)], -1)
    squares = (profile**2).sum((-2, -1))
    edges = np.hstack([np.zeros((len(cuts), 1), int), cuts, np.full((len(cuts), 1), layers)])
    sums = np.diff(total[..., edges], axis=-1)
    explained = (sums**2 / np.diff(edges, axis=-1)).sum((-3, -1))
    found: np.ndarray = squares[..., None] - explained
    return found


def best(profile: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """`[..., division]`: whether a division is as good as the best, up to TIE; for a flat profile all are."""
    found = errors(profile, cuts)
    winners: np.ndarray = found <= found.min(-1, keepdims=True) + TIE
    return winners
