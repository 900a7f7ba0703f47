"""Which dependency relations the heads of every training find, and whether twins find the same."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import pandas as pd

from generator.claims.clark.syntax import NOT_RELATIONS
from generator.claims.cutoffs import FEWEST_WORDS, is_clear
from generator.experiments.seeds.maps import Twins
from generator.numbers.number import Number, exact
from generator.numbers.resampling import proportion
from generator.studies.experiments.seeds_quantities import SEEDS
from generator.studies.fact_rows import facts, stored_rows
from generator.studies.halves import HELD_OUT
from generator.studies.syntax.predictions import Predictions
from generator.studies.syntax.relations import relation_heads

Found = Mapping[str, int]
"""The relations that a training finds, and the place of the head that finds each among all heads, layer by layer."""


def relation_tables(
    read: Sequence[Predictions], twins: Twins, model: str, corpus: str, seed: int
) -> dict[str, list[pd.DataFrame]]:
    """`facts` and `head_facts` of study `seeds` from what the trainings pick in one treebank.

    Without `twins` it is not known whether they find the same. `model` names the rows.
    """
    _, layers, heads = read[0].shape
    leads = [_leads(one, model, corpus, seed) for one in read]
    found = [_found(table, heads) for table in leads]
    rows = [
        {"name": f"relation.{row['relation']}.{at}", "layer": row["layer"], "head": row["head"], "n": row["n"]}
        | {"value": row["gain"], "low": row["gain_low"], "high": row["gain_high"]}
        for at, table in enumerate(leads, start=1)
        for row in table.to_dict("records")
    ]
    numbers = _numbers(found, twins, layers * heads)
    tables = {"facts": [facts(numbers, SEEDS, model, corpus)] if numbers else []}
    return tables | {"head_facts": [stored_rows(pd.DataFrame(rows), SEEDS, model, corpus)] if rows else []}


def _leads(read: Predictions, model: str, corpus: str, seed: int) -> pd.DataFrame:
    """The held-out head of every relation of words enough to judge it by."""
    table = relation_heads(read, (), model, corpus, seed)
    if not len(table):
        return table
    enough = (table["protocol"] == HELD_OUT) & (table["n"] >= FEWEST_WORDS)
    return table[enough & ~table["relation"].isin(NOT_RELATIONS)]


def _found(leads: pd.DataFrame, heads: int) -> Found:
    """Those whose head clearly beats the best fixed offset."""
    return {
        row["relation"]: (row["layer"] - 1) * heads + row["head"] - 1
        for row in leads.to_dict("records")
        if is_clear(row["gain"], row["gain_low"])
    }


def _numbers(found: Sequence[Found], twins: Twins, heads: int) -> dict[str, Number]:
    some, every = set().union(*found), set(found[0]).intersection(*found[1:])
    cases = [
        twins[a, b].matches[found[a][relation]] == found[b][relation]
        for a, b in combinations(range(len(found)), 2)
        if (a, b) in twins
        for relation in sorted(set(found[a]) & set(found[b]))
    ]
    numbers = {"returning": proportion(len(every), len(some))} if some else {}
    if cases:
        numbers |= {"carried": proportion(int(sum(cases)), len(cases)), "carried.chance": exact(1 / heads, heads)}
    return numbers
