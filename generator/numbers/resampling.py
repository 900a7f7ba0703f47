"""How intervals are computed: by resampling units, which are documents unless stated otherwise.

The percentile bootstrap is seeded and draws the same units for every column. Shares of few things get Wilson's
interval, those of very few the exact one, and statistics that documents drawn twice would distort get a jackknife.
"""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from generator.numbers.number import UNDEFINED, Grid, Number

DRAWS = 1000
LEVEL = 0.95
TAILS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
"""The quantiles at which an interval ends."""
REACH = NormalDist().inv_cdf(TAILS[1])
"""Standard errors from a number to an end of its interval, where it is normally distributed."""
FEW_UNITS = 10
"""Of fewer units than this the interval of a share is exact: Wilson's covers all-or-nothing counts too seldom."""
HALVINGS = 50
"""Steps by which an end of an exact interval is found: enough for a double."""
FEW_DOCUMENTS = 10
"""With fewer documents an interval over documents means little."""
GROUPS = 100
"""The most groups of units that a jackknife leaves out in turn, because its statistic is computed again for each, and
of which sums are held where those of all units would be large.
"""
TOGETHER = 128
"""Numbers whose draws are made at once: a megabyte, which stays in the processor's cache."""
ROUNDING = 1e-12
"""Draws whose spread is smaller than this count as equal."""


class Resampled(NamedTuple):
    """A number and its value in each resampling; numbers with the same resamplings are combined draw by draw."""

    value: np.ndarray
    draws: np.ndarray
    """`[draw, ...]`; the axes after the first are those of `value`."""
    n: np.ndarray
    """Documents in which the number is defined."""

    def minus(self, other: "Resampled") -> "Resampled":
        """The difference `self - other`, with the `n` of `self`; paired if both were resampled in the same way."""
        return Resampled(self.value - other.value, self.draws - other.draws, self.n)

    def over(self, other: "Resampled") -> "Resampled":
        """The ratio `self / other`, paired as in `minus`."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return Resampled(self.value / other.value, self.draws / other.draws, self.n)

    def mean(self, chosen: np.ndarray) -> "Resampled":
        """Plain mean over the chosen entries of the first axis, such as layers; `n` is the least of theirs."""
        n = self.n[chosen].min(axis=0)
        return Resampled(self.value[chosen].mean(axis=0), self.draws[:, chosen].mean(axis=1), n)

    def joined(self) -> np.ndarray:
        """`[1 + draw, ...]`: the number itself, then its value in each resampling."""
        return np.concatenate([self.value[None], self.draws])

    def estimate(self) -> Grid:
        """The number with its 95 % interval, which is NaN where fewer than two documents define the number."""
        value = np.asarray(self.value, float)
        low, high = np.full_like(value, np.nan), np.full_like(value, np.nan)
        several = np.asarray(self.n) > 1
        if several.any():
            drawn = self.draws[:, several]
            missing = np.isnan(drawn)
            ends = np.quantile(drawn, TAILS, axis=0, overwrite_input=True)  # in another order, they are the same draws
            gaps = missing.any(axis=0) & ~missing.all(axis=0)
            if gaps.any():
                ends[:, gaps] = np.nanquantile(drawn[:, gaps], TAILS, axis=0)  # slow: number by number
            low[several], high[several] = ends
        return Number(value, low, high, np.asarray(self.n))


def bootstrap(rows: np.ndarray, seed: int) -> Grid:
    """Mean over the first axis with a 95 % interval; NaN marks a document that does not define the number.

    `rows` is `[document, ...]`. With fewer than two documents the interval is NaN: there is nothing to resample.

    >>> bootstrap(np.array([1.0, 3.0, np.nan]), seed=0).value.item()
    2.0
    """
    flat = rows.reshape(len(rows), -1)
    starts = range(0, max(flat.shape[1], 1), TOGETHER)
    parts = [resample(flat[:, start : start + TOGETHER], seed).estimate() for start in starts]
    return Number(*(np.concatenate(found).reshape(rows.shape[1:]) for found in zip(*parts, strict=True)))


def bootstrap_ratio(part: np.ndarray, whole: np.ndarray, seed: int) -> Grid:
    """Sum of `part` divided by sum of `whole`, such as a share of pooled words, with a 95 % interval over documents.

    `part` is `[document, ...]`; `whole` has the same axes, or only the first of them where one total serves all numbers
    along the others. `n` counts the documents whose total is not zero; with fewer than two of them the interval is NaN.

    >>> bootstrap_ratio(np.array([1.0, 2.0]), np.array([2, 4]), seed=0).value.item()
    0.5
    """
    return resample_ratio(part, whole, seed).estimate()


def resample(rows: np.ndarray, seed: int) -> Resampled:
    """The draws from which `bootstrap` takes its interval."""
    defined = ~np.isnan(rows)
    if defined.all():
        return resample_ratio(rows, np.ones(len(rows)), seed)
    return resample_ratio(np.where(defined, rows, 0.0), defined, seed)


def resample_ratio(part: np.ndarray, whole: np.ndarray, seed: int) -> Resampled:
    """The draws from which `bootstrap_ratio` takes its interval."""
    documents, *shape = part.shape
    above = part.reshape(documents, -1)
    if whole.ndim > 1:
        whole = np.broadcast_to(whole.reshape(*whole.shape, *(1,) * (part.ndim - whole.ndim)), part.shape)
    below = whole.reshape(documents, -1).astype(float)  # one column if one total serves all
    counts = sample_counts(documents, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = above.sum(0) / below.sum(0)
        # One product makes all draws: a row of counts says how often each document is drawn.
        draws = counts @ above
        draws /= counts @ below
    defined = np.broadcast_to((below > 0).sum(0), above.shape[1:])
    return Resampled(value.reshape(shape), draws.reshape(DRAWS, *shape), defined.reshape(shape))


def sample_counts(units: int, seed: int) -> np.ndarray:
    """`[draw, unit]`: how often each document, or whatever else is resampled, is drawn."""
    return _counts(units, seed).astype(float)


@lru_cache(maxsize=4)
def _counts(units: int, seed: int) -> np.ndarray:
    """The counts of `sample_counts` as bytes: the probability of more than 255 draws of a unit is below 1e-500."""
    rng, even = np.random.default_rng(seed), np.full(units, 1 / units)
    # In ten parts, because the counts come in eight bytes each.
    return np.concatenate([rng.multinomial(units, even, size=DRAWS // 10).astype(np.uint8) for _ in range(10)])


def with_all(counts: np.ndarray) -> np.ndarray:
    """`[1 + draw, unit]` from `[draw, unit]`: puts a sample with every unit once before all others."""
    return np.vstack([np.ones(counts.shape[1]), counts])


def sample_places(units: int, seed: int) -> np.ndarray:
    """`[draw, unit]`: the index of each drawn unit, for a statistic that cannot take counts as weights."""
    return np.random.default_rng(seed).integers(0, units, (DRAWS, units))


def interval(draws: np.ndarray) -> tuple[float, float]:
    """95 % percentile interval of one number's `[draw]`; NaN where none is defined."""
    if np.isnan(draws).all():
        return np.nan, np.nan
    low, high = np.nanquantile(draws, TAILS)
    return float(low), float(high)


