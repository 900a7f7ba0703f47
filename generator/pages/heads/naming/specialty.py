"""Something that a head finds: a dependency relation in treebanks, antecedents among linked mentions, or another thing
of which a topic knows where it stands.
"""

from typing import NamedTuple

from generator.claims.gate.statement import mostly
from generator.corpora.relation_names import in_words
from generator.numbers.number import Number
from generator.numbers.writing import listed, percent

LEVELS = ("Weak evidence", "Supported", "Well supported")
"""Levels of evidence: no untrained twin; a twin; also a second treebank that names the same head."""
UNTRAINED = "untrained model"
"""What untrained twins are called beside a head."""


class Specialty(NamedTuple):
    """Something that one head finds."""

    kind: str
    whole: str
    """The words after the name of a head that is surely right more often than wrong, such as "finds direct objects"."""
    found: str
    """What the head finds, with the relation's label."""
    text: str
    """What it finds in a sentence or two, with the baseline."""
    trust: str
    """A sentence on how far to believe it."""
    right: Number
    """How often it is right."""
    strength: tuple[int, float]
    """The level of the evidence, then the gain over the baseline."""
    beside: tuple[tuple[str, Number], ...]
    """Names of baselines, and how often each is right."""
    relation: str = ""
    """The label of a relation, and in which direction attention is read; empty for antecedents."""
    direction: str = ""
    short: str = ""
    """The same as `text` without intervals, for where a figure beside it has them."""
    arrows: tuple[Number, ...] = ()
    """The share of its strong arrows that are links of the relation, the share at the best offset, and the lead; empty
    where they were not counted.
    """
    sure: str = ""
    """How sure it is, in a few words, whatever baseline is right more often."""
    units: str = "words"
    """What it was counted on."""

    @property
    def title(self) -> str:
        """The words after the name of the head."""
        if self.partly:
            return f"finds some {in_words(self.relation) if self.relation else self.found}"
        return self.whole

    @property
    def partly(self) -> str:
        """How much it finds, such as "46 % of the"; empty if it is surely right more often than wrong."""
        return "" if mostly(self.right) else f"{percent(self.right, ends=False)} of the"

    @property
    def better(self) -> str:
        """The baselines beside it that are right more often, in words; empty if none is."""
        return listed([name for name, number in self.beside if number.value > self.right.value])

    @property
    def badge(self) -> str:
        """How sure it is, in a few words, with the baselines that are right more often."""
        return f"{self.sure}; right more often: {self.better}" if self.better else self.sure

    @property
    def also(self) -> str:
        """What it finds as one of several things, with the baselines that are right more often."""
        found = f"{self.partly} {self.found}".strip()
        return f"{found} (right more often: {self.better})" if self.better else found

    @property
    def counted(self) -> str:
        """How much it was counted on."""
        return f"{self.right.n:,} {self.units}"
