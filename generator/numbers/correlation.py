"""Correlations with their intervals, of numbers and of their ranks, where entries count as often as they are drawn."""

import numpy as np

from generator.numbers.number import UNDEFINED, Number
from generator.numbers.resampling import DRAWS, ROUNDING, estimated, sample_counts, sample_places


def rank_correlation(first: np.ndarray, second: np.ndarray, seed: int) -> Number:
    """Spearman's correlation of two arrays with a bootstrap interval over their entries; pairs with NaN are left out.

    Undefined with fewer than three pairs, or where either side is constant.
    """
    both = ~np.isnan(first) & ~np.isnan(second)
    pairs = np.stack([first[both], second[both]])
    n = pairs.shape[1]
    if n < 3 or not np.ptp(pairs, axis=1).all():
        return UNDEFINED._replace(n=n)
    # One count for all draws: the places of each draw lie in a range of their own.
    places = n * np.arange(DRAWS)[:, None] + sample_places(n, seed)
    counts = np.bincount(places.ravel(), minlength=DRAWS * n).reshape(DRAWS, n)
    value, draws = (spearman(pairs[:1], pairs[1], times)[:, 0] for times in (np.ones((1, n)), counts))
    return estimated(value[0], draws, n)


def partial_rank_correlation(first: np.ndarray, second: np.ndarray, held: np.ndarray, seed: int) -> Number:
    """Spearman's correlation of two arrays `[entry]` with those of `held [array, entry]` held fixed: Pearson's
    correlation of what a linear fit to the ranks of `held` leaves of both ranks. The bootstrap draws entries.

    An array of `held` that is constant holds nothing fixed. Undefined with fewer than three entries more than arrays
    are held, where either side is constant, or where the held arrays say all of it.

    >>> first, second, held = np.array([1.0, 2, 3, 4, 5]), np.array([9.0, 8, 3, 2, 1]), np.array([[1.0, 0, 0, 1, 0]])
    >>> round(partial_rank_correlation(first, second, held, seed=0).value, 9)
    -1.0
    """
    n = len(first)
    kept = [row for row in held if n and np.ptp(row)]
    if n < 3 + len(kept) or not (np.ptp(first) and np.ptp(second)):
        return UNDEFINED._replace(n=n)
    rows = np.stack([first, second, *kept]).astype(float)
    value, draws = (_partial(rows, counts) for counts in (np.ones((1, n)), sample_counts(n, seed)))
    return estimated(value[0], draws, n)


def spearman(several: np.ndarray, other: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """`[draw, row]`: Spearman's correlation of each row of `several [row, entry]` with `other [entry]`, where an entry
    counts as often as `counts [draw, entry]` says; NaN where a side is constant.

    >>> spearman(np.array([[3.0, 5.0, 9.0]]), np.array([1.0, 0.0, 2.0]), np.array([[1, 1, 1], [0, 2, 1]])).tolist()
    [[0.5], [1.0]]
    """
    middle = (counts.sum(1, keepdims=True) + 1) / 2
    second = _ranks(other, counts) - middle
    squares = (counts * second**2).sum(1)
    found = []
    for row in several:
        first = _ranks(row, counts) - middle
        weighted = counts * first
        spread = np.sqrt((weighted * first).sum(1) * squares)
        nothing = np.full(len(spread), np.nan)
        found.append(np.divide((weighted * second).sum(1), spread, out=nothing, where=spread > 0))
    return np.stack(found, axis=1)


def plain_spearman(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """`[...]`: Spearman's correlation over the last axis, whose entries all count once; NaN where a side is constant.

    It rounds in another order than `spearman`, so their last digits may differ.

    >>> plain_spearman(np.array([[3.0, 5.0, 9.0], [9.0, 5.0, 3.0]]), np.array([1.0, 2.0, 4.0])).round(9).tolist()
    [1.0, -1.0]
    """
    from scipy.stats import rankdata  # noqa: PLC0415 - takes most of a second to load, and no page needs it

    a, b = (rankdata(side, axis=-1) - (side.shape[-1] + 1) / 2 for side in (first, second))
    with np.errstate(invalid="ignore"):
        found: np.ndarray = (a * b).sum(-1) / (np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1))
    return found


def pearson(first: np.ndarray, second: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """`[draw]`: weighted Pearson correlation of two `[draw, entry]`; NaN if one side does not vary.

    >>> pearson(np.array([[1.0, 2.0, 9.0]]), np.array([[4.0, 6.0, 0.0]]), np.array([[1, 3, 0]])).round(9).tolist()
    [1.0]
    """
    total = weights.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        a, b = (array - ((weights * array).sum(1) / total)[:, None] for array in (first, second))
        spread = np.sqrt((weights * a * a).sum(1) / total) * np.sqrt((weights * b * b).sum(1) / total)
        found: np.ndarray = (weights * a * b).sum(1) / total / spread
    return np.where(spread > ROUNDING**2, found, np.nan)


def _partial(rows: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """`[draw]`: the correlation of the ranks of the first two of `rows [array, entry]` with those of the others held
    fixed; NaN in draws in which an array is constant, or the held ones say all of another.
    """
    centred = np.stack([_ranks(row, counts) for row in rows], axis=1) - ((counts.sum(1) + 1) / 2)[:, None, None]
    products = np.einsum("dae,dbe,de->dab", centred, centred, counts)
    length = np.sqrt(np.diagonal(products, axis1=1, axis2=2))
    with np.errstate(invalid="ignore", divide="ignore"):
        between = products / (length[:, :, None] * length[:, None, :])
        between[np.isnan(between).any((1, 2)) | (np.linalg.det(between[:, 2:, 2:]) < ROUNDING)] = np.nan
        said = between[:, :2, 2:] @ np.linalg.inv(between[:, 2:, 2:]) @ between[:, 2:, :2]
        left = between[:, :2, :2] - said
        spread = left[:, 0, 0] * left[:, 1, 1]
        found: np.ndarray = np.where(spread > ROUNDING, left[:, 0, 1] / np.sqrt(spread), np.nan)
    return np.clip(found, -1, 1)


def _ranks(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The rank of each entry among all that are drawn, `[draw, entry]`; equal values share the mean of their ranks."""
    _, place, often = np.unique(values, return_inverse=True, return_counts=True)
    starts = np.cumsum(often) - often
    equal = np.add.reduceat(counts[:, np.argsort(values)], starts, axis=1)
    # Equal values take up the ranks that end at their running total, and share the middle of these.
    ranks: np.ndarray = (np.cumsum(equal, axis=1) - (equal - 1) / 2)[:, place]
    return ranks
