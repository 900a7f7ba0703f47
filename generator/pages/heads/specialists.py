"""What heads are said to find, in words: dependency relations in treebanks, and antecedents among linked mentions.

The rule for both stands in `generator.claims.gate.treebanks`; what it does not give is not said.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from generator.claims.bounds import counted
from generator.claims.gate.mentions import TABLE as ANTECEDENTS
from generator.claims.gate.statement import Place, Row, Statement, given, mostly
from generator.claims.gate.treebanks import CHOSEN, RELATION, STRONG, agreeing, elsewhere
from generator.corpora.relation_names import DIRECTIONS, in_words, with_label
from generator.numbers.number import Number
from generator.numbers.writing import in_letters, listed, percent

LEVELS = ("Weak evidence", "Supported", "Well supported")
"""Levels of evidence: no untrained twin; a twin; also a second treebank that names the same head."""
PICKING = {
    DIRECTIONS[0]: "look most at the word that they depend on",
    DIRECTIONS[1]: "are looked at most by the word that they depend on",
}
"""Direction -> what words do for which a head is right."""
UNTRAINED = "untrained model"
"""What untrained twins are called beside a head."""
NO_TWIN = "there is no untrained model to compare with"


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
    """How sure it is, in a few words."""

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
    def counted(self) -> str:
        """How much it was counted on."""
        return f"{self.right.n:,} {'words' if self.relation else 'mentions'}"


def specialists(statements: Iterable[Statement]) -> dict[Place, list[Specialty]]:
    """Head -> what it finds, with the strongest evidence first, of statements on what heads find; heads of which none
    is given are left out.
    """
    found: dict[Place, list[Specialty]] = {}
    for one in given(statements):
        found.setdefault(one.place, []).append(_relation(one) if one.kind == RELATION else _antecedent(one))
    return {place: sorted(some, key=lambda one: one.strength, reverse=True) for place, some in found.items()}


def _relation(one: Statement) -> Specialty:
    row, *others = one.of(CHOSEN)
    offset = Number.of(row, "baseline", "baseline_low", "baseline_high")
    twin = Number.of(row, "twin", "twin_low", "twin_high")
    plural = in_words(one.about)
    text = f"{percent(one.number)} of the {plural} {PICKING[row['direction']]}; {always(row['offset'])} would be right "
    text += f"for {percent(offset)}."
    short = f"{percent(one.number, ends=False)} of {one.number.n:,} {plural} {PICKING[row['direction']]}; "
    short += f"{always(row['offset'])} would be right for {percent(offset, ends=False)}."
    level, trust, sure = _trust(row, others)
    beside = (("best fixed offset", offset), *(((UNTRAINED, twin),) if not math.isnan(twin.value) else ()))
    strength, of = (level, row["gain"]), (one.about, str(row["direction"]))
    label, arrows = with_label(one.about), tuple(Number.of(told) for told in one.of(STRONG))
    return Specialty(
        one.kind, f"finds {plural}", label, text, trust, one.number, strength, beside, *of, short, arrows, sure
    )


def always(offset: int) -> str:
    """What a fixed offset does, as the subject of a sentence.

    >>> always(1), always(-1), always(-2), always(12)
    ('always picking the next word', 'always picking the word before', 'always picking the word two before', \
'always picking the word 12 after')
    """
    if abs(offset) == 1:
        return f"always picking the {'next word' if offset > 0 else 'word before'}"
    return f"always picking the word {in_letters(abs(offset))} {'after' if offset > 0 else 'before'}"


def _trust(row: Row, others: Iterable[Row]) -> tuple[int, str, str]:
    """The level of the evidence, a sentence about it, and a few words."""
    others = tuple(others)
    agree = agreeing(row, others)
    known = not math.isnan(row["twin"])
    level = 0 if not known else 2 if agree else 1
    parts = [f"chosen on half of the sentences, counted on {row['n']:,} words of the other half of {row['corpus']}"]
    parts += [] if known else [NO_TWIN]
    parts += [f"the same head is best in {listed(agree)}"] if agree else []
    parts += elsewhere(row, others)
    beaten = (
        f"beats the offset in {counted(1 + len(agree), 'treebanks')}" if known else NO_TWIN.removeprefix("there is ")
    )
    return level, f"{LEVELS[level]}: {'; '.join(parts)}.", f"{LEVELS[level]}: {beaten}"


def _antecedent(one: Statement) -> Specialty:
    """The head that finds antecedents among the head words of earlier mentions."""
    head, rule, gain = one.of(ANTECEDENTS)[:3]
    base = Number.of(rule)
    text, short = (
        f"For {percent(one.number, ends=ends)} of the mentions that refer back to something, the earlier mention they "
        f"look at most is of the same thing; the best simple rule is right for {percent(base, ends=ends)}."
        for ends in (True, False)
    )
    trust = f"{LEVELS[1]}: chosen on half of the documents, counted on {head['n']:,} mentions of the other half of "
    strength = 1, gain["value"]
    whole, trust = "finds what a mention refers to", f"{trust}{head['corpus']}."
    beside = (("best rule", base),)
    sure = f"{LEVELS[1]}: beats the best rule in {counted(1, 'texts')}"
    return Specialty(one.kind, whole, one.about, text, trust, one.number, strength, beside, short=short, sure=sure)
