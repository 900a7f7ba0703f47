"""Spearman's rank correlation with its interval."""

import numpy as np
import pandas as pd

from generator.numbers.number import UNDEFINED, Number
from generator.numbers.resampling import estimated, sample_places


def rank_correlation(first: np.ndarray, second: np.ndarray, seed: int) -> Number:
    """Spearman's correlation of two arrays with a bootstrap interval over their entries; pairs with NaN are left out.

    Undefined with fewer than three pairs, or where either side is constant.
    """
    both = ~np.isnan(first) & ~np.isnan(second)
    pairs = np.stack([first[both], second[both]])
    n = pairs.shape[1]
    if n < 3 or not np.ptp(pairs, axis=1).all():
        return UNDEFINED._replace(n=n)
    drawn = sample_places(n, seed)
    return estimated(_spearman(pairs[:, None])[0], _spearman(pairs[:, drawn]), n)


def _spearman(pairs: np.ndarray) -> np.ndarray:
    """Spearman's correlation of each row of `[side, draw, entry]`; NaN where a side is constant."""
    ranks = pd.DataFrame(np.concatenate(pairs).T).rank().to_numpy().T.reshape(pairs.shape)
    ranks = ranks - ranks.mean(-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        found: np.ndarray = ranks.prod(0).sum(-1) / np.sqrt((ranks**2).sum(-1).prod(0))
    return found
