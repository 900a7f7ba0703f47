"""Something for which a head is named that is weaker than what it finds or mainly looks at."""

from collections.abc import Iterable
from typing import NamedTuple

from generator.numbers.number import UNDEFINED, Number
from generator.numbers.writing import listed

SUPPORTED = "Supported"
"""How far to believe it, in a word: its rule asks for an interval, a baseline and enough to count on."""


def goes_to(shares: Iterable[tuple[str, str]], goes: str = " of its attention goes to ") -> str:
    """Where attention goes, as a clause, from shares and the words for what gets them.

    >>> goes_to([("34 %", "[CLS]"), ("32 %", "[SEP]")])
    '34 % of its attention goes to [CLS] and 32 % to [SEP]'
    """
    return listed([f"{share}{' to ' if at else goes}{words}" for at, (share, words) in enumerate(shares)])


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
    number: Number = UNDEFINED
    """The number that names it, where this is a share of its attention or of its inputs."""
    columns: tuple[str, ...] = ()
    """The measures of which that number is the sum."""
    short: str = ""
    """The text without the interval of that number, for where a figure beside it has it."""
