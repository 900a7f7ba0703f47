"""How often every head finds every relation on all sentences of a model's treebanks."""

import pandas as pd

from generator.claims.cutoffs import FEWEST_WORDS
from generator.corpora.relation_names import in_words
from generator.results.store import Results
from generator.topics.relations.claims.finds import CHOSEN, COUNTED, SHIFTED, Treebanks
from generator.topics.relations.derived.tried import Tried, design_effects, each, tried


def tried_in(results: Results) -> pd.DataFrame:
    """A row for each head and relation, as `tried` returns them."""
    counts, offsets, chosen = (results.table(name) for name in (COUNTED, SHIFTED, CHOSEN))
    return tried(counts, offsets, design_effects(chosen), results.once(Treebanks.of).own, FEWEST_WORDS)


def tried_by(results: Results, plural: str, layer: int, head: int) -> Tried | None:
    """How often a head finds the relation with this plural name, in the direction in which it is better; None if that
    was not tried.
    """
    rows = results.once(tried_in)
    rows = rows[(rows["layer"] == layer) & (rows["head"] == head)]
    return next((found for found in each(rows) if in_words(found.relation) == plural), None)
