"""Titles of figures with a number for each head: in which head it is highest, or changes most.

Each is one sentence made from the numbers that are drawn. What is highest, lowest or most is called so only where its
interval meets that of no other.
"""

import math
from collections.abc import Mapping
from typing import Any

from generator.numbers.number import Number, alone, apart
from generator.numbers.writing import percent, written
from generator.studies.over_heads import middle


def highest_seen(what: str, heads: Mapping[str, Number], unit: str) -> str:
    """The head whose number is highest, and the number that half of the heads do not exceed.

    >>> few, many = Number(0.1, 0.09, 0.11, 70), Number(0.9, 0.88, 0.92, 70)
    >>> highest_seen("Attention to [SEP]", {"1-1": few, "1-2": many, "2-1": few}, "share")
    'Attention to [SEP] is highest in head 1-2, at 90 % (88 to 92), and at most 10 % in half of the heads'
    >>> highest_seen("Entropy", {"1-1": few, "1-2": many, "2-1": many}, "nats")
    'Entropy reaches 0.9 nats in 2 heads, and is at most 0.9 nats in half of the heads'
    >>> highest_seen("Entropy", {"1-1": few, "1-2": many, "2-1": Number(0.88, 0.87, 0.881, 70)}, "nats")
    'Entropy reaches 0.900 nats (0.880 to 0.920) in head 1-2, and is at most 0.88 nats in half of the heads'
    >>> highest_seen("Entropy", {"1-1": many, "1-2": many}, "nats"), highest_seen("Entropy", {}, "nats")
    ('Entropy is 0.9 nats in every head', 'Entropy is defined for no head')
    """
    known = defined(heads)
    if not known:
        return f"{what} is defined for no head"
    most = max(number.value for number in known.values())
    top = [head for head, number in known.items() if number.value == most]
    if len(top) == len(known):
        every = f"every head{' that has it' * (len(known) < len(heads))}"
        return f"{what} is {said(alone(most), unit)} in {every if len(heads) > 1 else f'head {top[0]}'}"
    half = f"at most {said(alone(middle(number.value for number in known.values())), unit)} in half of the heads"
    where, much = (f"head {top[0]}", known[top[0]]) if len(top) == 1 else (f"{len(top)} heads", alone(most))
    if alone_there(top[0], known):
        return f"{what} is highest in {where}, at {said(much, unit)}, and {half}"
    return f"{what} reaches {said(much, unit)} in {where}, and is {half}"


def changes_seen(what: str, changes: Mapping[str, Number], *, unit: str = "", plural: bool = False) -> str:
    """The head in which something changes most, and how little it does in half of the heads.

    >>> far, same = Number(-0.3, -0.4, -0.2, 9), Number(0.0, 0.0, 0.0, 9)
    >>> changes_seen("Entropy", {"1-1": same, "1-2": far, "2-1": Number(0.02, 0.01, 0.03, 9)})
    'Entropy of head 1-2 changes most, by -0.30 (-0.40 to -0.20); half of the heads change by 0.02 or less'
    >>> changes_seen("Entropy", {"1-1": same, "1-2": far, "2-1": Number(-0.2, -0.3, -0.1, 9)})
    'Entropy of head 1-2 changes by -0.30 (-0.40 to -0.20); half of the heads change by 0.2 or less'
    >>> changes_seen("The maps", {"1-1": same}, plural=True), changes_seen("Entropy", {"1-1": same})
    ('The maps change in no head', 'Entropy changes in no head')
    >>> changes_seen("The maps", {}, plural=True)
    'The maps of no head can be compared'
    """
    known = defined(changes)
    if not known:
        return f"{what} of no head can be compared"
    head, most = max(known.items(), key=lambda item: abs(item[1].value))
    verb = "change" if plural else "changes"
    if not most.value:
        return f"{what} {verb} in no head"
    half = said(alone(middle(abs(number.value) for number in known.values())), unit)
    by = written(most, unit, signed=not plural)
    how = f"{verb} most," if alone_there(head, {name: _size(number) for name, number in known.items()}) else verb
    return f"{what} of head {head} {how} by {by}; half of the heads change by {half} or less"


def _size(change: Number) -> Number:
    """How far a change goes, whichever way."""
    ends = sorted(map(abs, change[1:3]))
    return Number(abs(change.value), 0.0 if change.low < 0 < change.high else ends[0], ends[1], change.n)


def alone_there(name: Any, numbers: Mapping[Any, Number]) -> bool:
    """Whether the interval of one number meets that of no other."""
    return all(apart(numbers[name], number) for other, number in numbers.items() if other != name)


def defined(numbers: Mapping[Any, Number]) -> dict[Any, Number]:
    """The numbers that are defined."""
    return {name: number for name, number in numbers.items() if not math.isnan(number.value)}


def said(number: Number, unit: str) -> str:
    """A number in its unit, of which only shares and nats are said."""
    return percent(number) if unit == "share" else written(number, unit if unit == "nats" else "")
