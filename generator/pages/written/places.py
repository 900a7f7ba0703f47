"""The places of a sentence that numbers fill, and how one number, or a range of several, is written there."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from generator.claims.claim import Judgement, Part
from generator.numbers import writing
from generator.numbers.number import Number, alone, one_minus
from generator.pages.claims.figures import SAID_UNITS, number_of
from generator.results.manifest import Manifest

Judged = Sequence[tuple[Manifest, Judgement]]
"""Models with their judgements on a claim."""
POINTS, MORE, AHEAD, COUNT = "points", "more", "ahead", "n"


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
    COUNT: (lambda one: alone(float(one.n)), ""),
}
"""Word after the colon -> the function that changes the number, and the new unit, None if it stays the same."""


class Filling(NamedTuple):
    """How a number is written in a sentence."""

    alone: str
    value: float
    told: str
    """As an end of a range."""


class Place(NamedTuple):
    """A place of a sentence that a number fills."""

    order: int
    """The part whose number it is, counted from 0."""
    turn: Callable[[Number], Number]
    unit: str
    against: Sequence[float]
    more: bool = False
    """Whether the sign is written as a word."""
    measured: bool = True
    """Whether it tells the number itself, and not on how many it was counted."""

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

    def filling(self, one: Number) -> Filling:
        """A number alone, with its interval if it has one, and rounded as in a range."""
        return Filling(
            self.write(alone(one.value) if one.low == one.high else one), one.value, self.write(one, ends=False)
        )

    def range(self, numbers: Sequence[Number]) -> str:
        """One number with its interval, or the lowest and the highest of several."""
        return ranged([self.filling(one) for one in numbers], more=self.more)


def ranged(fillings: Sequence[Filling], *, more: bool = False) -> str:
    """One number with its interval, or the lowest and the highest of several.

    If the sign is a word, of differences below 0 the smaller one comes first: "1 to 2 points less"; those on both sides
    of 0 are "1 to 2 points less or 3 points more".
    """
    if len(fillings) == 1:
        return fillings[0].alone
    told = sorted(fillings, key=lambda one: one.value)
    below = [one for one in told if one.value < 0][::-1] if more else []
    return " or ".join(_span(some) for some in (below, told[len(below) :]) if some)


def _span(fillings: Sequence[Filling]) -> str:
    """The first and the last of several, whose unit and sign stand once."""
    low, high = fillings[0].told, fillings[-1].told
    (start, _, unit), (_, _, other) = low.partition(" "), high.partition(" ")
    return high if low == high else f"{start if unit == other else low} to {high}"


def place_of(part: Part, order: int, turn: str = "") -> Place:
    """The place that tells a claim's part, counted from 0, turned by one of `TURNS`."""
    turned, unit = TURNS[turn]
    more = turn in (MORE, AHEAD)
    against = tuple(map(abs, part.against)) if more else () if turn else part.against
    return Place(order, turned, part.unit if unit is None else unit, against, more, turn != COUNT)
