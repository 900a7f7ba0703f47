"""Which dependency relations the heads of every training find, and whether twins find the same."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.cutoffs import FEWEST_WORDS, is_found
from generator.corpora.relation_names import NOT_RELATIONS
from generator.numbers.number import Number, exact
from generator.numbers.resampling import proportion
from generator.studies.fact_rows import facts, stored_rows
from generator.studies.halves import HELD_OUT
from generator.topics.relations.compute.relations import relation_heads
from generator.topics.relations.derived.predictions import Predictions
from generator.topics.seeds.records import SEEDS
from generator.topics.seeds.run.maps import Twins

NO_ENDS = {"low": np.nan, "high": np.nan}
Found = Mapping[str, tuple[int, int]]
"""Relation that a training finds -> layer and head, from 1, of the head that finds it."""


def relation_tables(
    read: Sequence[Predictions], random: Predictions, twins: Twins, model: str, corpus: str, seed: int
) -> dict[str, list[pd.DataFrame]]:
    """`facts` and `head_facts` of study `seeds`, from the words that the heads of trainings pick in one treebank.

    A training finds a relation if its best head clearly beats the best fixed offset and the best head of `random`, a
    model with random weights. The rows carry the name `model`.
    """
    _, _, heads = read[0].shape
    leads = [_leads(predictions, random, model, corpus, seed) for predictions in read]
    found = [_found(table) for table in leads]
    rows = [
        {"layer": row["layer"], "head": row["head"], "n": row["n"]} | numbers
        for at, table in enumerate(leads)
        for row in table.to_dict("records")
        for numbers in _numbers_of(row, at + 1, is_found=row["relation"] in found[at])
    ]
    numbers = _shares(found, twins, heads)
    tables = {"facts": [facts(numbers, SEEDS, model, corpus)] if numbers else []}
    return tables | {"head_facts": [stored_rows(pd.DataFrame(rows), SEEDS, model, corpus)] if rows else []}


def _leads(read: Predictions, random: Predictions, model: str, corpus: str, seed: int) -> pd.DataFrame:
    """Rows of the chosen head, with held-out numbers, of every relation that has enough words."""
    table = relation_heads(read, [random], model, corpus, seed)
    if not len(table):
        return table
    enough = (table["protocol"] == HELD_OUT) & (table["n"] >= FEWEST_WORDS)
    return table[enough & ~table["relation"].isin(NOT_RELATIONS)]


def _found(leads: pd.DataFrame) -> Found:
    return {row["relation"]: (row["layer"], row["head"]) for row in leads.to_dict("records") if is_found(row)}


def _numbers_of(row: Mapping[Any, Any], training: int, *, is_found: bool) -> list[dict[str, object]]:
    """Two rows: the head's lead over the best fixed offset, and whether its relation counts as found."""
    name = f"{row['relation']}.{training}"
    lead = {"value": row["gain"], "low": row["gain_low"], "high": row["gain_high"]}
    return [{"name": f"relation.{name}"} | lead, {"name": f"found.{name}", "value": is_found} | NO_ENDS]


def _shares(found: Sequence[Found], twins: Twins, heads: int) -> dict[str, Number]:
    """The share of found relations that every training finds, and the share of pairs of heads that are twins.

    A pair is two heads of two trainings that find the same relation. Numbers without any case are left out.
    """
    some, every = set().union(*found), set(found[0]).intersection(*found[1:])
    cases = {
        (a, b, found[a][relation], found[b][relation])
        for a, b in combinations(range(len(found)), 2)
        for relation in set(found[a]) & set(found[b])
    }
    right = sum(twins[a, b].matches[_place(head, heads)] == _place(other, heads) for a, b, head, other in cases)
    chance = [(head[0] == other[0]) / heads for _, _, head, other in cases]
    numbers = {"returning": proportion(len(every), len(some))} if some else {}
    if cases:
        numbers |= {
            "carried": proportion(int(right), len(cases)),
            "carried.chance": exact(float(np.mean(chance)), heads),
        }
    return numbers


def _place(head: tuple[int, int], heads: int) -> int:
    """The 0-based place of a head, given by 1-based layer and head, among all heads in the order of layers."""
    return (head[0] - 1) * heads + head[1] - 1
