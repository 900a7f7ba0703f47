"""Checks of a stored table beyond its columns: its rows belong to the manifest's model, they are complete for its
layers and heads, and its numbers lie in the ranges of their records.
"""

from collections.abc import Iterator

import pandas as pd

from generator.measures import OF_COLUMN
from generator.results.manifest import Manifest
from generator.results.ranges import Wrong, wrong_entries
from generator.results.tables import REQUIRED

NO_NUMBER = "It refuses results that are damaged."

PLACES = {
    "documents": ["layer", "head"],
    "heads": ["layer", "head"],
    "layers": ["layer"],
    "relations": ["layer", "head"],
}
"""Table with the same numbers for every layer or head -> the columns that name the layer or head."""


def first_wrong(name: str, table: pd.DataFrame, manifest: Manifest) -> Wrong | None:
    """The first thing that is wrong with a table, given its name and its manifest; None if nothing is."""
    return next(_wrong(name, table, manifest), None)


def _wrong(name: str, table: pd.DataFrame, manifest: Manifest) -> Iterator[Wrong]:
    if table.empty and name in REQUIRED:
        yield Wrong("rows", "none")
    for model in {*(table["model"].unique() if "model" in table else ())} - {manifest.model}:
        yield Wrong(f"rows of {manifest.model}", f"rows of {model}")
    for unknown in {*(table["measure"].unique() if "measure" in table else ())} - {*OF_COLUMN}:
        yield Wrong("measures that this program knows", str(unknown))
    yield from wrong_entries(name, table, manifest)
    if name in PLACES and len(table):
        counts = table.groupby(PLACES[name]).size()
        places = manifest.layers * (manifest.heads if "head" in PLACES[name] else 1)
        if len(counts) < places or counts.nunique() > 1:
            unit = f"{PLACES[name][-1]}s"
            there = f"{len(counts)} {unit} with {counts.min()} to {counts.max()} rows"
            yield Wrong(f"the same number of rows for each of {places} {unit}", there)
