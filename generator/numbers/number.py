"""A number with its interval, and how intervals of stored numbers combine.

Where only finished intervals are stored, their ends are combined as if all numbers were off in the worst direction at
once. For numbers from the same or from independent text the result is never too narrow.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.stats import binomtest, rankdata

from generator.numbers.resampling import DRAWS, LEVEL, Estimate, bootstrap

TAILS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)


class Number(NamedTuple):
    """A number and its 95 % interval; undefined is NaN."""

    value: float
    low: float
    high: float
    n: int
    """Documents, words, relations or heads it was taken over."""

    @classmethod
    def of(cls, row: Mapping[str, Any], value: str = "value", low: str = "low", high: str = "high") -> Self:
        """The number that stands in these columns of a row, and in `n`."""
        return cls(row[value], row[low], row[high], row["n"])


UNDEFINED = Number(math.nan, math.nan, math.nan, 0)
"""Where there is nothing to take a number of."""


def exact(value: float, n: int) -> Number:
    """A number that is counted, not estimated: its interval is itself."""
    return Number(value, value, value, n)


def proportion(right: int, n: int) -> Number:
    """A share of few things, such as relations, with Wilson's interval; undefined for none of none.

    >>> proportion(3, 4)._replace(low=0, high=1)
    Number(value=0.75, low=0, high=1, n=4)
    """
    if n == 0:
        return UNDEFINED
    interval = binomtest(right, n).proportion_ci(LEVEL, method="wilson")
    return Number(right / n, float(interval.low), float(interval.high), n)


def difference(first: Number, second: Number) -> Number:
    """First minus second, as wide as both intervals together."""
    low, high = first.low - second.high, first.high - second.low
    return Number(first.value - second.value, low, high, min(first.n, second.n))


def total(first: Number, second: Number) -> Number:
    """The sum, as wide as both intervals together."""
    return difference(first, Number(-second.value, -second.high, -second.low, second.n))


def mean_of(estimate: Estimate, chosen: np.ndarray) -> Number:
    """Plain mean of the chosen entries of a curve; undefined where none is chosen or one is NaN."""
    if not chosen.any() or np.isnan(estimate.value[chosen]).any():
        return UNDEFINED
    value, low, high = (float(part[chosen].mean()) for part in estimate[:3])
    return Number(value, low, high, int(estimate.n[chosen].min()))


def number_at(estimate: Estimate, place: tuple[int, ...], asked: float = 1.0) -> Number:
    """One entry of a curve or grid, as a share of what is asked for."""
    value, low, high = (float(part[place]) / asked for part in estimate[:3])
    return Number(value, low, high, int(estimate.n[place]))


def mean_in(means: np.ndarray, layers: np.ndarray) -> np.ndarray:
    """Mean over the heads of the chosen layers of `[draw, layer, head]`, `[draw]`; NaN where no layer is chosen."""
    chosen: np.ndarray = means[:, layers].mean((1, 2)) if layers.any() else np.full(len(means), np.nan)
    return chosen


def mean_over(values: np.ndarray, seed: int) -> Number:
    """Mean of the defined entries with a bootstrap interval over them, in the order given; undefined for none."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return UNDEFINED
    value, low, high, n = bootstrap(defined, seed)
    return Number(float(value), float(low), float(high), int(n))


def rank_correlation(first: np.ndarray, second: np.ndarray, seed: int) -> Number:
    """Spearman's correlation of two arrays with a bootstrap interval over their entries; pairs with NaN are left out.

    Undefined with fewer than three pairs, or where either side is constant.
    """
    both = ~np.isnan(first) & ~np.isnan(second)
    pairs = np.stack([first[both], second[both]])
    n = pairs.shape[1]
    if n < 3 or not np.ptp(pairs, axis=1).all():
        return UNDEFINED._replace(n=n)
    drawn = np.random.default_rng(seed).integers(0, n, (DRAWS, n))
    low, high = np.nanquantile(_spearman(pairs[:, drawn]), TAILS)
    return Number(float(_spearman(pairs[:, None])[0]), float(low), float(high), n)


def _spearman(pairs: np.ndarray) -> np.ndarray:
    """Of each row of `[side, draw, entry]`; NaN where a side is constant."""
    ranks = rankdata(pairs, axis=-1)
    ranks -= ranks.mean(-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        found: np.ndarray = ranks.prod(0).sum(-1) / np.sqrt((ranks**2).sum(-1).prod(0))
    return found
