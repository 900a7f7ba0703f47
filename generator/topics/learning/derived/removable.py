"""How many heads can go, from the changes of a score as more and more of them are zeroed."""

from collections.abc import Sequence

import numpy as np

NO_LOSS = 0.01
"""The largest loss that is accepted: a point of a score, or a hundredth of a nat."""


def removable(tried: Sequence[int], value: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[float, float, float]:
    """The share of heads that can go at a loss of no more than NO_LOSS, and the ends of its interval: the share up to
    which the loss is surely this small, and the share up to which the score is not surely lower. NaN if the whole model
    has no score.

    `tried` says how many heads are gone, from none to all. `value`, `low` and `high`, one entry for each, are scores
    minus the whole model's score, with intervals that hold for all entries at once.
    """
    best, sure, most = (_share(tried, kept) for kept in (value >= -NO_LOSS, low >= -NO_LOSS, high >= 0))
    return min(best, most), min(sure, most), most


def _share(tried: Sequence[int], holds: np.ndarray) -> float:
    """The largest share of heads up to which `holds` is true without a break; NaN if it is false from the start."""
    broken = np.flatnonzero(~holds)
    last = broken[0] - 1 if len(broken) else len(tried) - 1
    return tried[last] / tried[-1] if last >= 0 else np.nan