def of_joined(values: np.ndarray) -> tuple[float, float, float]:
    """Value, low and high from `[1 + draw]`: a number itself, then its value in each resampling."""
    return float(values[0]), *interval(values[1:])


def outwards(lowest: np.ndarray, highest: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """95 % percentile intervals of `[draw, ...]` whose ends are drawn values, for numbers such as steps or layers.

    With `highest` each draw is itself a range from `lowest` to `highest`.
    """
    low, high = TAILS
    highest = lowest if highest is None else highest
    return np.quantile(lowest, low, axis=0, method="lower"), np.quantile(highest, high, axis=0, method="higher")


def estimated(value: float | np.ndarray, draws: np.ndarray, n: int) -> Number:
    """A statistic with the interval of its draws, which may have any shape; the interval is NaN if `n` is below 2.

    >>> estimated(2.0, np.array([1.0, np.nan, 3.0]), 9)
    Number(value=2.0, low=1.05, high=2.95, n=9)
    """
    low, high = interval(draws) if n > 1 and draws.size else (np.nan, np.nan)
    return Number(float(value), low, high, int(n))


def mean_over(values: np.ndarray, least: float = -np.inf, most: float = np.inf) -> Number:
    """Mean of the defined entries, which lie between `least` and `most`, with Student's interval over them: a bootstrap
    over a handful is too narrow. Undefined if none is defined; one has no interval.

    >>> [round(end, 2) for end in mean_over(np.array([0.0, 1.0, 2.0, np.nan]))]
    [1.0, -1.48, 3.48, 3]
    >>> mean_over(np.array([0.0, 1.0, 2.0]), 0, 3)
    Number(value=1.0, low=0.0, high=3.0, n=3)
    """
    defined = values[~np.isnan(values)]
    n = len(defined)
    if not n:
        return UNDEFINED
    value = float(defined.mean())
    half = jackknife((defined.sum() - defined) / (n - 1)) if n > 1 else np.nan
    low, high = np.clip([value - half, value + half], least, most).tolist()
    return Number(value, low, high, n)


def proportion(right: int, n: int) -> Number:
    """A share of few things, such as relations, with Wilson's interval or, of fewer than FEW_UNITS, the exact one of
    Clopper and Pearson (1934); undefined if `n` is 0.

    >>> proportion(3, 4)._replace(low=0, high=1)
    Number(value=0.75, low=0, high=1, n=4)
    >>> round(proportion(4, 4).low, 4), round(proportion(0, 4).high, 4)
    (0.3976, 0.6024)
    """
    if n == 0:
        return UNDEFINED
    share = right / n
    if n < FEW_UNITS:
        return Number(share, _least_share(right, n), 1 - _least_share(n - right, n), n)
    middle, half = share + REACH**2 / (2 * n), REACH * np.sqrt(share * (1 - share) / n + REACH**2 / (4 * n**2))
    low, high = (float(end / (1 + REACH**2 / n)) for end in (middle - half, middle + half))
    # By rounding alone these ends would miss 0 and 1.
    return Number(share, 0.0 if right == 0 else low, 1.0 if right == n else high, n)


@cache
def _least_share(right: int, n: int) -> float:
    """The lower end of the exact interval: the share at which as many right ones, or more, are as rare as its tail."""
    if right == 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        share = (low + high) / 2
        tail = sum(math.comb(n, at) * share**at * (1 - share) ** (n - at) for at in range(right, n + 1))
        low, high = (share, high) if tail < TAILS[0] else (low, share)
    return low


def with_width(estimate: Grid, least: Sequence[float]) -> Grid:
    """Shares with intervals that have a width even where all units, and so all draws, give the same number.

    The ends are then as far from the number as the lower end of the interval of `proportion` is from 1 if all of as
    many units are right; they are at most 1 and at least `least`, which has a number for each entry of the last axis.

    >>> with_width(Number(np.ones(1), np.ones(1), np.ones(1), np.array([36])), [0]).low.round(3).tolist()
    [0.904]
    """
    same = estimate.low == estimate.high
    few = (estimate.n > 0) & (estimate.n < FEW_UNITS)
    room = np.where(few, 1 - TAILS[0] ** (1 / np.maximum(estimate.n, 1)), REACH**2 / (estimate.n + REACH**2))
    low = np.where(same, np.maximum(estimate.value - room, least), estimate.low)
    high = np.where(same, np.minimum(estimate.value + room, 1), estimate.high)
    return Number(estimate.value, low, high, estimate.n)


def leave_out(units: int, seed: int) -> np.ndarray:
    """`[group, unit]`: 0 for the units of the group and 1 for all others; at most GROUPS groups, whose sizes differ by
    at most one. A single unit gives no group.
    """
    groups = min(units, GROUPS) if units > 1 else 0
    return np.not_equal.outer(np.arange(groups), in_groups(units, seed)).astype(float)


def in_groups(units: int, seed: int) -> np.ndarray:
    """`[unit]`: the 0-based group of each; at most GROUPS groups, whose sizes differ by at most one.

    >>> in_groups(3, seed=0).tolist(), np.bincount(in_groups(250, seed=0)).max().item()
    ([2, 0, 1], 3)
    """
    groups: np.ndarray = np.random.default_rng(seed).permutation(units) % min(units, GROUPS)
    return groups


def jackknife(values: np.ndarray) -> np.ndarray:
    """Half the width of the 95 % interval, from `[group, ...]`: values without each group; NaN for fewer than two."""
    from scipy.special import stdtrit  # noqa: PLC0415 - takes a third of a second to load, and no page needs it

    groups = len(values)
    if groups < 2:
        return np.full(values.shape[1:], np.nan)
    # (g - 1) / g of the sum of squares, which is g times the variance.
    error = np.sqrt((groups - 1) * values.var(axis=0))
    half: np.ndarray = stdtrit(groups - 1, TAILS[1]) * error
    return half


def unit_weights(units: int, rng: np.random.Generator) -> np.ndarray:
    """`[1 + draw, unit]`: the weight of each unit in the mean over all, then in means over resampled units.

    For a bootstrap of two levels, of a mean over units that are themselves measured on a sample, such as trainings that
    are scored on examples: each draw takes its own sample of the examples (`sample_counts`) and its own of the units.

    The variance among few resampled units is too small by the factor (units - 1) / units, so their distance from the
    mean of all is multiplied by the square root of units / (units - 1). A single unit says nothing about how units
    vary.

    >>> unit_weights(2, np.random.default_rng(0)).shape, unit_weights(1, np.random.default_rng(0)).min()
    ((1001, 2), np.float64(1.0))
    """
    even = np.full((1, units), 1 / units)
    if units == 1:
        return np.ones((1 + DRAWS, 1))
    drawn = rng.multinomial(units, even[0], size=DRAWS) / units
    return np.vstack([even, even + (drawn - even) * np.sqrt(units / (units - 1))])
