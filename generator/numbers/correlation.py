"""Spearman's rank correlation with its interval."""

import numpy as np

from generator.numbers.number import UNDEFINED, Number
from generator.numbers.resampling import DRAWS, estimated, sample_places


def rank_correlation(first: np.ndarray, second: np.ndarray, seed: int) -> Number:
    """Spearman's correlation of two arrays with a bootstrap interval over their entries; pairs with NaN are left out.

    Undefined with fewer than three pairs, or where either side is constant.
    """
    both = ~np.isnan(first) & ~np.isnan(second)
    pairs = np.stack([first[both], second[both]])
    n = pairs.shape[1]
    if n < 3 or not np.ptp(pairs, axis=1).all():
        return UNDEFINED._replace(n=n)
    places = n * np.arange(DRAWS)[:, None] + sample_places(n, seed)
    counts = np.bincount(places.ravel(), minlength=DRAWS * n).reshape(DRAWS, n)
    return estimated(_spearman(pairs, np.ones((1, n)))[0], _spearman(pairs, counts), n)


def _spearman(pairs: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The correlation in each draw, `[draw]`; NaN where a side is constant.

    `pairs` is `[side, entry]`; `counts`, `[draw, entry]`, says how often a draw has each entry.
    """
    first, second = (_ranks(side, counts) - (len(side) + 1) / 2 for side in pairs)
    weighted = counts * first
    spread = (weighted * first).sum(-1) * (counts * second**2).sum(-1)
    with np.errstate(invalid="ignore"):
        found: np.ndarray = (weighted * second).sum(-1) / np.sqrt(spread)
    return found


def _ranks(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The rank of each entry among all that are drawn, `[draw, entry]`; equal values share the mean of their ranks."""
    _, place, often = np.unique(values, return_inverse=True, return_counts=True)
    starts = np.cumsum(often) - often
    equal = np.add.reduceat(counts[:, np.argsort(values)], starts, axis=1)
    ranks: np.ndarray = (np.cumsum(equal, axis=1) - (equal - 1) / 2)[:, place]
    return ranks
