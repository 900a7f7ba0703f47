"""Numbers of checkpoints that no table holds, computed from what is stored: intervals, and what guessing reaches."""

import numpy as np

from generator.numbers.makers import makes
from generator.numbers.number import Grid, Number, one_minus
from generator.numbers.resampling import proportion
from generator.topics.learning.records.derived import OF_CURVES


@makes(OF_CURVES, "next_accuracy")
def accuracy(share: float, n: int) -> Number:
    """An accuracy with Wilson's interval; the number of right inputs follows from their stored share of `n`."""
    return proportion(round(share * n), n)


@makes(OF_CURVES, "commoner_answer")
def commoner_answer(follows: Number) -> Number:
    """How often always giving the commoner of two answers is right, from the share of inputs that want one of them.

    >>> commoner_answer(Number(0.25, 0.125, 0.5, 8))
    Number(value=0.75, low=0.5, high=0.875, n=8)
    """
    return follows if follows.value >= 0.5 else one_minus(follows)


@makes(OF_CURVES, "half_width")
def widest_half(found: Grid) -> float:
    """The largest half width of many intervals; NaN where there is none."""
    half = (found.high - found.low) / 2
    return np.nan if np.isnan(half).all() else float(np.nanmax(half))


@makes(OF_CURVES, "breadth")
def layer_breadth(entropy: Grid, uniform: float) -> Grid:
    """Mean entropies divided by that of uniform attention; ends that would lie above 1 are put there, as documents are
    resampled whose own uniform entropy is not stored.

    >>> [part.item() for part in layer_breadth(Number(*map(np.array, (3.9, 3.8, 4.1, 70))), 4.0)]
    [0.975, 0.95, 1.0, 70]
    """
    value, low, high = (np.minimum(part / uniform, 1.0) for part in entropy[:3])
    return Number(value, low, high, entropy.n)
