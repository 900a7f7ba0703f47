"""Whether one group of numbers ranks above another: the test of Mann and Whitney (1947), computed exactly.

SciPy has it too, but loading `scipy.stats` would take most of a second of every build.
"""

from functools import lru_cache
from itertools import combinations

import numpy as np
import pandas as pd


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
