"""A number with its interval, or a grid of numbers, and how finished intervals are combined.

If only finished intervals are stored, their ends are combined as if all numbers were off in the worst direction at
once. The result is never too narrow, whether the numbers come from the same or from independent text.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Value = TypeVar("Value", bound=float | np.ndarray, default=float)
else:
    from typing import TypeVar

    Value = TypeVar("Value")


class Number(NamedTuple, Generic[Value]):
    """A number and its 95 % interval, or many of them as arrays of one shape; undefined is NaN."""

    value: Value
    low: Value
    high: Value
    n: Any
    """How many documents, words, relations or heads it was computed from: an integer, or an array of them."""

    @classmethod
    def of(cls, row: Mapping[str, Any], value: str = "value", low: str = "low", high: str = "high") -> Self:
        """The number in these columns of a row and its column `n`."""
        return cls(row[value], row[low], row[high], row["n"])

    def at(self, *place: int) -> "Number":
        """One number of a grid: the entry at this place of the arrays.

        >>> Number(np.array([0.1, 0.2]), np.array([0.0, 0.1]), np.array([0.2, 0.3]), np.array([4, 5])).at(1)
        Number(value=0.2, low=0.1, high=0.3, n=5)
        """
        value, low, high = (float(np.asarray(part)[place]) for part in self[:3])
        return Number(value, low, high, int(np.asarray(self.n)[place]))

    def part(self, *place: Any) -> "Grid":
        """Those numbers of a grid that lie at this place, which may have slices and `...`.

        >>> grid = Number(*(np.array([[0.1, 0.2], [0.3, 0.4]]),) * 3, np.array([[4, 5], [6, 7]]))
        >>> grid.part(..., 1).value.tolist(), grid.part(0).n.tolist()
        ([0.2, 0.4], [4, 5])
        """
        return Number(*(np.asarray(part)[place] for part in self))


Grid: TypeAlias = Number[np.ndarray]
"""Many numbers, such as those of all layers and heads."""
UNDEFINED = Number(math.nan, math.nan, math.nan, 0)
"""The number to use if there is nothing to compute one from."""


def exact(value: float, n: int) -> Number:
    """A number that is counted, not estimated: both ends of its interval are the value."""
    return Number(value, value, value, n)


def alone(value: float, n: int = 0) -> Number:
    """A number whose interval is not known."""
    return Number(value, math.nan, math.nan, n)


def all_alone(values: np.ndarray, n: int | np.ndarray = 0) -> Grid:
    """Many numbers whose intervals are not known; `n` is the same for all, or an array of the shape of `values`."""
    nothing = np.full(values.shape, np.nan)
    return Number(values, nothing, nothing, np.broadcast_to(n, values.shape))


def difference(first: Number, second: Number) -> Number:
    """First minus second, as wide as both intervals together."""
    low, high = first.low - second.high, first.high - second.low
    return Number(first.value - second.value, low, high, min(first.n, second.n))


def total(first: Number, second: Number) -> Number:
    """The sum, as wide as both intervals together."""
    return difference(first, Number(-second.value, -second.high, -second.low, second.n))


def one_minus(number: Number[Any]) -> Number[Any]:
    """1 minus a number or each of many, so that the ends of its interval change places."""
    return Number(1 - number.value, 1 - number.high, 1 - number.low, number.n)


def apart(number: Number, other: Number) -> bool:
    """Whether two intervals have no value in common; false if either is undefined."""
    return number.high < other.low or other.high < number.low


def mean_of(estimate: Grid, chosen: np.ndarray) -> Number:
    """Plain mean of the chosen entries of a curve; undefined where none is chosen or one is NaN."""
    if not chosen.any() or np.isnan(estimate.value[chosen]).any():
        return UNDEFINED
    value, low, high = (float(part[chosen].mean()) for part in estimate[:3])
    return Number(value, low, high, int(estimate.n[chosen].min()))


def mean_in(means: np.ndarray, layers: np.ndarray) -> np.ndarray:
    """Mean over the heads of the chosen layers: `[draw, layer, head]` -> `[draw]`; NaN if no layer is chosen."""
    chosen: np.ndarray = means[:, layers].mean((1, 2)) if layers.any() else np.full(len(means), np.nan)
    return chosen
