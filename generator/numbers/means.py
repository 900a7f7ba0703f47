"""Means over defined values: a document or a head for which a number is undefined is left out; and a median."""

from collections.abc import Iterable

import numpy as np


def defined_mean(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """Mean over an axis of all values that are not NaN; NaN where all are.

    >>> defined_mean(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([ 2., nan])
    """
    defined = ~np.isnan(values)
    count = defined.sum(axis)
    total = np.where(defined, values, 0).sum(axis)
    mean: np.ndarray = np.divide(
        total, count, out=np.full(total.shape, np.nan, np.result_type(total, np.float32)), where=count > 0
    )
    return mean


def lower_median(values: Iterable[float]) -> float:
    """The median; of an even number of values the lower of the two in the middle, which half do not exceed.

    >>> lower_median([0.3, 0.1, 0.2, 0.4])
    0.2
    """
    found = sorted(values)
    return found[(len(found) - 1) // 2]
