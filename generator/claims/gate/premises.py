"""What the number of a claim rests on: that the model does what the claim explains, and says more than chance would.

A premise is asked for beside a number and raises NotTestable, with the reason for this model, where it is not met.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from generator.claims.bounds import Bound, cutoff
from generator.claims.evidence.evidence import UNIFORM, Evidence
from generator.claims.missing import NotTestable, Uncounted
from generator.numbers.number import Number, mean_in
from generator.numbers.writing import number, written

Premise = Callable[[Evidence], None]
PREFERRED = cutoff("preferred")
"""How many times the attention that chance gives makes a token one that is attended to."""
NO_TWIN = "there is no untrained model to compare with"
Among = Literal["least", "greatest", "mean"]
"""Which of the numbers of several tasks a number is."""


class Null(NamedTuple):
    """What could meet a threshold although nothing was learned, such as one that says that something is small."""

    name: str
    number: Callable[[Evidence], Number]
    """Raises NotTestable where it is not known."""


def two_parts(evidence: Evidence) -> bool:
    """Whether some text was read in two parts; False if no text was read."""
    return bool((evidence.rows(f"{UNIFORM}attention.same_segment") < 1).any())


def attended(what: str, columns: Sequence[str], layers: Callable[[int], np.ndarray]) -> Premise:
    """The premise that tokens surely get PREFERRED times what chance gives them, mean over the heads of some layers.

    `columns` are summed; `layers` returns a boolean for each of as many layers.
    """

    def premise(evidence: Evidence) -> None:
        chosen = layers(evidence.layers)
        there = evidence.estimate(columns, lambda *masses: mean_in(np.sum(masses, axis=0), chosen))
        chance = sum(float(evidence.mean(f"{UNIFORM}{column}").mean()) for column in columns)
        check_attended(evidence, what, there, chance)

    return premise


def holds_separators(*counts: int) -> Premise:
    """The premise that most inputs hold as many [SEP] as the source's did, which share what goes to [SEP]: one of these
    counts. It is met where [SEP] was not looked for.
    """

    def premise(evidence: Evidence) -> None:
        uniform = (evidence.rows(f"{UNIFORM}{column}") for column in ("attention.sep", "attention.max"))
        # Uniform attention gives each token 1 / length and all [SEP] count / length, so the quotient is the count.
        marks = np.round(np.divide(*uniform))
        marks = marks[~np.isnan(marks)]
        # A count that an input has, where the plain median could lie between two.
        held = np.quantile(marks, 0.5, method="lower") if len(marks) else counts[0]
        if held not in counts:
            asked = " or ".join(map(str, counts))
            raise Uncounted(f"most inputs of {evidence.model} hold {held:g} [SEP], where the source's hold {asked}")

    return premise


def check_attended(evidence: Evidence, what: str, there: Number, chance: float) -> None:
    """Raises NotTestable unless attention to something is surely PREFERRED times what chance gives it, or more."""
    if not there.low >= PREFERRED * chance:
        raise NotTestable(
            f"the attention of {evidence.model} to {what} is slight; it is {number(*there[:3])}, not surely "
            f"{PREFERRED:g} times the {number(chance)} that chance would give"
        )


def says_more(bounds: Sequence[Bound], found: Number, null: Number) -> bool:
    """Whether a number that meets its bounds says more than the null does: that surely misses one of them, or lies
    surely less deep within them.

    >>> below = (Bound("below", 0.5),)
    >>> [says_more(below, Number(0.2, 0.1, 0.3, 9), Number(at, at, at, 9)) for at in (0.25, 0.35, 0.6)]
    [False, True, True]
    """
    if any(not bound.met(null.low) and not bound.met(null.high) for bound in bounds):
        return True
    # Between two bounds the room is largest in their middle, which may lie inside the null's interval.
    middle = float(np.clip(np.mean([bound.at for bound in bounds]), null.low, null.high))
    return min(map(_room(bounds), found[1:3])) > max(map(_room(bounds), (null.low, middle, null.high)))


def _room(bounds: Sequence[Bound]) -> Callable[[float], float]:
    return lambda value: min(bound.room(value) for bound in bounds)


def may_turn(bounds: Sequence[Bound], value: float, among: Among) -> bool:
    """Whether the number of one task more could turn a verdict on the numbers of some: the least of them can only fall,
    the greatest only rise.

    >>> [may_turn((Bound("above", 0),), value, "least") for value in (0.2, -0.2)]
    [True, False]
    >>> [may_turn((Bound("above", 0), Bound("below", 0.1)), value, "greatest") for value in (-0.2, 0.05, 0.2)]
    [True, True, False]
    """
    least = max((bound.at for bound in bounds if bound.side in ("above", "at least")), default=-np.inf)
    most = min((bound.at for bound in bounds if bound.side in ("below", "at most")), default=np.inf)
    holds = all(bound.met(value) for bound in bounds)
    falls, rises = (-np.inf < least, most < np.inf) if holds else (value > least, value < most)
    return bool((falls and among != "greatest") or (rises and among != "least"))


def met_too(null: Null, by: Number, found: Number, against: Sequence[float]) -> str:
    """The reason why a threshold that the null meets as well does not count."""
    first, second = (written(estimate, against=against) for estimate in (by, found))
    return f"{null.name} meets this threshold, too; it gives {first}, and the model {second}"
