"""GLUE's own scores (Wang et al. 2018, table 1) of many conditions on resampled examples, and intervals of what a
condition changes.

Accuracy and F1 (of class 1) lie in 0..1, the correlations of Matthews, Pearson and Spearman in -1..1. Where predictions
are all equal, Matthews' is 0 and the other two are not defined: NaN.

The conditions are paired: each draw resamples examples, and every condition is scored on the same ones. A score that is
no mean over examples, such as F1 or a correlation, is computed anew for each draw.
"""

from typing import NamedTuple

import numpy as np

from generator.numbers.correlation import spearman
from generator.numbers.resampling import ROUNDING, interval
from generator.numbers.simultaneous import simultaneous

MEAN = "mean"
"""The metric for outcomes that are already scores of single examples, such as losses."""
_FLAT = 1e-12
"""A variance no larger than this, relative to the terms that it is computed from, is rounding."""


class Change(NamedTuple):
    """What conditions change in a score, with intervals, `[condition]`. Below 0 the whole model scored better."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    """95 % percentile interval of each condition by itself."""
    family_low: np.ndarray
    family_high: np.ndarray
    """Wider interval: with a probability of 95 % those of all conditions hold at once."""


def resampled(metric: str, predicted: np.ndarray, gold: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """`[draw, condition]`: scores of predictions `[condition, example]` on samples given as `counts [draw, example]`.

    >>> resampled("accuracy", np.array([[1, 0, 1]]), np.array([1, 0, 0]), np.array([[1, 1, 1], [0, 1, 3]])).tolist()
    [[0.6666666666666666], [0.25]]
    """
    return {
        MEAN: _mean,
        "accuracy": _accuracy,
        "f1": _f1,
        "matthews": _matthews,
        "pearson": _pearson,
        "spearman": spearman,
    }[metric](predicted, gold, counts)


def changes(draws: np.ndarray, value: np.ndarray) -> Change:
    """The changes `value [condition]` with intervals from resampled changes `draws [draw, condition]`.

    A condition whose change is the same in all draws has intervals of width 0.
    """
    draws, value = (np.where(np.abs(part) < ROUNDING, 0.0, part) for part in (draws, value))
    value = np.where(np.isnan(draws).all(0), np.nan, value)
    ends = np.array([interval(column) for column in draws.T]).reshape(-1, 2)
    low, high = np.where(np.isnan(value)[:, None], np.nan, ends).T
    return Change(value, low, high, *simultaneous(value, draws))


def _mean(outcomes: np.ndarray, gold: np.ndarray, counts: np.ndarray) -> np.ndarray:
    del gold
    means: np.ndarray = counts @ outcomes.T / counts.sum(1, keepdims=True)
    return means


def _accuracy(predicted: np.ndarray, gold: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return _mean((predicted == gold).astype(float), gold, counts)


def _f1(predicted: np.ndarray, gold: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """F1 of class 1, `[draw, condition]`; 0 if the class neither occurs nor is predicted."""
    hits = counts @ ((predicted == 1) & (gold == 1)).T
    total = counts @ (predicted == 1).T + (counts @ (gold == 1))[:, None]
    return np.divide(2 * hits, total, out=np.zeros(hits.shape), where=total > 0)


def _matthews(predicted: np.ndarray, gold: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Matthews' correlation for any number of classes (Gorodkin 2004); 0 if all predictions or all labels are equal."""
    n = counts.sum(1, keepdims=True)
    together = predicted_squares = gold_squares = np.zeros((len(counts), len(predicted)))
    for kind in np.union1d(predicted, gold):
        said, true = counts @ (predicted == kind).T, (counts @ (gold == kind))[:, None]
        together, predicted_squares = together + said * true, predicted_squares + said**2
        gold_squares = gold_squares + true**2
    right = counts @ (predicted == gold).T
    spread = np.sqrt((n**2 - predicted_squares) * (n**2 - gold_squares))
    return np.divide(right * n - together, spread, out=np.zeros(right.shape), where=spread > 0)


def _pearson(predicted: np.ndarray, gold: np.ndarray, counts: np.ndarray) -> np.ndarray:
    x, y = predicted - predicted[:, :1], gold - gold[0]  # exactly 0 where all are equal
    n = counts.sum(1, keepdims=True)
    mean_x, mean_y = counts @ x.T / n, (counts @ y)[:, None] / n
    squares_x, squares_y = counts @ (x**2).T / n, (counts @ y**2)[:, None] / n
    both = counts @ (x * y).T / n - mean_x * mean_y
    return _correlation(both, squares_x - mean_x**2, squares_y - mean_y**2, ((x**2).mean(1), (y**2).mean()))


def _correlation(
    both: np.ndarray, squares_x: np.ndarray, squares_y: np.ndarray, size: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Pearson's correlation; NaN where either side does not vary."""
    varies = (squares_x > _FLAT * size[0]) & (squares_y > _FLAT * size[1])
    root = np.sqrt(np.where(varies, squares_x * squares_y, 1.0))
    return np.where(varies, both / root, np.nan)
