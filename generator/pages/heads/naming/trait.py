"""Something for which a head is named that is weaker than what it finds or mainly looks at."""

from typing import NamedTuple

SUPPORTED = "Supported"
"""How far to believe it, in a word: its rule asks for an interval, a baseline and enough to count on."""


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
