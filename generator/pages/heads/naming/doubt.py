"""How sure it is that a head without a name leans to something, or that it does not, in a few words."""

import math
from collections.abc import Mapping, Sequence

from generator.claims.gate.maps import LEANING, PAIR
from generator.claims.gate.statement import Asks, Statement
from generator.numbers.number import Number, alone
from generator.numbers.simultaneous import widened
from generator.numbers.writing import percent
from generator.pages.heads.naming.trait import SUPPORTED

NO_THIRD = f"{SUPPORTED}: no special token, mark or neighbour gets a third ({{most}} at most {{high}})"
"""Where each target surely gets less than a lean asks for."""
MOVED = f"{SUPPORTED}: sentences give {{}} more"
"""Where it would lean to one, but not in another text."""
UNDECIDED = "Undecided: {low} to {high} to {most}, in an interval for all heads at once; a third would be a lean"
"""Where one may get as much."""
DOUBTS: Mapping[Asks, str] = {
    "premise": "Undecided: few documents",
    "null": "Undecided: uniform attention may give {most} as much",
    "elsewhere": "Undecided: over a third to {most}, but not surely the most in every text",
}
"""Where that was not what a lean asks for in vain."""


def how_sure(lean: Statement | None, shares: Sequence[Number], heads: int, there: str, most: str) -> str:
    """How sure a `lean` is, which may have been refused.

    `shares` are those of the targets, the largest first, of a model of so many heads; `there` is what single sentences
    give more, `most` what gets most.
    """
    known = [widened(share, heads) for share in shares if not math.isnan(share.value)]
    if lean and lean.given:
        return f"{SUPPORTED}: surely over {'half together' if lean.kind == PAIR else 'a third'}"
    if there:
        return MOVED.format(there)
    if not known:
        return DOUBTS["premise"]
    low, high = known[0].low, max(share.high for share in known)
    doubt = DOUBTS.get(lean.refused.asks if lean and lean.refused else "range", UNDECIDED)
    ends = (percent(alone(end)) for end in (low, high))
    return (NO_THIRD if high < LEANING else doubt).format(most=most, **dict(zip(("low", "high"), ends, strict=True)))
