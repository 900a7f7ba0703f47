"""Which heads find something: dependency relations in treebanks, and antecedents among linked mentions.

A head is named for a relation if it is the best of all heads on one half of the sentences and, on the other half,
clearly beats the best fixed offset and the best head of every untrained twin. The treebank with most words of the
relation decides; if other treebanks have FEWEST_WORDS or more, one of them must name the same head. The same holds for
antecedents, with the best simple rule instead of the offset and one text instead of treebanks. With fewer than
FEWEST_WORDS words or mentions the evidence is called weak, with fewer than FEW_WORDS there is none.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from generator.claims.cutoffs import FEWEST_WORDS, is_clear, is_found
from generator.numbers.number import Number
from generator.numbers.writing import in_letters, listed, percent
from generator.results.store import Results
from generator.results.tables import records
from generator.studies.halves import HELD_OUT
from generator.studies.mentions.antecedents import BEST, GAIN
from generator.studies.syntax.names import in_words, with_label
from generator.studies.syntax.predictions import DIRECTIONS
from generator.studies.syntax.relations import FEW_WORDS, NOT_RELATIONS

NAMELESS = (*NOT_RELATIONS, "dep")
"""Rows of relations after which no head is named."""
LEVELS = ("Weak evidence", "Supported", "Well supported")
"""Levels of evidence: few words or no untrained twin; enough words and a twin; also a second treebank that names the
same head.
"""
PICKING = {
    DIRECTIONS[0]: "look most at the word that they depend on",
    DIRECTIONS[1]: "are looked at most by the word that they depend on",
}
"""Direction -> what words do for which a head is right."""
UNTRAINED = "untrained model"
"""What untrained twins are called beside a head."""
NO_TWIN = "there is no untrained model to compare with"
Place = tuple[int, int]
"""Layer and head, from 1."""


class Specialty(NamedTuple):
    """Something that one head finds."""

    kind: str
    title: str
    """The words after the name of the head, such as "finds direct objects"."""
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

    @property
    def counted(self) -> str:
        """How much it was counted on."""
        return f"{self.right.n:,} {'words' if self.relation else 'mentions'}"


def specialists(results: Results) -> dict[Place, list[Specialty]]:
    """Head -> what it finds, with the strongest evidence first; heads that find nothing are left out."""
    found: dict[Place, list[Specialty]] = {}
    for place, specialty in (*_relations(results.table("relation_heads")), *_antecedents(results.table("antecedents"))):
        found.setdefault(place, []).append(specialty)
    return {place: sorted(some, key=lambda one: one.strength, reverse=True) for place, some in found.items()}


def found_in(results: Results, corpus: str) -> Mapping[str, Place]:
    """Relation -> the head that finds it in one treebank, for the relations that are found there."""
    table = results.table("relation_heads")
    held = table[(table["protocol"] == HELD_OUT) & (table["corpus"] == corpus) & (table["n"] >= FEWEST_WORDS)]
    return {row["relation"]: _place(row) for row in records(held) if is_found(row) and row["relation"] not in NAMELESS}


def _relations(table: pd.DataFrame) -> Iterator[tuple[Place, Specialty]]:
    """Heads and the relations they find; each relation is judged in the treebank that has most words of it."""
    held = table[(table["protocol"] == HELD_OUT) & ~table["relation"].isin(NAMELESS) & (table["n"] >= FEW_WORDS)]
    found: dict[str, list[Mapping[str, Any]]] = {relation: [] for relation in held["relation"]}
    for one in records(held.sort_values("n", ascending=False, kind="stable")):
        found[one["relation"]].append(one)
    for relation, (row, *others) in found.items():
        if not is_found(row) or stands_alone(row, others):
            continue
        right, offset = Number.of(row), Number.of(row, "baseline", "baseline_low", "baseline_high")
        twin = Number.of(row, "twin", "twin_low", "twin_high")
        plural = in_words(relation)
        text = f"{percent(right)} of the {plural} {PICKING[row['direction']]}; {always(row['offset'])} would be right "
        text += f"for {percent(offset)}."
        label = with_label(relation)
        level, trust = _trust(row, others)
        strength = level, row["gain"]
        beside = (("best fixed offset", offset), *(((UNTRAINED, twin),) if not math.isnan(twin.value) else ()))
        of = relation, str(row["direction"])
        yield _place(row), Specialty("relation", f"finds {plural}", label, text, trust, right, strength, beside, *of)


def always(offset: int) -> str:
    """What a fixed offset does, as the subject of a sentence.

    >>> always(1), always(-1), always(-2), always(12)
    ('always picking the next word', 'always picking the word before', 'always picking the word two before', \
'always picking the word 12 after')
    """
    if abs(offset) == 1:
        return f"always picking the {'next word' if offset > 0 else 'word before'}"
    return f"always picking the word {in_letters(abs(offset))} {'after' if offset > 0 else 'before'}"


def judging(others: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows of other treebanks that have words enough of a relation."""
    return [one for one in others if one["n"] >= FEWEST_WORDS]


