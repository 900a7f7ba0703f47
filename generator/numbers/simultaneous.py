"""Intervals of several numbers at once.

The lowest or highest of several numbers is chosen after looking at all of them, so its own interval claims too much. If
the numbers come from the same documents, `simultaneous` computes intervals that hold for all of them from their joint
draws; if they are separate and already have intervals, `widened` makes these wider.
"""

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

import numpy as np

from generator.numbers.number import Number
from generator.numbers.resampling import LEVEL, REACH, ROUNDING


def simultaneous(value: np.ndarray, draws: np.ndarray, rounding: float = ROUNDING) -> tuple[np.ndarray, np.ndarray]:
    """Ends of 95 % intervals that hold for all numbers at once, from draws that all of them share.

    `value` has any shape and `draws` is `[draw, ...]`. Each draw gives the largest deviation of any number from its
    value, in standard deviations of that number's draws. The 95 % quantile of these maxima says how many standard
    deviations every interval reaches to either side (max-statistic bootstrap). A number whose draws have a standard
    deviation below `rounding` has an interval of width 0, an undefined one stays undefined, and neither takes part in
    the maximum.

    >>> low, high = simultaneous(np.array([0.0, 5.0]), np.array([[-1.0, 5.0], [1.0, 5.0]]))
    >>> low.tolist(), high.tolist()
    ([-1.0, 5.0], [1.0, 5.0])
    """
    defined = ~np.isnan(value) & ~np.isnan(draws).all(0)
    deviation = np.full(value.shape, np.nan)
    deviation[defined] = np.nanstd(draws[:, defined], axis=0)
    deviation[deviation < rounding] = 0.0
    moved = deviation > 0
    width = 0.0
    if moved.any():
        # An interval that reaches as far as the largest of these in 95 % of draws holds for all numbers at once.
        apart = np.abs(draws[:, moved] - value[moved]) / deviation[moved]
        width = float(np.quantile(np.nan_to_num(apart).max(1), LEVEL))
    return value - width * deviation, value + width * deviation


def lowest(value: np.ndarray, draws: np.ndarray, n: int) -> Number:
    """The least of several numbers of the same `n` documents, from `value [number]` and `draws [draw, number]`.

    Its ends are the least lower and the least upper end of intervals that hold for all numbers at once. It is
    undefined if one of the numbers is; its interval is undefined if there is nothing to resample.
    """
    low, high = simultaneous(value, draws) if n > 1 else (np.full(value.shape, np.nan),) * 2
    return Number(float(value.min()), float(low.min()), float(high.min()), n)


def highest(value: np.ndarray, draws: np.ndarray, n: int) -> Number:
    """The greatest of several numbers, as `lowest` gives the least; its ends are the greatest lower and upper ones."""
    least = lowest(-value, -draws, n)
    return Number(-least.value, -least.high, -least.low, least.n)


def widened(number: Number, several: int) -> Number:
    """The number with its interval widened so that the intervals of `several` numbers hold together (Sidak 1967).

    Each interval gets the level 0.95 ** (1 / several): its ends move away from the value as those of a normal
    distribution do. This is exact for independent numbers, such as those of different tasks. For others, and for
    intervals that already hold for several numbers within a task, it is too wide rather than too narrow.

    >>> [round(end, 2) for end in widened(Number(1.0, 0.0, 3.0, 7), 2)]
    [1.0, -0.14, 3.28, 7]
    """
    factor = NormalDist().inv_cdf((1 + LEVEL ** (1 / several)) / 2) / REACH
    value, low, high, n = number
    return Number(value, value - factor * (value - low), value + factor * (high - value), n)


def significant(chances: np.ndarray, tests: int) -> np.ndarray:
    """Which p-values remain if at most 5 % of those that do may be by chance (Benjamini and Hochberg 1995).

    `tests` is the number of all tests; the p-values that are left out count as 1.

    >>> significant(np.array([0.04, 0.001]), 2).tolist(), significant(np.array([0.04, 0.001]), 3).tolist()
    ([True, True], [False, True])
    """
    ranked = np.sort(chances)
    among = ranked <= (1 - LEVEL) * np.arange(1, len(ranked) + 1) / tests
    # All up to the largest that keeps below its line, even where one between does not.
    found: np.ndarray = chances <= ranked[among].max(initial=0)
    return found


def two_sided(deviations: float) -> float:
    """How often a normally distributed number lies at least so many standard deviations from its mean, to either side.

    A negative number of deviations gives up to 2: an estimate on the wrong side of a bound.

    >>> round(two_sided(REACH), 3)
    0.05
    """
    return math.erfc(deviations / math.sqrt(2))


def at_once(numbers: Sequence[Number]) -> list[Number]:
    """The same numbers with wider intervals, which hold for all of them at once."""
    return [widened(number, len(numbers)) for number in numbers]


def least_of(numbers: Iterable[Number], n: int | None = None) -> Number:
    """The least of several numbers.

    Their intervals are widened to hold for all at once; its ends are the least of their lower and of their upper ends.

    >>> least_of([Number(0.25, 0.0, 0.5, 5)]), least_of([Number(0.25, 0.25, 0.25, 5), Number(0.5, 0.5, 0.5, 7)])
    (Number(value=0.25, low=0.0, high=0.5, n=5), Number(value=0.25, low=0.25, high=0.25, n=12))
    """
    parts = at_once(list(numbers))
    value, low, high = (min(part[at] for part in parts) for at in range(3))
    return Number(value, low, high, sum(part.n for part in parts) if n is None else n)


def greatest_of(numbers: Iterable[Number], n: int | None = None) -> Number:
    """The greatest of several numbers, with an interval made as in `least_of`."""
    least = least_of((Number(-part.value, -part.high, -part.low, part.n) for part in numbers), n)
    return Number(-least.value, -least.high, -least.low, least.n)


def mean(numbers: Iterable[Number], n: int | None = None) -> Number:
    """The mean of several numbers; the ends of its interval are the means of their ends.

    >>> mean([Number(0.25, 0.125, 0.5, 5), Number(0.5, 0.375, 0.75, 7)])
    Number(value=0.375, low=0.25, high=0.625, n=12)
    """
    parts = list(numbers)
    value, low, high = (sum(part[at] for part in parts) / len(parts) for at in range(3))
    return Number(value, low, high, sum(part.n for part in parts) if n is None else n)
