"""The sentences of a verdict: the numbers that decide it, or why there are none."""

import math
import re
from collections.abc import Sequence

from generator.claims.bounds import Bound, counted
from generator.numbers.number import Number
from generator.numbers.writing import UNDEFINED, listed, pieces

NEEDED = " are needed"
FOR = ", for "
"""Comes before the name of the number for which there are too few units."""
REASON = "Not testable: "
TAKES = ", and this takes "
"""What stands before the thing that a claim needs and the model lacks."""
_MORE = re.compile(rf"; |{TAKES}|{FOR}|: the score is |\.? {REASON}|\.$")
"""Where the reason itself ends. After it may come what to do about it, its numbers, or another reason."""


def too_few(n: int, least: int, over: str, name: str) -> str:
    """The reason that a number rests on too few units, in the form that `untestable` takes."""
    return f"only {counted(n, over)}, where at least {least}{NEEDED}{FOR}{name}"


def untestable(parts: int, reasons: Sequence[str], needs: str = "") -> str:
    """A sentence for each reason; numbers with the same reason share one sentence, which does not name them if they are
    those of all parts. Without a reason, the claim lacks what it `needs`.

    >>> untestable(3, ["no text", too_few(2, 50, "words", "the gain"), too_few(2, 50, "words", "a loss")])
    'Not testable: no text. Not testable: only 2 words, where at least 50 are needed, for the gain and a loss.'
    >>> untestable(2, [too_few(2, 50, "words", "the gain"), too_few(2, 50, "words", "a loss")])
    'Not testable: only 2 words, where at least 50 are needed.'
    >>> untestable(1, ["no maps, for nobody kept them"])
    'Not testable: no maps, for nobody kept them.'
    """
    found: dict[str, dict[str, None]] = {}
    for reason in reasons or [f"it needs {needs}"]:
        why, asked, name = reason.partition(f"{NEEDED}{FOR}")
        found.setdefault(f"{why}{NEEDED}" if asked else why, {})[name] = None
    some = {why: [name for name in names if name] for why, names in found.items()}
    ends = {why: listed(names) if len(names) < parts else "" for why, names in some.items()}
    return " ".join(f"{REASON}{why}{end and FOR}{end}." for why, end in ends.items())


def briefly(reason: str, model: str) -> str:
    """The first reason in a few words, for a sentence that names the model.

    >>> briefly("Not testable: of Tiny only saved maps are at hand, and this takes the model itself.", "Tiny")
    'only saved maps are at hand'
    >>> briefly("Not testable: no such run of Tiny is stored; make one with: fieldguide disable.", "Tiny")
    'no such run is stored'
    >>> briefly("Not testable: RTE was not learned: the score is 0.57 (0.51 to 0.62).", "Tiny")
    'RTE was not learned'
    """
    first = _MORE.split(reason.removeprefix(REASON))[0]
    return first.replace(f"of {model} ", "", 1) if first.startswith("of ") else first.replace(f" of {model}", "", 1)


def said(name: str, number: Number, over: str, against: Sequence[float], end: str) -> str:
    """A clause with a number, its interval, and at its end how the number compares with its threshold."""
    count = counted(number.n, over)
    value, ends = pieces(number, against=against)
    if math.isnan(number.low):
        return f"{name} is {value}, but {count} {'gives' if number.n == 1 else 'give'} no interval"
    spread = "" if ends == UNDEFINED else f"{ends}, "
    return f"{name} is {value} ({spread}{count}), {end}"


def ending(verdict: str, bounds: Sequence[Bound], number: Number) -> str:
    """The end of a clause about a judged number: how it compares with its threshold, or which bound it misses.

    >>> ending("fails", (Bound("above", 0.04), Bound("below", 0.16)), Number(0.21, 0.20, 0.22, 99))
    'not below 0.16'
    """
    threshold = " and ".join(map(str, bounds))
    if verdict == "fails":
        return " and ".join(
            bound.missed for bound in bounds if not bound.met(number.low) and not bound.met(number.high)
        )
    return f"{threshold} as stated" if verdict == "holds" else f"which leaves open whether it is {threshold}"
