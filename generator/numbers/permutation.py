"""Permutation tests: how often units in a random order give a statistic as extreme as they give in their own order."""

import numpy as np

from generator.numbers.number import Number
from generator.numbers.resampling import proportion

PERMUTATIONS = 1000
"""How many orders a test draws."""


def orders(units: int, seed: int) -> np.ndarray:
    """`[order, unit]`: the places of the units, 0-based, in PERMUTATIONS random orders."""
    in_order = np.tile(np.arange(units), (PERMUTATIONS, 1))
    return np.random.default_rng(seed).permuted(in_order, axis=1)


def chance_of(as_extreme: np.ndarray) -> float:
    """The p-value of a test, from whether each of the orders that were drawn is as extreme as the units' own order.

    The own order counts as one more, so the result is never 0 and a test at any level is wrong no more often than it
    says (Phipson and Smyth 2010; Davison and Hinkley 1997, chapter 4).

    >>> chance_of(np.array([True, False, False]))
    0.5
    """
    return float((1 + as_extreme.sum()) / (1 + len(as_extreme)))


def over_orders(chance: float) -> Number:
    """A p-value of PERMUTATIONS orders with an interval for the draw of orders, which `n` counts with the own order.

    >>> over_orders(1 / (1 + PERMUTATIONS)).n
    1001
    """
    return proportion(round(chance * (1 + PERMUTATIONS)), 1 + PERMUTATIONS)
