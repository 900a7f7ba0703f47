"""Something that a head finds without being named for it, and why it is not."""

from typing import NamedTuple

from generator.numbers.number import UNDEFINED, Number
from generator.pages.heads.naming.specialty import LEVELS

UNNAMED = "it is not named for the "
"""How the reason begins for which a head is not named for what it finds."""


class Reason(NamedTuple):
    """Why a head is not named for something that it finds."""

    short: str
    """In a few words."""
    clause: str
    level: str = LEVELS[0]
    rival: tuple[str, Number] | None = None
    """The head that is right more often, counted in the same way, and how often; None where that is not why."""

    @property
    def sure(self) -> str:
        """How far to believe what the head finds, in a few words."""
        return f"{self.level}: {self.short}"

    def clause_on(self, relation: str) -> str:
        """As a clause on a relation in words."""
        return f"{UNNAMED}{relation}: {self.clause}"


class Aside(NamedTuple):
    """Something that a head finds and is not named for."""

    relation: str
    """What it finds, in words."""
    title: str
    """The words after the name of the head."""
    text: str
    """What it finds, with the baseline."""
    reason: Reason
    n: int
    """The number of words that it was counted on."""
    label: str = ""
    """The relation in the treebank, and in which direction attention is read."""
    direction: str = ""
    right: Number = UNDEFINED
    """How often it is right, and the best fixed offset."""
    baseline: Number = UNDEFINED
    held_out: bool = False
    """Whether this was counted on words that had no part in choosing it."""
    short: str = ""
    """The text without intervals, for where a figure beside it has them."""
    kind: str = ""
    """The kind of the names that it would have; empty until it is told of a head."""
