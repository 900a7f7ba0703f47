"""When something is learned: the first checkpoint that has made most of the final change, and whether frequency helps.

The hypothesis of 2021 says that high frequency makes learning easier and earlier, and that its three phases are
phases of learning too. Both need the same number: the step at which a curve has come far enough.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from generator.results.intervals import DRAWS, LEVEL

NEARLY_ALL = 0.9
"""Of the final change: learned."""
HALF = 0.5


class Correlation(NamedTuple):
    """Spearman's rank correlation with a 95 % interval over items."""

    value: float
    low: float
    high: float
    n: int


def reached(steps: Sequence[float], curve: np.ndarray, share: float = NEARLY_ALL, start: float | None = None) -> float:
    """The first of `steps` at which `curve` has made this share of its change from `start` to its last value.

    Without `start` the change is counted from the first value; with 0 it is the share of the final value. Rising and
    falling curves are alike. NaN where the curve ends where it started, or is not defined throughout.

    >>> reached([0, 10, 20, 30], np.array([5.0, 4.0, 1.5, 1.0]))
    30.0
    """
    first = curve[0] if start is None else start
    change = curve[-1] - first
    if np.isnan(curve).any() or change == 0:
        return float("nan")
    return float(np.asarray(steps)[np.argmax((curve - first) / change >= share)])


def earlier_when_frequent(
    steps: Sequence[float], curves: np.ndarray, counts: np.ndarray, seed: int, share: float = NEARLY_ALL
) -> Correlation:
    """Rank correlation, over token types, of frequency and the step at which a type is learned; below 0: earlier.

    `curves` is `[type, step]` (attention received, or the loss of the type); `counts` is `[type]`. Types come in a
    fixed order, for the bootstrap draws them by place. Types without a step are left out; fewer than three are NaN.
    """
    learned = np.array([reached(steps, curve, share) for curve in curves])
    defined = ~np.isnan(learned)
    learned, frequency = learned[defined], counts[defined]
    n = len(learned)
    if n < 3:
        return Correlation(float("nan"), float("nan"), float("nan"), n)
    draws = np.random.default_rng(seed).integers(0, n, (DRAWS, n))
    found = _spearman(frequency[draws], learned[draws])
    tail = (1 - LEVEL) / 2
    low, high = (float("nan"),) * 2 if np.isnan(found).all() else np.nanquantile(found, [tail, 1 - tail])
    return Correlation(float(_spearman(frequency, learned)), float(low), float(high), n)


def _spearman(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Over the last axis; NaN where either side is constant."""
    a, b = (rankdata(side, axis=-1) for side in (left, right))
    a, b = a - a.mean(-1, keepdims=True), b - b.mean(-1, keepdims=True)
    spread = np.sqrt((a**2).sum(-1) * (b**2).sum(-1))
    return np.divide((a * b).sum(-1), spread, out=np.full(spread.shape, np.nan), where=spread > 0)
