"""The places of a sentence that numbers fill, and how these are turned and written."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from generator.claims.claim import Judgement
from generator.numbers import writing
from generator.numbers.number import Number, alone, one_minus
from generator.pages.claims.figures import SAID_UNITS, number_of
from generator.results.manifest import Manifest

POINTS, MORE, AHEAD = "points", "more", "ahead"
Judged = Sequence[tuple[Manifest, Judgement]]


def _times(one: Number) -> Number:
    value, low, high = (1 / end if end else math.inf for end in one[:3])
    return Number(value, high, low, one.n)


TURNS: Mapping[str, tuple[Callable[[Number], Number], str | None]] = {
    "": (lambda one: one, None),
    POINTS: (lambda one: one, POINTS),
    MORE: (lambda one: one, None),
    AHEAD: (lambda one: one, POINTS),
    "share": (lambda one: one, "share"),
    "less": (one_minus, "share"),
    "times": (_times, ""),
}
"""Word after the colon -> the function that changes the number, and the new unit, None if it stays the same."""


class Place(NamedTuple):
    """A place of a sentence that a number fills."""

    order: int
    """The part whose number it is, counted from 0."""
    turn: Callable[[Number], Number]
    unit: str
    against: Sequence[float]
    more: bool = False
    """Whether the sign is written as a word."""

    def known(self, alike: Judged) -> list[Number]:
        """The numbers for this place, of all models that have one."""
        return [self.turn(number) for _, judgement in alike if (number := number_of(judgement, self.order))]

    def write(self, one: Number, *, ends: bool = True) -> str:
        """A number as it is written in the sentence; without `ends` it is rounded as beside its interval."""
        if self.more:
            size = Number(-one.value, -one.high, -one.low, one.n) if one.value < 0 else one
            return f"{self._replace(more=False).write(size, ends=ends)} {'less' if one.value < 0 else MORE}"
        if self.unit in {"share", POINTS}:
            return writing.percent(one, "%" if self.unit == "share" else POINTS, against=self.against, ends=ends)
        unit = self.unit if self.unit in SAID_UNITS else ""
        if ends:
            return writing.written(one, unit, against=self.against)
        return f"{writing.number(*one[:3], against=self.against)} {unit}".rstrip()

    def range(self, numbers: Sequence[Number]) -> str:
        """One number with its interval, or the lowest and the highest of several. Of differences below 0 the smaller
        one comes first: "1 to 2 points less"; on both sides of 0 they are "between 1 point less and 2 points more".
        """
        if len(numbers) == 1:
            (one,) = numbers
            return self.write(alone(one.value) if one.low == one.high else one)
        first, *_, last = sorted(numbers, key=lambda one: one.value)
        below, around = self.more and last.value < 0, self.more and first.value < 0 <= last.value
        low, high = (self.write(end, ends=False) for end in ((last, first) if below else (first, last)))
        if around:
            return f"between {low} and {high}"
        (start, _, unit), (_, _, other) = low.partition(" "), high.partition(" ")
        return high if low == high else f"{start if unit == other else low} to {high}"
