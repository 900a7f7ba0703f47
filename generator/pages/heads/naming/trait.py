"""Something for which a head is named that is weaker than what it finds or mainly looks at."""

import math
from typing import NamedTuple

from generator.numbers.number import Number
from generator.numbers.resampling import FEW_DOCUMENTS

SUPPORTED = "Supported"
"""How far to believe it, in a word: its rule asks for an interval, a baseline and enough to count on."""
MOST_POINTS = 5
"""A mean is not said to be sure if its interval reaches further from it, in points of 100."""


class Trait(NamedTuple):
    """What a head is named for, with its baseline and how far to believe it."""

    kind: str
    title: str
    """The words after the name of the head."""
    text: str
    trust: str
    share: float
    """The share of its square that is filled."""
    counted: str
    """How much it was counted on, such as "40 documents"."""
    looks: tuple[str, ...] = ()
    """The measures of the attention that it speaks of."""
    sure: str = ""
    """How sure it is, in a few words."""


def within(share: Number) -> str:
    """How sure a mean share is, in a few words: how far its interval reaches from it, and of how many documents it is.

    >>> within(Number(0.46, 0.452, 0.467, 70)), within(Number(0.5, 0.4, 0.6, 70))
    ('Sure within 1 point: 70 documents', 'Not sure: within 10 points, 70 documents')
    >>> within(Number(0.5, 0.49, 0.51, 3)), within(Number(0.5, math.nan, math.nan, 1))
    ('Not sure: only 3 documents', 'Not sure: only 1 document')
    """
    documents = f"{share.n:,} document{'s' * (share.n != 1)}"
    if share.n < FEW_DOCUMENTS:
        return f"Not sure: only {documents}"
    reach = max(share.high - share.value, share.value - share.low)
    if math.isnan(share.high - share.low):
        return f"Not sure: no interval, {documents}"
    points = max(1, math.ceil(round(100 * reach, 6)))
    if points > MOST_POINTS:
        return f"Not sure: within {points} points, {documents}"
    return f"Sure within {points} point{'s' * (points != 1)}: {documents}"
