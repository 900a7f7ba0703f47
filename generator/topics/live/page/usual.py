"""What each head usually does, for a reader's sentence to be compared with: quantiles over documents, and its name."""

from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.relation_names import DIRECTIONS, in_words
from generator.measures.breadth import LARGEST
from generator.pages.heads.arcs import hues
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.heads.summary import TARGETS, Summary
from generator.pages.links import head_name

QUANTILES = np.linspace(0, 1, 21)
TOLD = {target.column: target.words for target in TARGETS} | {LARGEST.name: "the token that gets most"}
"""Measure of a sentence -> to what it says that attention goes."""


def usual(atlas: Atlas) -> dict[str, Any]:
    """Measures with their names in words, and for each head its kind, what its name speaks of, and its quantiles."""
    documents = atlas.results.documents
    documents = documents[documents["corpus"] == atlas.corpus]
    columns = [column for column in TOLD if column in documents]
    by_head = {place: rows[columns] for place, rows in documents.groupby(["layer", "head"])}
    heads = {
        head_name(*place): _named(atlas.summaries[place]) | {"usual": _quantiles(by_head[place])}
        for place in atlas.places
    }
    return {
        "measures": [[column, TOLD[column]] for column in columns],
        "heads": heads,
    }


def _named(summary: Summary) -> dict[str, Any]:
    found = summary.found
    finds = found and {"words": in_words(found.relation) if found.relation else found.found, "forward": _forward(found)}
    of = {"kind": summary.first, "looks": summary.looks, "hues": hues(summary.looks)}
    return of | {"title": f"\u201c{summary.title}\u201d", "finds": finds}


def _forward(found: Specialty) -> bool:
    """Whether words look at the word that they depend on, and not the other way round."""
    return found.direction != DIRECTIONS[1]


def _quantiles(rows: pd.DataFrame) -> dict[str, list[float]]:
    """Column -> its quantiles; those without a value in some document are left out."""
    whole = rows.dropna(axis="columns")
    return {str(name): np.quantile(whole[name], QUANTILES).round(4).tolist() for name in whole}