def stands_alone(row: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> bool:
    """Whether other treebanks have words enough of this relation, and none of them names the same head."""
    others = judging(others)
    return bool(others) and not any(is_found(one) and _place(one) == _place(row) for one in others)


def elsewhere(row: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> list[str]:
    """Which heads other treebanks name for the relation of a row, where that is not the same head."""
    where: dict[Place | None, list[str]] = {}
    for corpus, best in _named_in(others).items():
        where.setdefault(best, []).append(corpus)
    where.pop(_place(row), None)
    return [
        f"in {listed(corpora)} "
        + ("no head is clearly better than the offset" if best is None else f"head {best[0]}-{best[1]} is best")
        for best, corpora in where.items()
    ]


def _named_in(others: Sequence[Mapping[str, Any]]) -> dict[str, Place | None]:
    """Treebank -> the head that its row names for the relation; None if it names none."""
    return {str(one["corpus"]): _place(one) if is_found(one) else None for one in others}


def _trust(row: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> tuple[int, str]:
    """The level of the evidence, and a sentence about it."""
    agree = [corpus for corpus, best in _named_in(others).items() if best == _place(row)]
    known = not math.isnan(row["twin"])
    level = 0 if row["n"] < FEWEST_WORDS or not known else 2 if agree else 1
    parts = [f"chosen on half of the sentences, counted on {row['n']:,} words of the other half of {row['corpus']}"]
    parts += [] if known else [NO_TWIN]
    parts += [f"the same head is best in {listed(agree)}"] if agree else []
    parts += elsewhere(row, others)
    return level, f"{LEVELS[level]}: {'; '.join(parts)}."


def _antecedents(table: pd.DataFrame) -> Iterator[tuple[Place, Specialty]]:
    """The head that finds antecedents among the head words of earlier mentions, in the first corpus with enough."""
    held = table[(table["protocol"] == HELD_OUT) & (table["kind"] == "all") & (table["candidates"] == "mentions")]
    for corpus, rows in held[held["n"] >= FEW_WORDS].groupby("corpus", sort=False):
        by = {row["predictor"]: row for row in records(rows)}
        gain = by[GAIN + BEST]
        if is_clear(gain["value"], gain["low"]):
            head, right, rule = by["head"], Number.of(by["head"]), Number.of(by[BEST])
            text = (
                f"For {percent(right)} of the mentions that refer back to something, the earlier mention "
                f"they look at most is of the same thing; the best simple rule is right for {percent(rule)}."
            )
            level = int(head["n"] >= FEWEST_WORDS)
            counted = f"counted on {head['n']:,} mentions of the other half of {corpus}"
            trust = f"{LEVELS[level]}: chosen on half of the documents, {counted}."
            title, strength, beside = "finds what a mention refers to", (level, gain["value"]), (("best rule", rule),)
            yield _place(head), Specialty("antecedent", title, "antecedents", text, trust, right, strength, beside)
            return


def _place(row: Mapping[str, Any]) -> Place:
    return row["layer"], row["head"]
