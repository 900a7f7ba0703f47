"""Intervals over documents: the percentile bootstrap, seeded, the same draws for every column."""

from typing import NamedTuple

import numpy as np

DRAWS = 1000
LEVEL = 0.95
FEW_DOCUMENTS = 10
"""With fewer documents an interval over documents means little."""


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
            tail = (1 - LEVEL) / 2
            low[several], high[several] = np.nanquantile(self.draws[:, several], [tail, 1 - tail], axis=0)
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
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(documents, np.full(documents, 1 / documents), size=DRAWS).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = above.sum(0) / below.sum(0)
        draws = (counts @ above) / (counts @ below)
    shape = part.shape[1:]
    return Resampled(value.reshape(shape), draws.reshape(DRAWS, *shape), (below > 0).sum(0).reshape(shape))
