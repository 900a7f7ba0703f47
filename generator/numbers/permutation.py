"""Permutation tests: how often chance, by units in another order, gives a statistic as extreme as the one found.

Orders are drawn, or all of them are looked at: the test of Mann and Whitney (1947), whether one group of numbers ranks
above another, is computed exactly. SciPy has it too, but loading `scipy.stats` would take most of a second of every
build.
"""

from functools import lru_cache
from itertools import combinations

import numpy as np
import pandas as pd

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


def chance_of_ranks(ours: np.ndarray, theirs: np.ndarray) -> float:
    """How often chance would rank `ours` as high: of all ways to draw as many numbers from both, the share that does.

    Equal numbers share their mean rank. Every way is looked at, so this is for groups of a few: 5 of 25 have 53,130.

    >>> chance_of_ranks(np.array([3.0, 4.0]), np.array([1.0, 2.0]))  # one way of six
    0.16666666666666666
    """
    ranks = pd.Series(np.concatenate([ours, theirs])).rank().to_numpy()
    ways = ranks[_ways(len(ranks), len(ours))].sum(1)
    return float((ways >= ranks[: len(ours)].sum()).mean())


@lru_cache(maxsize=2)
def _ways(all_of_them: int, some: int) -> np.ndarray:
    """`[way, place]`: all ways to choose some of the first whole numbers."""
    return np.array(list(combinations(range(all_of_them), some)))
