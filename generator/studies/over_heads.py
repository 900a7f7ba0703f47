"""Ranks of heads, the middle one, and whether two numbers rise together over heads, from stored tables."""

from collections.abc import Iterable

import numpy as np

from generator.numbers.correlation import rank_correlation
from generator.numbers.makers import makes
from generator.numbers.number import Number, total
from generator.studies.derived_quantities import OF_HEADS, OVER_HEADS

NOISE = 1e-6
"""Numbers that differ by this share of themselves are the same in float32."""


@makes(OF_HEADS, "rank")
def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks of heads by a number, both `[layer, head]`: 1 for the highest, equal heads share the better rank, and 0
    for a head whose number is undefined. Heads are equal if their numbers differ by the noise of float32 alone.
    """
    # `[layer, head, layer, head]`: each head beside all heads.
    others, own = values[None, None], values[..., None, None]
    above = ((others > own) & ~np.isclose(others, own, rtol=NOISE, atol=0)).sum((-1, -2))
    return np.where(np.isnan(values), 0, above + 1)


@makes(OF_HEADS, "middle")
def middle(values: Iterable[float]) -> float:
    """The median of a number over heads; of two in the middle the lower, which half of the heads do not exceed.

    >>> middle([0.3, 0.1, 0.2, 0.4])
    0.2
    """
    found = sorted(values)
    return found[(len(found) - 1) // 2]


@makes(OF_HEADS, "next_door")
def next_door(previous: Number, following: Number) -> Number:
    """A head's attention to the previous and the next token together, with an interval as wide as both."""
    return total(previous, following)


@makes(OVER_HEADS, "next_door.{link}")
def links_next_door(link: np.ndarray, previous: np.ndarray, following: np.ndarray, seed: int) -> Number:
    """Spearman's correlation, over heads, of the weight on a kind of link with attention to neighbours.

    All arguments are `[layer, head]`; attention to the previous and to the next token is added up (Kovaleva et al.
    2019, section 4.5). Heads are resampled; those for which a number is undefined are left out.
    """
    return rank_correlation(link.ravel(), (previous + following).ravel(), seed)


@makes(OVER_HEADS, "cost.{number}")
def explains_cost(number: np.ndarray, change: np.ndarray, seed: int) -> Number:
    """Spearman's correlation, over heads, of a number with what a task loses without the head.

    Both are `[layer, head]`; `change` is the change of the score when the head is disabled, the loss is its negative.
    Heads are resampled.
    """
    return rank_correlation(number.ravel(), -change.ravel(), seed)
