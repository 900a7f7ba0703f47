"""Rank correlations: Spearman's with its interval, Kendall's of many rows at once."""

import numpy as np
from scipy.stats import rankdata

from generator.numbers.number import UNDEFINED, Number
from generator.numbers.resampling import estimated, sample_places


def rank_correlation(first: np.ndarray, second: np.ndarray, seed: int) -> Number:
    """Spearman's correlation of two arrays with a bootstrap interval over their entries; pairs with NaN are left out.

    Undefined with fewer than three pairs, or where either side is constant.
    """
    both = ~np.isnan(first) & ~np.isnan(second)
    pairs = np.stack([first[both], second[both]])
    n = pairs.shape[1]
    if n < 3 or not np.ptp(pairs, axis=1).all():
        return UNDEFINED._replace(n=n)
    drawn = sample_places(n, seed)
    return estimated(_spearman(pairs[:, None])[0], _spearman(pairs[:, drawn]), n)


def _spearman(pairs: np.ndarray) -> np.ndarray:
    """Spearman's correlation of each row of `[side, draw, entry]`; NaN where a side is constant."""
    ranks = rankdata(pairs, axis=-1)
    ranks -= ranks.mean(-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        found: np.ndarray = ranks.prod(0).sum(-1) / np.sqrt((ranks**2).sum(-1).prod(0))
    return found


def kendall(first: np.ndarray, second: np.ndarray, counts: np.ndarray | bool = True) -> np.ndarray:
    """Kendall's tau-b of each row of `first [..., entry]` with that of `second`, `[...]`; NaN where either is constant.

    Only entries marked in `counts [..., entry]` count. Takes a time that grows with n log n (Knight 1966).

    >>> kendall(np.array([1.0, 2, 3, 3]), np.array([1.0, 3, 2, 2])).round(3).item()
    0.2
    """
    first, second, counts = np.broadcast_arrays(first, second, counts)
    n = first.shape[-1]
    left_out = n - counts.sum(-1)
    # What does not count is put below all else on both sides, where it is tied among itself and agrees with the rest.
    a, b = (rankdata(np.where(counts, one, -np.inf), "dense", axis=-1).astype(np.int64) for one in (first, second))
    both = np.sort(a * (n + 1) + b, axis=-1)
    untied = [n * (n - 1) // 2 - _ties(np.sort(one, axis=-1)) - left_out * (n - left_out) for one in (a, b)]
    tied = n * (n - 1) // 2 - left_out * (n - left_out) - _ties(both)
    agree = sum(untied) - tied - 2 * _inversions(both % (n + 1))
    with np.errstate(invalid="ignore"):
        tau: np.ndarray = np.clip(agree / np.sqrt(untied[0]) / np.sqrt(untied[1]), -1, 1)
    return tau


def _ties(ordered: np.ndarray) -> np.ndarray:
    """Pairs of equal entries in each ascending row."""
    pairs: np.ndarray = (np.arange(ordered.shape[-1]) - _starts(ordered)).sum(-1)
    return pairs


def _starts(ordered: np.ndarray) -> np.ndarray:
    """For each entry of ascending rows the place of the first one that equals it."""
    new = np.concatenate([np.ones_like(ordered[..., :1], bool), np.diff(ordered, axis=-1) > 0], axis=-1)
    return np.maximum.accumulate(np.where(new, np.arange(ordered.shape[-1]), 0), axis=-1)


def _inversions(ranks: np.ndarray) -> np.ndarray:
    """Pairs of each row of whole numbers in which the larger comes first, counted at the highest bit that differs."""
    found = np.zeros(ranks.shape[:-1], np.int64)
    for bit in reversed(range(int(ranks.max()).bit_length())):
        one = ranks >> bit & 1
        before = one.cumsum(-1) - one
        before -= np.take_along_axis(before, _starts(ranks >> bit + 1), -1)
        found += ((1 - one) * before).sum(-1)
        ranks = np.take_along_axis(ranks, np.argsort(ranks >> bit, axis=-1, kind="stable"), -1)
    return found
