"""Checks of a stored table beyond its columns: its rows belong to the manifest's model, they are complete for its
layers and heads, and its numbers lie in the ranges of their records.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from generator.measures import OF_COLUMN
from generator.numbers.quantity import Quantity
from generator.numbers.writing import number
from generator.results.manifest import Manifest
from generator.results.tables import REQUIRED

NO_NUMBER = "It refuses results that are damaged."

CLOSE = 1e-6
"""How far a number may lie beyond its range because of rounding."""
PLACES = {
    "documents": ["layer", "head"],
    "heads": ["layer", "head"],
    "layers": ["layer"],
    "relations": ["layer", "head"],
}
"""Table with the same numbers for every layer or head -> the columns that name the layer or head."""


class Wrong(NamedTuple):
    """What was expected of a table and what was found, as parts of an error message."""

    expected: str
    found: str


def first_wrong(name: str, table: pd.DataFrame, manifest: Manifest) -> Wrong | None:
    """The first thing that is wrong with a table, given its name and its manifest; None if nothing is."""
    return next(_wrong(name, table, manifest), None)


def out_of_range(numbers: np.ndarray, quantity: Quantity) -> Wrong | None:
    """The first number that lies outside the range of its record; None if all lie inside. NaN lies in every range."""
    least, most = quantity.limits
    beyond = np.isinf(numbers) | (numbers < least - CLOSE) | (numbers > most + CLOSE)
    if not beyond.any():
        return None
    range_ = quantity.range or "a finite number"
    return Wrong(
        f"{quantity.title} ({quantity.name}) to be {range_}", number(float(numbers[beyond][0]), against=quantity.limits)
    )


def _wrong(name: str, table: pd.DataFrame, manifest: Manifest) -> Iterator[Wrong]:
    if table.empty and name in REQUIRED:
        yield Wrong("rows", "none")
    for model in {*(table["model"].unique() if "model" in table else ())} - {manifest.model}:
        yield Wrong(f"rows of {manifest.model}", f"rows of {model}")
    for place, most in (("layer", manifest.layers), ("head", manifest.heads)):
        beyond = list(table.loc[~table[place].between(0, most), place]) if place in table else []
        if beyond:
            yield Wrong(f"{place}s from 0 to {most}", f"{place} {beyond[0]:g}")
    if name in PLACES and len(table):
        counts = table.groupby(PLACES[name]).size()
        places = manifest.layers * (manifest.heads if "head" in PLACES[name] else 1)
        if len(counts) < places or counts.nunique() > 1:
            unit = f"{PLACES[name][-1]}s"
            there = f"{len(counts)} {unit} with {counts.min()} to {counts.max()} rows"
            yield Wrong(f"the same number of rows for each of {places} {unit}", there)
    for column, numbers in _measured(name, table):
        if column not in OF_COLUMN:
            yield Wrong("measures that this program knows", str(column))
        elif found := out_of_range(numbers, OF_COLUMN[column]):
            yield found


def _measured(name: str, table: pd.DataFrame) -> Iterator[tuple[str, np.ndarray]]:
    """Measure -> its numbers, in the tables of measures."""
    if name in ("heads", "layers"):
        for measure, rows in table.groupby("measure"):
            yield str(measure), rows["value"].to_numpy()
    elif name in ("documents", "uniform"):
        for column in OF_COLUMN:
            yield column, table[column].to_numpy()
