"""What treebanks contradict of what pages say that heads find, as the walk over pages asks it.

It counts for itself, from what is stored of every treebank, and asks nothing of the gate that gives heads their names.
"""

from functools import cached_property
from typing import Any

import pandas as pd

from generator.corpora.relation_names import in_words
from generator.pages.of_model import OfModel
from generator.results.store import Results
from generator.results.tables import records
from generator.topics.relations.records.relations import FEW_WORDS


class Contradicted:
    """What speaks against what heads of one model may be said to find."""

    def __init__(self, results: Results) -> None:
        self._counts, self._offsets = results.table("relations"), results.table("relation_baselines")
        self._least: dict[str, dict[tuple[int, int], dict[str, Any]]] = {}

    def of(self, layer: int, head: int, said: str) -> str:
        """A clause if a head, 1-based, is right no more often than the best fixed offset in some treebank, on all of
        its sentences, whichever way its attention is read; empty if nothing speaks against it. `said` begins with what
        it finds.
        """
        words = next((label for label in self._labels if said == label or said.startswith(f"{label} ")), "")
        if words not in self._least:
            self._least[words] = self._least_of(words) if words else {}
        row = self._least[words].get((layer, head))
        if row is None or row["lead"] > 0:
            return ""
        where = f"in {row['corpus']} it is right for {row['correct']:,} of {row['n']:,} words"
        return f"{where}, and the best fixed offset for {row['base']:,}"

    @cached_property
    def _leads(self) -> pd.DataFrame:
        """Rows of counts on FEW_WORDS words or more: how often the best offset is right as `base`, and the `lead`."""
        base = self._offsets.groupby(["corpus", "relation"], observed=True)["correct"].max().rename("base")
        rows = self._counts[self._counts["n"] >= FEW_WORDS].join(base, on=["corpus", "relation"], how="inner")
        return rows.assign(lead=(rows["correct"] - rows["base"]) / rows["n"])

    @cached_property
    def _labels(self) -> dict[str, list[str]]:
        """Relations in words, the longest first, with their labels."""
        labels: dict[str, list[str]] = {}
        for label in self._leads["relation"].unique():
            labels.setdefault(in_words(label), []).append(label)
        return dict(sorted(labels.items(), key=lambda item: -len(item[0])))

    def _least_of(self, words: str) -> dict[tuple[int, int], dict[str, Any]]:
        """Head -> of the treebank that speaks most against each way of reading it, the row that speaks least."""
        rows = self._leads[self._leads["relation"].isin(self._labels[words])].sort_values("lead", kind="stable")
        least = rows.drop_duplicates(["relation", "direction", "layer", "head"])
        return {(row["layer"], row["head"]): row for row in records(least)}


class OfTreebanks(OfModel):
    """What treebanks say against a page of the model."""

    @cached_property
    def _contradicted(self) -> Contradicted:
        return Contradicted(self.atlas.results)

    def against(self, layer: int, head: int, said: str) -> str:
        """A clause if a head is right no more often than the best fixed offset in some treebank."""
        return self._contradicted.of(layer, head, said)


OF_MODELS = OfTreebanks
