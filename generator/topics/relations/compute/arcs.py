"""Sentences in which a head is right about a relation, and some in which it is not, with all its weights: of the head
that was chosen for the relation, and of each that finds more of it than the best fixed offset.

They are of the treebank that comes with the program, of the half on which no head was chosen, and short; of each kind
the shortest come first, one word of each sentence. Nobody picks them by eye.
"""

import pandas as pd

from generator.corpora.relation_names import NOT_RELATIONS
from generator.studies.halves import HELD_OUT, reported
from generator.topics.relations.derived.arcs import COLUMNS, LONGEST, SHORTEST


def shown(chosen: pd.DataFrame, counts: pd.DataFrame, offsets: pd.DataFrame) -> pd.DataFrame:
    """Relations, directions and heads of which sentences are kept: those of `chosen`, rows of `relation_heads`, that
    are reported on the held-out half, then those that are right more often than the best fixed offset on all sentences,
    by the tables `relations` and `relation_baselines`.
    """
    held_out = chosen[chosen["protocol"] == HELD_OUT]
    best = offsets.groupby("relation")["correct"].max()
    more = counts[counts["correct"] > counts["relation"].map(best)]
    every = pd.concat([rows[list(COLUMNS[1:5])] for rows in (held_out, more)], ignore_index=True)
    return every[~every["relation"].isin(NOT_RELATIONS)].drop_duplicates(ignore_index=True)


def fits(sentence: str, words: int, seed: int) -> bool:
    """Whether a sentence may be shown: of the half that is reported, neither short nor long."""
    return SHORTEST <= words <= LONGEST and bool(reported([sentence], seed)[0])
