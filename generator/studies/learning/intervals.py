"""Intervals of numbers that were followed over checkpoints, computed from what is stored."""

import numpy as np

from generator.numbers.number import Grid, Number
from generator.numbers.resampling import proportion
from generator.numbers.told import told
from generator.studies.told_quantities import OF_CURVES


@told(OF_CURVES, "next_accuracy")
def accuracy(share: float, n: int) -> Number:
    """An accuracy with Wilson's interval; the number of right inputs follows from their stored share of `n`."""
    return proportion(round(share * n), n)


@told(OF_CURVES, "half_width")
def widest_half(found: Grid) -> float:
    """The largest half width of many intervals; NaN where there is none."""
    half = (found.high - found.low) / 2
    return np.nan if np.isnan(half).all() else float(np.nanmax(half))
