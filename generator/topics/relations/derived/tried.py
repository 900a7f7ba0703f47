"""What every head finds of every relation on all sentences of a treebank, from stored counts: nothing is held out."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from generator.corpora.relation_names import ALL
from generator.numbers.makers import makes
from generator.numbers.number import Number, difference
from generator.numbers.resampling import proportion
from generator.results.tables import records
from generator.studies.halves import SAME_DATA
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
    effect: float
    """How many words count as one."""

    @property
    @makes(TRIED, "accuracy")
    def right(self) -> Number:
        """How often the head is right, with Wilson's interval."""
        return self._share(self.correct)

    @property
    @makes(TRIED, "baseline")
    def baseline(self) -> Number:
        """How often the best offset is right, with Wilson's interval."""
        return self._share(self.base)

    @property
    @makes(TRIED, "gain")
    def gain(self) -> Number:
        """The head's lead, with an interval as wide as both together: it is not stored which words each finds."""
        return difference(self.right, self.baseline)._replace(value=(self.correct - self.base) / self.n)

    def _share(self, right: int) -> Number:
        alone = proportion(round(right / self.effect), round(self.n / self.effect))
        return alone._replace(value=right / self.n, n=self.n)


def accuracies(counts: pd.DataFrame) -> pd.Series:
    """The share of words for which a head or an offset is right, for each row of `relations` or
    `relation_baselines`.
    """
    return counts["correct"] / counts["n"]


def design_effects(chosen: pd.DataFrame) -> Mapping[tuple[str, str], float]:
    """Treebank and relation -> how many of its words count as one (Kish 1965), from `relation_heads`: how much more the
    share of the best head varies between resampled sentences than Wilson's interval says; at least 1.

    Words of one sentence may be alike: the 279 items of lists in UD English EWT (test) stand in 107 sentences.
    """
    found = {}
    for row in records(chosen[chosen["protocol"] == SAME_DATA]):
        alone = proportion(round(row["value"] * row["n"]), row["n"])
        wider = (row["high"] - row["low"]) / (alone.high - alone.low)
        found[str(row["corpus"]), str(row["relation"])] = max(1.0, wider**2)
    return found


def tried(
    counts: pd.DataFrame,
    offsets: pd.DataFrame,
    effects: Mapping[tuple[str, str], float],
    own: str = "",
    enough: int = 0,
) -> pd.DataFrame:
    """A row for each direction, head and relation of FEW_WORDS words or more, largest gain first, with the fields of
    Tried.

    Takes the tables `relations` and `relation_baselines`, and what `design_effects` gives; a relation is that of the
    treebank with most of its words, but of that called `own` only where no other has `enough` words of it.
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
    places = zip(found["corpus"], found["relation"], strict=True)
    found["effect"] = [effects.get(place, 1.0) for place in places]
    return found.sort_values("gain", ascending=False, kind="stable")


def each(rows: pd.DataFrame) -> Iterator[Tried]:
    """The rows of `tried` as records."""
    return (Tried(*row) for row in rows[list(Tried._fields)].itertuples(index=False, name=None))
