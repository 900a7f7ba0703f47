"""What every head finds of every relation on all sentences of a treebank, from stored counts: nothing is held out."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from generator.corpora.relation_names import ALL
from generator.numbers.makers import makes
from generator.numbers.number import Number, difference
from generator.numbers.resampling import proportion
from generator.topics.relations.records.relations import FEW_WORDS, TRIED


class Tried(NamedTuple):
    """How often a head and the best fixed offset find a relation, in the treebank that decides on it."""

    relation: str
    corpus: str
    direction: str
    correct: int
    n: int
    offset: int
    base: int
    """How often the offset is right."""

    @property
    @makes(TRIED, "accuracy")
    def right(self) -> Number:
        """How often the head is right, with Wilson's interval."""
        return proportion(self.correct, self.n)

    @property
    @makes(TRIED, "baseline")
    def baseline(self) -> Number:
        """How often the best offset is right, likewise."""
        return proportion(self.base, self.n)

    @property
    @makes(TRIED, "gain")
    def gain(self) -> Number:
        """The head's lead, with an interval as wide as both together: it is not stored which words each finds."""
        return difference(self.right, self.baseline)._replace(value=(self.correct - self.base) / self.n)


def accuracies(counts: pd.DataFrame) -> pd.Series:
    """The share of words for which a head or an offset is right, for each row of `relations` or
    `relation_baselines`.
    """
    return counts["correct"] / counts["n"]


def tried(counts: pd.DataFrame, offsets: pd.DataFrame, own: str = "", enough: int = 0) -> pd.DataFrame:
    """A row for each direction, head and relation of FEW_WORDS words or more, largest gain first, with the fields of
    Tried.

    Takes the tables `relations` and `relation_baselines`; a relation is that of the treebank with most of its words,
    but of that called `own` only where no other has `enough` words of it.
    """
    counts = counts[(counts["n"] >= FEW_WORDS) & (counts["relation"] != ALL)]
    late = (counts["n"] < enough) | (counts["corpus"] == own)
    ordered = counts.assign(late=late).sort_values(["late", "n"], ascending=[True, False], kind="stable")
    decides = ordered.drop_duplicates("relation")
    chosen = dict(zip(decides["relation"], decides["corpus"], strict=True))
    counts, offsets = (rows[rows["relation"].map(chosen) == rows["corpus"]] for rows in (counts, offsets))
    best = offsets.sort_values("correct").groupby("relation").tail(1)[["relation", "offset", "correct"]]
    found = counts.merge(best.rename(columns={"correct": "base"}), on="relation")
    found["gain"] = (found["correct"] - found["base"]) / found["n"]
    return found.sort_values("gain", ascending=False, kind="stable")


def each(rows: pd.DataFrame) -> Iterator[Tried]:
    """The rows of `tried` as records."""
    return (Tried(*row) for row in rows[list(Tried._fields)].itertuples(index=False, name=None))
