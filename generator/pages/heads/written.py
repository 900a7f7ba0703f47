"""The numbers of all heads of a model as the finder writes them: written once, when the model's pages are made."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from generator.numbers.writing import number
from generator.results.store import Results
from generator.studies.syntax.relations import ALL, FEW_WORDS
from generator.studies.syntax.tried import accuracies


class Written(NamedTuple):
    """The number of every head as text, layer by layer."""

    measures: Mapping[str, list[str]]
    """By column."""
    relations: Mapping[str, list[str]]
    """Relation -> the share of its words that a head gets right in the largest treebank."""


def written(results: Results, measures: Mapping[str, np.ndarray]) -> Written:
    """From stored results, and from the means of all columns `[layer, head]`."""
    return Written(
        {name: list(map(number, grid.ravel().tolist())) for name, grid in measures.items()},
        {name: list(map(number, grid.ravel().tolist())) for name, grid in _relations(results).items()},
    )


def _relations(results: Results) -> dict[str, np.ndarray]:
    """Relation -> the share of its words that each head gets right in its better direction, `[layer, head]`."""
    table = results.table("relations")
    if not len(table):
        return {}
    whole = table[table["relation"] == ALL].groupby("corpus")["n"].max()
    table = table[(table["corpus"] == whole.idxmax()) & (table["n"] >= FEW_WORDS) & (table["relation"] != ALL)]
    found: dict[str, np.ndarray] = {}
    for (relation, _), rows in table.groupby(["relation", "direction"]):
        grid = np.full((results.manifest.layers, results.manifest.heads), np.nan)
        grid[rows["layer"].to_numpy() - 1, rows["head"].to_numpy() - 1] = accuracies(rows)
        found[str(relation)] = np.fmax(found.get(str(relation), grid), grid)
    return found
