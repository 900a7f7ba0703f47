"""What may be said of a head, the checks that it has to meet, and whether it is given or refused.

A statement declares four kinds of checks: its premise, such as enough words to count on; the range that its number must
surely reach; a null that could reach it as well, such as an untrained model; and what stands elsewhere in the stored
tables and would contradict it. It is given if all of them are met, and otherwise it is not said.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_args

from generator.claims.bounds import counted
from generator.claims.cutoffs import MAINLY
from generator.numbers.number import Number
from generator.numbers.simultaneous import widened
from generator.numbers.writing import joined, pieces
from generator.numbers.writing import number as written

Asks = Literal["premise", "range", "null", "elsewhere"]
"""The kinds of checks, in the order in which a refusal names them."""
Place = tuple[int, int]
"""Layer and head, from 1."""
Row = Mapping[str, Any]


class Check(NamedTuple):
    """One thing that a statement has to meet."""

    asks: Asks
    met: bool
    found: str
    """What was found, as a clause."""


class Statement(NamedTuple):
    """Something that may be said of a head, such as a name."""

    place: Place
    kind: str
    about: str
    """What it is about: a relation, one or two columns of measures, a window, or a task."""
    number: Number
    """The number on which it rests."""
    checks: tuple[Check, ...]
    rows: tuple[tuple[str, Row], ...]
    """The stored rows that were read: the name of the table, and the row; the one that decides stands first."""
    only: str = ""
    """Where alone it is true, as the name says it after what it is about; empty if nothing else was found."""

    @property
    def given(self) -> bool:
        """Whether it may be said."""
        return all(check.met for check in self.checks)

    @property
    def refused(self) -> Check | None:
        """The first check that is not met, premises before ranges; None if it is given."""
        missed = (check for check in self.checks if not check.met)
        return min(missed, key=lambda check: get_args(Asks).index(check.asks), default=None)

    def of(self, table: str) -> tuple[Row, ...]:
        """The rows of one table that were read."""
        return tuple(row for name, row in self.rows if name == table)


def given(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Those that may be said."""
    return tuple(statement for statement in statements if statement.given)


def least(n: int, fewest: int, units: str, where: str) -> Check:
    """That a number was counted on enough; `where` follows the count, such as "of the articles"."""
    return Check("premise", n >= fewest, f"counted on {counted(n, units)} {where} (at least {fewest})")


def above(number: Number, bound: float, several: int, what: str) -> Check:
    """That a number lies above a bound, with an interval that is widened for so many numbers."""
    sure = widened(number, several)
    met = bool(number.value > bound and sure.low > bound)
    # True of NaN alone, as a number without an interval has.
    low = "no interval" if sure.low != sure.low else f"from {written(sure.low)} with all {several} heads in view"
    return Check("range", met, f"{what} is {joined(*pieces(number))}, {low} (above {written(bound)})")


def beats(number: Number, null: float, what: str, times: float = 1.0) -> Check:
    """That a number surely lies above what nothing learned would give, or so many times as much; an undefined null
    cannot win.
    """
    asked = f" (above {times:g} times as much)" if times > 1 else ""
    return Check("null", not number.low <= times * null, f"{what} gives {written(null)}{asked}")


def mostly(right: Number) -> bool:
    """Whether a head is surely right more often than wrong, without which it finds a part of something."""
    return bool(right.low > MAINLY)
