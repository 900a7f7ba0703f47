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


def bootstrap(rows: np.ndarray, seed: int) -> Estimate:
    """Mean over the first axis with a 95 % interval; NaN marks a document that does not define the number.

    `rows` is `[document, ...]`. With fewer than two documents the interval is NaN: there is nothing to resample.

    >>> bootstrap(np.array([1.0, 3.0, np.nan]), seed=0).value.item()
    2.0
    """
    documents = rows.shape[0]
    flat = rows.reshape(documents, -1)
    defined = ~np.isnan(flat)
    filled = np.where(defined, flat, 0.0)
    n = defined.sum(0)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(documents, np.full(documents, 1 / documents), size=DRAWS).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = filled.sum(0) / n
        means = (counts @ filled) / (counts @ defined)
    low, high = np.full_like(value, np.nan), np.full_like(value, np.nan)
    several = n > 1
    if several.any():
        tail = (1 - LEVEL) / 2
        low[several], high[several] = np.nanquantile(means[:, several], [tail, 1 - tail], axis=0)
    shape = rows.shape[1:]
    return Estimate(value.reshape(shape), low.reshape(shape), high.reshape(shape), n.reshape(shape))
