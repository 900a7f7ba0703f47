"""Reads rows of the stored tables of studies, and turns them into cells of the tables that pages show."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.published import Published
from generator.corpora.catalogue import CATALOGUE
from generator.corpora.relation_names import ALL, beside_label
from generator.corpora.tasks import TASKS
from generator.numbers.number import Grid, Number
from generator.numbers.quantity import Named, Study
from generator.numbers.writing import number, pieces, written
from generator.pages.blocks import Table
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Cell, Cells, Name, Prose, plain
from generator.pages.links import to_reference
from generator.results.tables import records

NOTHING = Cell("-")
LONG = 24
"""The most letters with which the name of a row leaves room for numbers on a telephone."""
_TITLES = {entry.name: entry.title for entry in CATALOGUE}
_TASKS = {task.name: task.title for task in TASKS}


def stored(atlas: Atlas, table: str, study: Study | None = None, **chosen: object) -> pd.DataFrame:
    """The rows of a table, or of one study in it, that have these values in these columns.

    Raises Undeclared for a `name` that the study does not have.
    """
    if study and "name" in chosen:
        study.quantity(str(chosen["name"]))
    rows = atlas.results.of_study(table, study.name) if study else atlas.results.table(table)
    for column, value in chosen.items():
        rows = rows[rows[column] == value]
    return rows


def numbers_of(atlas: Atlas, *studies: Study) -> set[tuple[str, str]]:
    """(study, name) of all numbers of these studies that a model has; the study without its placeholder's value."""
    tables = (atlas.results.table(name)[["study", "name"]] for name in ("facts", "head_facts"))
    both = pd.concat(tables).drop_duplicates().astype(str)
    pairs = zip(both["study"], both["name"], strict=True)
    return {(study.name, name) for of, name in pairs for study in studies if study.owns(of)}


def corpora(rows: pd.DataFrame, order: Iterable[str]) -> list[str]:
    """The corpora in a table, those of the manifest in its order, then any others by name."""
    there = set(rows["corpus"].unique())
    known = [name for name in order if name in there]
    return known + sorted(there - set(known))


def relation_cell(label: str) -> Prose:
    """A relation in words, and its label below; the label alone if there are no words for it."""
    if label == ALL:
        return "every word"
    words = beside_label(label)
    return Cell(words, note=label) if words else Name(label)


def title(corpus: str) -> str:
    """The name of a corpus, and what it is where the catalogue knows; of a task what it asks."""
    if corpus in _TASKS:
        return _TASKS[corpus]
    return f"{corpus}: {_TITLES[corpus]}" if corpus in _TITLES else corpus


def by_name(rows: pd.DataFrame, study: Study) -> Named[Mapping[str, Any]]:
    """Name -> row of `facts` of one study, for numbers of the whole model."""
    return Named(study, {str(row["name"]): row for row in records(rows[rows["layer"] == 0])})


def of_name(rows: pd.DataFrame, study: Study, *names: str) -> pd.DataFrame:
    """The rows of a study that hold these numbers. Raises Undeclared for one without a record."""
    return rows[rows["name"].isin([study.quantity(name).name for name in names])]


def head_grid(rows: pd.DataFrame, shape: tuple[int, int]) -> Grid:
    """One number of every head, `[layer, head]`; NaN and n = 0 for a head without a row."""
    at = rows["layer"].to_numpy() - 1, rows["head"].to_numpy() - 1
    fields = {}
    for field in Number._fields:
        grid = np.zeros(shape, int) if field == "n" else np.full(shape, np.nan)
        grid[at] = rows[field].to_numpy()
        fields[field] = grid
    return Number(**fields)


def measured(row: Mapping[str, Any] | None, name: str = "value", low: str = "low", high: str = "high") -> Cell:
    """A number with its interval below; a dash if there is no number."""
    if row is None:
        return NOTHING
    return cell(Number.of(row, name, low, high))


def cell(estimate: Number, *, signed: bool = False) -> Cell:
    """A number with its interval, if any, below; with `signed`, the number always has a sign."""
    value, ends = pieces(estimate, signed=signed)
    return Cell(value, note="" if ends == NOTHING.text else ends)


def in_unit(words: str, study: Study, name: str) -> str:
    """A heading that ends with the unit which the number's record has."""
    return f"{words}, {study.quantity(name).unit}"


def with_interval(row: Mapping[str, Any], name: str = "value", low: str = "low", high: str = "high") -> str:
    """A number with its interval in brackets, for a sentence."""
    return written(Number.of(row, name, low, high))


def printed(published: Published, key: str, page: str) -> Cell:
    """A published number that links to its source by key, with how far it is to be trusted."""
    return Cell(number(published.value), to_reference(key, "", page).href, published.trust)


def count(value: Any) -> Cell:
    """A whole number."""
    return Cell(f"{int(value):,}")


def table(label: str, columns: Iterable[Prose], rows: Iterable[Cells], style: str = "") -> Table:
    """A table block; `label` says what it holds to those who cannot see it. Long names of rows take several lines."""
    lines = tuple(rows)
    named = "fg-names" if any(len(plain(line[0])) > LONG for line in lines) else ""
    return Table(tuple(columns), lines, label, style=" ".join(filter(None, (named, style))))


def by_head(atlas: Atlas, study: Study, corpus: str = "") -> Mapping[tuple[int, int], Named[Any]]:
    """1-based (layer, head) -> name -> row of a study on one corpus, by default the first."""
    rows = atlas.results.of_study("head_facts", study.name)
    rows = rows[rows["corpus"] == (corpus or rows["corpus"].iloc[0])] if len(rows) else rows
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for row in records(rows):
        of_head = found.setdefault((row["layer"], row["head"]), {})
        of_head[str(row["name"])] = row
    return {place: Named(study, of_head) for place, of_head in found.items()}
