"""The places of a sentence that numbers fill: how the number of one model, or the least and the most of several, is
written there.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from generator.claims.claim import Claim, Part
from generator.errors import SiteError
from generator.numbers import writing
from generator.numbers.number import Number, alone, one_minus
from generator.pages.claims.figures import SAID_UNITS, are_shares, number_of
from generator.pages.claims.tables import Ledger
from generator.pages.inline import Link, Prose
from generator.pages.links import to_claim, to_model
from generator.pages.written.in_markdown import anchor
from generator.pages.written.in_markdown import sentence as in_markdown

POINTS, MORE, AHEAD = "points", "more", "ahead"
ELSEWHERE = ", where another part decides"
"""What follows the name of a claim that fails, or is open, for some model by a part that is not told."""
_PLACE = re.compile(r"\{([^{}]*)\}")


def _times(number: Number) -> Number:
    value, low, high = (1 / end if end else math.inf for end in number[:3])
    return Number(value, high, low, number.n)


TURNS: Mapping[str, tuple[Callable[[Number], Number], str | None]] = {
    "": (lambda number: number, None),
    POINTS: (lambda number: number, POINTS),
    MORE: (lambda number: number, None),
    AHEAD: (lambda number: number, POINTS),
    "share": (lambda number: number, "share"),
    "less": (one_minus, "share"),
    "times": (_times, ""),
}
"""Word after the colon -> the function that changes the number, and the new unit, None if it stays the same."""


class Place(NamedTuple):
    """A place of a sentence that a number fills."""

    order: int
    """The part of the claim whose number it is, counted from 0."""
    turn: Callable[[Number], Number]
    unit: str
    against: Sequence[float]
    more: bool
    """Whether the sign is written as a word."""

    def write(self, number: Number) -> str:
        """A number as it is written in the sentence, with its interval if it has one."""
        if self.more:
            word = "less" if number.value < 0 else MORE
            return f"{self._replace(more=False).write(self._size(number))} {word}"
        if self.unit in {"share", POINTS}:
            return writing.percent(number, "%" if self.unit == "share" else POINTS, against=self.against)
        return writing.written(number, self.unit if self.unit in SAID_UNITS else "", against=self.against)

    def span(self, numbers: Sequence[Number]) -> str:
        """One number with its interval, or the least and the most of several."""
        write = self._telling(numbers).write
        least, *_, most = [*sorted(map(self.turn, numbers), key=lambda number: number.value)] * 2
        if len(numbers) == 1:
            return write(alone(least.value) if least.low == least.high else least)
        return " to ".join(dict.fromkeys(write(alone(number.value)) for number in (least, most)))

    def among(self, numbers: Sequence[tuple[Link, Number]], models: int) -> Prose:
        """The number of one model or of two with their intervals, or the least and the most of several; behind each the
        model, but that of a guide of one.
        """
        if models == 1:
            return self.span([number for _, number in numbers])
        place = self._telling([number for _, number in numbers])
        (low, least), *_, (high, most) = [*sorted(numbers, key=lambda pair: self.turn(pair[1]).value)] * 2
        first, last = map(place._end, (least, most))
        if first == last and len(numbers) > 1:
            return f"{first} ({'both' if len(numbers) == 2 else f'all {len(numbers)}'} models)"
        if len(numbers) > 2:
            return f"{first} (", low, f") to {last} (", high, ")"
        both = [(*place._of(link, number), " and ") for link, number in dict.fromkeys([(low, least), (high, most)])]
        return tuple(part for clause in both for part in clause)[:-1]

    def _telling(self, numbers: Sequence[Number]) -> "Place":
        """The place that tells all of these numbers alike: in per cent only if none is a difference that a share cannot
        be.
        """
        shares = are_shares(self.unit, [self._size(self.turn(number)) for number in numbers])
        return self._replace(unit="") if self.unit == "share" and not shares else self

    def _size(self, number: Number) -> Number:
        """What stands before the word that is the sign."""
        if self.more and number.value < 0:
            return Number(-number.value, -number.high, -number.low, number.n)
        return number

    def _end(self, number: Number) -> str:
        """An end of a range; with its interval where the sign is a word that is not sure."""
        turned = self.turn(number)
        return self.write(turned if self.more and turned.low < 0 < turned.high else alone(turned.value))

    def _of(self, link: Link, number: Number) -> tuple[str | Link, ...]:
        text = self.span([number])
        return (f"{text[:-1]}; ", link, ")") if text.endswith(")") else (f"{text} (", link, ")")


def place_of(part: Part, order: int, turn: str = "") -> Place:
    """The place that tells a claim's part, counted from 0, turned by one of `TURNS`."""
    turned, unit = TURNS[turn]
    more = turn in (MORE, AHEAD)
    against = tuple(map(abs, part.against)) if more else () if turn else part.against
    return Place(order, turned, part.unit if unit is None else unit, against, more)


def measured(ledger: Ledger, claim: Claim, sentence: str, page: str) -> str:
    """The sentence with numbers of models for which the claim is judged in its places, and a link to the claim; empty
    where a place has none.

    `{1}` is the number of the claim's first part and `{2}` that of its second. A share is written in percent;
    a difference of shares that lies, or whose interval reaches, beyond what a share can be, is not.
    `{2:points}` writes a difference of shares or scores in points, `{2:less}` says by how many percent a ratio lies
    below 1, `{2:share}` writes a ratio in percent, `{2:times}` its inverse, and `{2:more}` has the sign of a difference
    as a word, "more" or "less"; `{2:ahead}` does so for a difference in points.

    Where a part without a place decides the verdict of a model, words after the link say so.

    Raises SiteError for a place that no number can fill.
    """
    texts: dict[str, str] = {}
    for key in (found[1] for found in _PLACE.finditer(sentence)):
        place = _read(key, claim)
        numbers = [
            (to_model(model.slug, model.model, page), number)
            for model, item in ledger.by_model(claim)
            if item.verdict != "not testable" and (number := number_of(item, place.order))
        ]
        if not numbers:
            return ""
        texts[key] = in_markdown(place.among(numbers, len(ledger.manifests)))
    filled = _PLACE.sub(lambda found: texts[found[1]], sentence)
    told = {int(key.partition(":")[0]) - 1 for key in texts}
    link = anchor(to_claim(claim.id, claim.id, page))
    return f"{filled} ({link}{ELSEWHERE if _decided_elsewhere(ledger, claim, told) else ''})"


def _decided_elsewhere(ledger: Ledger, claim: Claim, told: Collection[int]) -> bool:
    """Whether the claim fails or is open for some model by none of the parts that are told, counted from 0."""
    return any(
        item.verdict in ("fails", "inconclusive") and item.verdict not in {item.findings[at].verdict for at in told}
        for _, item in ledger.by_model(claim)
    )


def _read(text: str, claim: Claim) -> Place:
    """The place that stands between braces."""
    name, _, turn = text.partition(":")
    known = [str(at) for at in range(1, len(claim.parts) + 1)]
    if name not in known or turn not in TURNS:
        places = ", ".join(f"{{{at}}}" for at in known)
        raise SiteError(
            f"Expected {places}, or one with one of {', '.join(filter(None, TURNS))} after a colon, in "
            f'measured("{claim.id}"), found {{{text}}}; correct the page.'
        )
    return place_of(claim.parts[int(name) - 1], int(name) - 1, turn)
