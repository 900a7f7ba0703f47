"""Relations that heads find without being named for them, and why they are not."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from generator.claims.cutoffs import CLEAR_GAIN, FEWEST_WORDS, is_clear, is_found
from generator.numbers.number import Number, alone
from generator.numbers.writing import percent
from generator.pages.heads.specialists import NAMELESS, PICKING, Place, always, elsewhere, judging, stands_alone
from generator.pages.links import head_name
from generator.results.tables import records
from generator.studies.halves import HELD_OUT
from generator.studies.syntax.names import in_words
from generator.studies.syntax.tried import Tried, each

ALONE = "no specialty of its own"
"""What is said of a head that finds something on all sentences but was not chosen for it, or not surely."""

UNNAMED = " The head is not named for this: "


class Aside(NamedTuple):
    """Something that a head finds and is not named for."""

    relation: str
    """What it finds, in words."""
    title: str
    """The words after the name of the head."""
    chip: str
    """What stands instead of the name of its kind."""
    text: str
    """What it finds, with the baseline, and why it is not named for it."""
    n: int
    """The number of words that it was counted on."""

    @property
    def finding(self) -> str:
        """What it finds, with the baseline; the search has no room for the reason."""
        return self.text.partition(UNNAMED)[0]


class Choices:
    """Which head was chosen for a relation on one half of a treebank's sentences, and how it did on the other."""

    def __init__(self, relation_heads: pd.DataFrame) -> None:
        table = relation_heads[relation_heads["protocol"] == HELD_OUT] if len(relation_heads) else relation_heads
        self.rows = [row for row in records(table) if row["relation"] not in NAMELESS]

    def of(self, one: Tried) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
        """The row of the relation in the treebank that was tried, None if no head was chosen, and those of others."""
        rows = [row for row in self.rows if row["relation"] == one.relation]
        here = next((row for row in rows if row["corpus"] == one.corpus), None)
        return here, [row for row in rows if row is not here]

    def reason(self, one: Tried, place: Place) -> str:
        """Why a head is not named for a relation that it may find on all sentences."""
        row, others = self.of(one)
        if row is None:
            return "the words are too few to choose a head on one half of the sentences and test it on the other."
        if (row["layer"], row["head"]) != place:
            return (
                "a head is chosen on one half of the sentences and tested on the other, and on the choosing half, head "
                f"{head_name(row['layer'], row['head'])} is right more often."
            )
        if is_found(row) and stands_alone(row, others):
            return f"{'; '.join(elsewhere(row, others))}."
        return "it is chosen on one half of the sentences, but its lead on the other half is not sure enough."


def asides(found: pd.DataFrame, choices: Choices) -> Mapping[Place, Aside]:
    """Head -> a relation that it finds without being named for it; of several, the one with the largest gain.

    First counts a relation for which the head was chosen on one half of a treebank's sentences, and which it finds
    clearly more often than the best fixed offset on the other half; otherwise one of which that is true on all
    sentences.

    `found` has the rows of `generator.studies.syntax.tried.tried`.
    """
    kept = found[(found["gain"] >= CLEAR_GAIN) & (found["n"] >= FEWEST_WORDS) & ~found["relation"].isin(NAMELESS)]
    made = dict(_chosen(choices))
    for place, one in zip(zip(kept["layer"].tolist(), kept["head"].tolist(), strict=True), each(kept), strict=True):
        if place not in made and is_clear(one.gain.value, one.gain.low):
            told = _told(one.relation, one.corpus, one.direction, one.n)
            text = _text(told, one.right, one.baseline, one.offset, choices.reason(one, place))
            made[place] = Aside(in_words(one.relation), f"shows {ALONE}", ALONE, text, one.n)
    return made


def _chosen(choices: Choices) -> Iterator[tuple[Place, Aside]]:
    """Head -> the relation that it finds in some treebank on the half of the sentences that did not choose it."""
    rows = [row for row in choices.rows if row["n"] >= FEWEST_WORDS and is_found(row)]
    for row in sorted(rows, key=lambda row: row["gain"]):  # the last one of a head counts
        place, plural = (row["layer"], row["head"]), in_words(row["relation"])
        others = [one for one in choices.rows if one["relation"] == row["relation"] and one is not row]
        enough = judging(others)
        same = 1 + sum(is_found(one) and (one["layer"], one["head"]) == place for one in enough)
        told = _told(row["relation"], row["corpus"], row["direction"], row["n"])
        baseline = Number.of(row, "baseline", "baseline_low", "baseline_high")
        where = f"in {same} of {1 + len(enough)} treebanks"
        text = _text(told, Number.of(row), baseline, row["offset"], f"{'; '.join(elsewhere(row, others))}.")
        yield place, Aside(plural, f"finds {plural} {where}", f"found {where}", text, row["n"])


def _told(relation: str, corpus: str, direction: str, n: int) -> str:
    return f"of the {n:,} {in_words(relation)} in {corpus} {PICKING[direction]}"


def _text(told: str, right: Number, baseline: Number, offset: int, reason: str) -> str:
    base = percent(alone(baseline.value))
    return f"{percent(right)} {told}; {always(offset)} would be right for {base}.{UNNAMED}{reason}"
