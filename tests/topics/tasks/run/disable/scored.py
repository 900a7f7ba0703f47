"""Scores of single samples by scikit-learn and SciPy."""

from collections.abc import Callable, Mapping

import numpy as np
from scipy import stats
from sklearn import metrics

Metric = Callable[[np.ndarray, np.ndarray], float]


def _accuracy(predicted: np.ndarray, gold: np.ndarray) -> float:
    return float(metrics.accuracy_score(gold, predicted))


def _f1(predicted: np.ndarray, gold: np.ndarray) -> float:
    return float(metrics.f1_score(gold, predicted, zero_division=0.0))


def _matthews(predicted: np.ndarray, gold: np.ndarray) -> float:
    return float(metrics.matthews_corrcoef(gold, predicted))


def _pearson(predicted: np.ndarray, gold: np.ndarray) -> float:
    return float(stats.pearsonr(predicted, gold).statistic) if _vary(predicted, gold) else np.nan


def _spearman(predicted: np.ndarray, gold: np.ndarray) -> float:
    return float(stats.spearmanr(predicted, gold).statistic) if _vary(predicted, gold) else np.nan


METRICS: Mapping[str, Metric] = {
    "accuracy": _accuracy,
    "f1": _f1,
    "matthews": _matthews,
    "pearson": _pearson,
    "spearman": _spearman,
}


def score(metric: str, predicted: np.ndarray, gold: np.ndarray) -> float:
    """A score of `[example]` class indices, or of `[example]` values for a regression."""
    return METRICS[metric](predicted, gold)


def _vary(*values: np.ndarray) -> bool:
    return all(np.ptp(value) > 0 for value in values)
