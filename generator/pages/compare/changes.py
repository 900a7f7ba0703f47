"""Tables of what changes from one model to another: measures, relations, kinds of words."""

import math

import numpy as np

from generator.experiments.compare.names import BASE, TOLERANCE, relation_fact
from generator.measures import OF_COLUMN
from generator.numbers.writing import number
from generator.pages.blocks import Cell, Table
from generator.pages.compare.numbers import Comparison
from generator.pages.links import to_column, to_head, to_term
from generator.pages.studies.tables import cell, count, records, stored, table
from generator.studies.frames.features import FEATURES
from generator.studies.halves import HELD_OUT

SCORE = "mean"
"""Of the scores of a kind of token the one that is shown: the share of all attention that goes to it."""


def head_cell(found: Comparison, layer: int, head: int, page: str) -> Cell:
    """A head of the first model, leading to its page."""
    link = to_head(found.atlas.slug, layer, head, page)
    return Cell(link.text, link.href)


def largest_table(found: Comparison, page: str) -> Table | None:
    """For every measure the head that changed most; None where nothing changed."""
    rows = []
    for column in found.measures if found.alike else ():
        change = found.heads[column]
        at = tuple(int(one) for one in np.unravel_index(np.nanargmax(abs(change.value)), change.value.shape))
        if abs(change.value[at]) >= TOLERANCE:
            link = to_column(column, page)
            clear = int(((change.low > 0) | (change.high < 0)).sum())
            rows.append(
                (
                    Cell(link.text, link.href),
                    head_cell(found, at[0] + 1, at[1] + 1, page),
                    Cell(number(found.heads[BASE + column].value[at]) if BASE + column in found.heads else "-"),
                    cell(change.at(*at), signed=True),
                    Cell(OF_COLUMN[column].unit),
                    count(change.n[at]),
                    Cell(f"{clear} of {change.value.size}"),
                )
            )
    columns = (
        "measure",
        "head",
        f"in {found.atlas.results.manifest.model}",
        "change",
        "unit",
        to_term("n", "n, documents", page),
        "heads whose interval leaves out 0",
    )
    return table("Largest changes of measures", columns, rows) if rows else None


def relations_table(found: Comparison, page: str) -> Table | None:
    """For every relation the first model's held-out head, and how its accuracy changed; None where not compared."""
    chosen = stored(found.atlas, "relation_heads", corpus=found.corpus, protocol=HELD_OUT)
    accuracy = stored(found.atlas, "relations", corpus=found.corpus)
    rows = []
    for row in records(chosen.sort_values("relation")):
        change = found.heads.get(relation_fact(row["relation"], row["direction"]))
        if change is not None:
            at = int(row["layer"]) - 1, int(row["head"]) - 1
            here = accuracy
            for column in ("relation", "direction", "layer", "head"):
                here = here[here[column] == row[column]]
            share = float(here["correct"].iloc[0] / here["n"].iloc[0]) if len(here) else math.nan
            rows.append(
                (
                    Cell(row["relation"]),
                    head_cell(found, at[0] + 1, at[1] + 1, page),
                    Cell(row["direction"]),
                    Cell(number(share)),
                    cell(change.at(*at), signed=True),
                    count(change.n[at]),
                )
            )
    columns = (
        to_term("dependency-relation", "relation", page),
        "head",
        "direction",
        f"accuracy in {found.atlas.results.manifest.model}",
        "change",
        to_term("n", "n, words", page),
    )
    return table("Change of accuracy by relation", columns, rows) if rows else None


def features_table(found: Comparison, page: str) -> Table | None:
    """For every kind of word the head whose attention to it changed most; None where not compared."""
    rows = []
    for feature in FEATURES:
        change = found.heads.get(f"{feature}.{SCORE}")
        if change is not None and not np.isnan(change.value).all():
            at = tuple(int(one) for one in np.unravel_index(np.nanargmax(abs(change.value)), change.value.shape))
            clear = int(((change.low > 0) | (change.high < 0)).sum())
            rows.append(
                (
                    Cell(feature),
                    head_cell(found, at[0] + 1, at[1] + 1, page),
                    cell(change.at(*at), signed=True),
                    count(change.n[at]),
                    Cell(f"{clear} of {change.value.size}"),
                )
            )
    columns = (
        "kind of token",
        "head that changed most",
        "change",
        to_term("n", "n, sentences", page),
        "heads whose interval leaves out 0",
    )
    return table("Change of attention to kinds of tokens", columns, rows) if rows else None
