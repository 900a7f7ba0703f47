"""Intervals over documents: the percentile bootstrap, seeded, the same draws for every column; and several at once.

A lowest or highest number of several is chosen after looking, so ends of single intervals say too much of it. Where the
numbers are of the same documents, `simultaneous` makes intervals that hold for all of them from their joint draws;
where each stands alone, with an interval already, `widened` draws that out.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

DRAWS = 1000
LEVEL = 0.95
FEW_DOCUMENTS = 10
"""With fewer documents an interval over documents means little."""
_TAILS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
ROUNDING = 1e-12
"""Draws that spread no further do not vary at all."""


class Estimate(NamedTuple):
    """A mean over documents and its interval; arrays of one shape."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    """Documents in which the number is defined."""


class Resampled(NamedTuple):
    """A number, and what it is in each resampling; numbers of the same resampling are combined draw by draw."""

    value: np.ndarray
    draws: np.ndarray
    """`[draw, ...]`, the shape of `value` after its first axis."""
    n: np.ndarray
    """Documents in which the number is defined."""

    def minus(self, other: "Resampled") -> "Resampled":
        """The difference of two numbers; `n` is this one's. Paired where both were resampled alike."""
        return Resampled(self.value - other.value, self.draws - other.draws, self.n)

    def over(self, other: "Resampled") -> "Resampled":
        """The ratio of two numbers, paired likewise."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return Resampled(self.value / other.value, self.draws / other.draws, self.n)

    def mean(self, chosen: np.ndarray) -> "Resampled":
        """Plain mean over the entries of the first axis that are marked, such as layers; `n` is the least of theirs."""
        n = self.n[chosen].min(axis=0)
        return Resampled(self.value[chosen].mean(axis=0), self.draws[:, chosen].mean(axis=1), n)

    def estimate(self) -> Estimate:
        """With its 95 % interval; NaN where fewer than two documents define the number."""
        value = np.asarray(self.value, float)
        low, high = np.full_like(value, np.nan), np.full_like(value, np.nan)
        several = np.asarray(self.n) > 1
        if several.any():
            low[several], high[several] = np.nanquantile(self.draws[:, several], _TAILS, axis=0)
        return Estimate(value, low, high, np.asarray(self.n))


def bootstrap(rows: np.ndarray, seed: int) -> Estimate:
    """Mean over the first axis with a 95 % interval; NaN marks a document that does not define the number.

    `rows` is `[document, ...]`. With fewer than two documents the interval is NaN: there is nothing to resample.

    >>> bootstrap(np.array([1.0, 3.0, np.nan]), seed=0).value.item()
    2.0
    """
    return resample(rows, seed).estimate()


def bootstrap_ratio(part: np.ndarray, whole: np.ndarray, seed: int) -> Estimate:
    """Sum of `part` over sum of `whole` with a 95 % interval, documents resampled whole: a share of pooled words.

    `part` is `[document, ...]`; `whole` is of the same shape, or `[document]` where one total serves all. `n` counts
    the documents whose total is not zero; with fewer than two of them the interval is NaN.

    >>> bootstrap_ratio(np.array([1.0, 2.0]), np.array([2, 4]), seed=0).value.item()
    0.5
    """
    return resample_ratio(part, whole, seed).estimate()


def resample(rows: np.ndarray, seed: int) -> Resampled:
    """What `bootstrap` takes its interval from."""
    defined = ~np.isnan(rows)
    return resample_ratio(np.where(defined, rows, 0.0), defined, seed)


def resample_ratio(part: np.ndarray, whole: np.ndarray, seed: int) -> Resampled:
    """What `bootstrap_ratio` takes its interval from."""
    documents = part.shape[0]
    above = part.reshape(documents, -1)
    below = np.broadcast_to(whole.reshape(documents, *whole.shape[1:], *(1,) * (part.ndim - whole.ndim)), part.shape)
    below = below.reshape(documents, -1).astype(float)
    counts = sample_counts(documents, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = above.sum(0) / below.sum(0)
        draws = (counts @ above) / (counts @ below)
    shape = part.shape[1:]
    return Resampled(value.reshape(shape), draws.reshape(DRAWS, *shape), (below > 0).sum(0).reshape(shape))


def sample_counts(units: int, seed: int) -> np.ndarray:
    """`[draw, unit]`: how often each document, or whatever else is resampled, is drawn."""
    even = np.full(units, 1 / units)
    return np.random.default_rng(seed).multinomial(units, even, size=DRAWS).astype(float)


def interval(draws: np.ndarray) -> tuple[float, float]:
    """95 % percentile interval of one number's `[draw]`; NaN where none is defined."""
    if np.isnan(draws).all():
        return np.nan, np.nan
    low, high = np.nanquantile(draws, _TAILS)
    return float(low), float(high)


def simultaneous(value: np.ndarray, draws: np.ndarray, rounding: float = ROUNDING) -> tuple[np.ndarray, np.ndarray]:
    """Ends of 95 % intervals that hold for all numbers at once, from draws that all of them share.

    `value` has any shape and `draws` is `[draw, ...]`. An interval is as many standard deviations of its own draws wide
    as the number furthest from its value is in 95 % of the draws (max-statistic bootstrap). Numbers that draws
    move no further than `rounding` have an interval of width 0; undefined ones stay so; neither takes part in the
    maximum.

    >>> low, high = simultaneous(np.array([0.0, 5.0]), np.array([[-1.0, 5.0], [1.0, 5.0]]))
    >>> low.tolist(), high.tolist()
    ([-1.0, 5.0], [1.0, 5.0])
    """
    defined = ~np.isnan(value) & ~np.isnan(draws).all(0)
    deviation = np.full(value.shape, np.nan)
    deviation[defined] = np.nanstd(draws[:, defined], axis=0)
    deviation[deviation < rounding] = 0.0
    moved = deviation > 0
    width = 0.0
    if moved.any():
        apart = np.abs(draws[:, moved] - value[moved]) / deviation[moved]
        width = float(np.quantile(np.nan_to_num(apart).max(1), LEVEL))
    return value - width * deviation, value + width * deviation


def lowest(value: np.ndarray, draws: np.ndarray, n: int) -> Estimate:
    """The least of several numbers of the same `n` documents, from `value [number]` and `draws [draw, number]`.

    Its ends are the least lower and the least upper end of intervals that hold for all numbers at once. It is
    undefined where one of them is, and its interval where there is nothing to resample.
    """
    low, high = simultaneous(value, draws) if n > 1 else (np.full(value.shape, np.nan),) * 2
    return Estimate(*map(np.asarray, (value.min(), low.min(), high.min(), n)))


def highest(value: np.ndarray, draws: np.ndarray, n: int) -> Estimate:
    """The greatest of several numbers, with the greatest of these ends."""
    least = lowest(-value, -draws, n)
    return Estimate(-least.value, -least.high, -least.low, least.n)


def widened(value: float, low: float, high: float, several: int) -> tuple[float, float]:
    """Ends of a 95 % interval drawn out so that it and those of `several` numbers in all hold at once (Sidak 1967).

    Each gets the level 0.95 ** (1 / several): its ends move away from the value as those of a normal distribution do.
    This holds for independent numbers, such as those of different tasks, and is too wide rather than too narrow for
    others, and for intervals that already hold for several numbers within a task.

    >>> [round(end, 2) for end in widened(1.0, 0.0, 3.0, 2)]
    [-0.14, 3.28]
    """
    wanted, given = (norm.ppf((1 + level) / 2) for level in (LEVEL ** (1 / several), LEVEL))
    factor = float(wanted / given)
    return value - factor * (value - low), value + factor * (high - value)
