"""How much more data would decide what an interval leaves open."""

import math
from collections.abc import Sequence

from generator.claims.bounds import Bound
from generator.numbers.number import Number

OF_THE_MODEL = frozenset({"heads", "relations", "token types", "kinds of token", "head", "model"})
"""Units that a model has a fixed number of: more text does not give more of them."""
HOPELESS = 1000
"""If this many times the units at hand would be needed, asking for more is no advice."""


def needed(name: str, bounds: Sequence[Bound], number: Number, over: str, *, heads: bool = False) -> str:
    """A sentence: about how many units would decide an open number if its estimate stays.

    Intervals narrow with the square root of the number of units, and the half that reaches over a bound must shrink to
    the distance between the bound and the value. If the interval resamples `heads` too, more units shrink it less.
    Empty if there is no interval.
    """
    if math.isnan(number.low) or math.isnan(number.high):
        return ""
    start = name[0].upper() + name[1:]
    if over in OF_THE_MODEL:
        return f"{start} rests on all {number.n:,} {over} that count here, so more text would hardly decide it."
    if heads:
        return f"{start} rests on the heads that the model has, so more text would hardly decide it."
    crossed = [bound for bound in bounds if bound.met(number.low) != bound.met(number.high)]
    times = max((_times(bound, number) for bound in crossed), default=math.inf)
    if not times < HOPELESS:
        return f"{start} lies so close to its threshold that more {over} alone would hardly decide it."
    many = f"About {_rounded(number.n * times):,} {over}, instead of {number.n:,},"
    return f"{many} would decide {name} if the estimate stays."


def _times(bound: Bound, number: Number) -> float:
    """By what factor the number of units would have to grow for this bound."""
    distance = abs(number.value - bound.at)
    reach = number.value - number.low if number.value > bound.at else number.high - number.value
    # Intervals shrink with the root of the number of units.
    return (reach / distance) ** 2 if distance else math.inf


def _rounded(units: float) -> int:
    """Rounded up, to two digits.

    >>> _rounded(1234.5), _rounded(81.2), _rounded(7.1)
    (1300, 82, 8)
    """
    digits = 10 ** max(math.floor(math.log10(units)) - 1, 0)
    return math.ceil(units / digits) * digits
