"""Whether two numbers of heads rise together: rank correlations over the heads of a model, of what studies stored."""

import numpy as np

from generator.numbers.correlation import rank_correlation
from generator.numbers.number import Number


def links_next_door(link: np.ndarray, previous: np.ndarray, following: np.ndarray, seed: int) -> Number:
    """Of the weight on a kind of link with attention to neighbours: Spearman's, over heads, which are resampled.

    All are `[layer, head]`; attention to the previous and the next token is added up (Kovaleva et al. 2019, section
    4.5). A head without a number is left out.
    """
    return rank_correlation(link.ravel(), (previous + following).ravel(), seed)


def explains_cost(number: np.ndarray, change: np.ndarray, seed: int) -> Number:
    """Of any number of heads with what a task loses without each: Spearman's, over heads, which are resampled.

    `change` is that of the score when the head is disabled, and its loss the same with the sign turned.
    """
    return rank_correlation(number.ravel(), -change.ravel(), seed)
