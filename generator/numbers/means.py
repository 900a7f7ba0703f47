"""Means of what is defined: a document, or a head, that does not define a number says nothing of it."""

import numpy as np


def defined_mean(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """Mean over an axis of what is not NaN; NaN where nothing is defined.

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
