"""Whether two numbers of heads rise together: rank correlations over the heads of a model, of what studies stored."""

import numpy as np

from generator.numbers.correlation import rank_correlation
from generator.numbers.number import Number


def links_next_door(link: np.ndarray, previous: np.ndarray, following: np.ndarray, seed: int) -> Number:
    """Spearman's correlation, over heads, of the weight on a kind of link with attention to neighbours.

    All are `[layer, head]`; attention to the previous and the next token is added up (Kovaleva et al. 2019, section
    4.5). Heads are resampled; one without a number is left out.
    """
    return rank_correlation(link.ravel(), (previous + following).ravel(), seed)


def explains_cost(number: np.ndarray, change: np.ndarray, seed: int) -> Number:
    """Spearman's correlation, over heads, of any number of theirs with what a task loses without each.

    `change` is that of the score when the head is disabled, and the loss is the same with the sign turned. Heads are
    resampled.
    """
    return rank_correlation(number.ravel(), -change.ravel(), seed)
