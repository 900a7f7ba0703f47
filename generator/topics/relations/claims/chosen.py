"""The head that was chosen for each dependency relation, as claims read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.evidence.evidence import Evidence
from generator.claims.evidence.rows import plain
from generator.claims.missing import NotTestable
from generator.corpora.relation_names import in_words
from generator.numbers.number import Number
from generator.studies.halves import HELD_OUT
from generator.topics.relations.records.relations import RELATIONS


@dataclass(frozen=True)
class RelationHead:
    """The head that was chosen for a dependency relation."""

    relation: str
    direction: str
    layer: int
    """1-based."""
    head: int
    accuracy: Number
    """Share of the relation's words whose head the attention finds; `n` counts words."""
    gain: Number
    """Accuracy minus that of the best fixed offset."""
    baseline: float
    """Accuracy of the best fixed offset."""
    twin: Number
    """Accuracy of the head that is chosen for the relation in an untrained twin, mean over twins; undefined without."""

    @property
    def found(self) -> bool:
        """Whether it is surely better than the best fixed offset, and than the best head of every untrained twin."""
        return self.gain.low > 0 and not self.twin.high >= self.accuracy.value


def chosen_heads(evidence: Evidence) -> list[RelationHead]:
    """The chosen head of every relation, held-out, sorted by the relation's name; "all" stands for all words together.

    Raises NotTestable if no treebank was read.
    """
    table = evidence.table("relation_heads", protocol=HELD_OUT)
    if not len(table):
        raise evidence.missing(RELATIONS.name)
    return [_relation_head(row) for row in table.sort_values("relation").to_dict("records")]


def chosen_head(evidence: Evidence, *names: str) -> RelationHead:
    """The chosen head of a relation that has several names: of the first name that the treebank has.

    Raises NotTestable if the treebank has none of them, or too few words of each.
    """
    found = {item.relation: item for item in chosen_heads(evidence) if not np.isnan(item.accuracy.value)}
    chosen = next((found[name] for name in names if name in found), None)
    if chosen is None:
        raise _none_chosen(evidence.seen("relations"), evidence.trail[-1].corpus, names)
    evidence.named.append((chosen.layer, chosen.head))
    return chosen


def _relation_head(row: Any) -> RelationHead:
    place = row["relation"], row["direction"], int(row["layer"]), int(row["head"])
    gain, twin = (plain(row, name, f"{name}_low", f"{name}_high") for name in ("gain", "twin"))
    return RelationHead(*place, plain(row), gain, float(row["baseline"]), twin)


def _none_chosen(relations: pd.DataFrame, corpus: str, names: Sequence[str]) -> NotTestable:
    """Why no head is chosen in a treebank for a relation that has several names, given the table of all relations."""
    counts = relations["n"][(relations["corpus"] == corpus) & relations["relation"].isin(names)]
    words = in_words(names[0])
    if not counts.any():
        return NotTestable(f"the treebank that was read has no {words}")
    return NotTestable(
        f"the treebank that was read has too few {words} ({counts.max()}) to choose a head on one half of the "
        "sentences and test it on the other"
    )
