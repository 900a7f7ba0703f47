"""What a sentence about verdicts leaves unsure: a clause at its end that no hand writes.

A sentence of what is inconclusive ends with the threshold that lies within the interval, after the number that decides
if the sentence does not tell it; or with what other texts say against it. A sentence that says with a word whether
something is more or less ends with the models for which not even that is sure.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generator.claims.claim import Finding, Judgement, Part
from generator.numbers.number import alone
from generator.numbers.writing import listed
from generator.pages.claims.figures import number_of
from generator.pages.written.in_markdown import text
from generator.pages.written.places import POINTS, Filling, Place, place_of, ranged

_ONE = re.compile(r"^(-?1) points\b")
_DIFFERENCE = re.compile(r"\b(?:minus|gain|lead)\b")
UNMEASURED = "too little was read for an interval"


class Doubt(NamedTuple):
    """What is unsure about one model in a sentence. All is plain text."""

    about: str = ""
    """What the number that decides measures, if the sentence does not tell it; empty otherwise."""
    threshold: str = ""
    """The thresholds that its interval includes; empty if it is not that which leaves the claim open."""
    against: str = ""
    """What else leaves it open."""
    number: Filling | None = None
    """The number that decides, if the sentence does not tell it."""
    signless: bool = False
    """Whether the sentence says "more" or "less" of a number whose interval includes 0."""


SURE = Doubt()


def doubt(item: Judgement, places: Sequence[Place], *, left_open: bool) -> Doubt:
    """What is unsure about a model in a sentence with these places; `left_open` if the sentence is of what is
    inconclusive and does not itself say what other texts have against it.
    """
    signed = [number for one in places if one.more and (number := number_of(item, one.order))]
    signless = any(one.low < 0 < one.high for one in signed)
    if not left_open or not item.decides or not item.decides.number:
        return Doubt(signless=signless)
    order = deciding(item)
    own = place_of(item.decides.part, order, _turn(item.decides.part))
    telling = next((one for one in places if one.order == order and one.measured), None)
    about = "" if telling else item.decides.part.name
    untold = None if telling else own.filling(item.decides.number)
    threshold = "" if item.decides.opposed else _threshold(item.decides, telling or own)
    against = listed(item.decides.opposed) or ("" if threshold else UNMEASURED)
    own_sign = signless and bool(telling and telling.more and threshold not in ("", "0"))
    return Doubt(about, threshold, against, untold, own_sign)


def deciding(item: Judgement) -> int:
    """The part that decides, counted from 0; the first one if none does."""
    keys = [one.key for one in item.claim.parts]
    return keys.index(item.decides.part.key) if item.decides else 0


def _turn(part: Part) -> str:
    """Scores, and differences of shares, are told in points."""
    return POINTS if part.unit == "score" or (part.unit == "share" and _DIFFERENCE.search(part.name)) else ""


def _threshold(found: Finding, place: Place) -> str:
    """The bounds that the interval includes, written as the number is."""
    assert found.number, "only what has a number is inconclusive"
    within = [one.at for one in found.part.bounds if one.met(found.number.low) != one.met(found.number.high)]
    exact = place._replace(against=())  # 1/3 needs no more digits than other numbers
    told = [exact.write(exact.turn(alone(at))) if at else "0" for at in within]
    return listed([_ONE.sub(r"\1 point", one) for one in told])


def doubted(doubts: Mapping[str, Doubt], sentence: str, *, left_open: bool) -> str:
    """What stands between a sentence and its full stop, as Markdown; the keys are names of models, as Markdown."""
    if not left_open:
        signless = [name for name, one in doubts.items() if one.signless]
        return f", but whether more or less is not sure{_whose(signless, len(doubts))}" if signless else ""
    alike: dict[Sequence[str], list[str]] = {}
    for name, one in doubts.items():
        alike.setdefault(one[:3], []).append(name)
    colon = "; " if ": " in sentence else ": "
    if len(alike) > 1:
        told = [f"for {listed(names)} {_clause([doubts[name] for name in names])}" for names in alike.values()]
        return f"{colon}{'; '.join(told)}"
    first, clause = next(iter(doubts.values())), _clause(list(doubts.values()))
    start = colon if first.about else ", but " if first.against not in ("", UNMEASURED) else ", and "
    signless = [name for name, one in doubts.items() if one.signless]
    also = "" if not signless else " and also 0" if len(signless) == len(doubts) else f", for {listed(signless)} also 0"
    return f"{start}{clause}{also}"


def _whose(models: Sequence[str], of: int) -> str:
    if len(models) == of:
        return f", as {'the' if of == 1 else 'each'} interval includes 0"
    return f" for {listed(models)}, whose interval{' includes' if len(models) == 1 else 's include'} 0"


def _clause(alike: Sequence[Doubt]) -> str:
    """What leaves the claim open for models of which it is the same."""
    first, which = alike[0], "the" if len(alike) == 1 else "each"
    end = f"{which} interval includes the threshold of {first.threshold}" if first.threshold else first.against
    if not first.about:
        return text(end)
    joint = "but" if first.against not in ("", UNMEASURED) else "and"
    return text(f"{first.about} is {ranged([one.number for one in alike if one.number])}, {joint} {end}")
