"""Rows of the stored tables of studies -> cells of the tables that pages show."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from generator.corpora.catalogue import CATALOGUE
from generator.numbers.writing import interval, number
from generator.pages.contexts import Link
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.contexts import DataTable, Entry

NOTHING = Entry("-")
_TITLES = {entry.name: entry.title for entry in CATALOGUE}


def stored(atlas: Atlas, table: str, **chosen: object) -> pd.DataFrame:
    """The rows of a table that have these values in these columns."""
    rows = atlas.results.table(table)
    for column, value in chosen.items():
        rows = rows[rows[column] == value]
    return rows


def corpora(rows: pd.DataFrame, order: Iterable[str]) -> list[str]:
    """The corpora that a table holds, in the manifest's order; any others follow by name."""
    there = set(rows["corpus"])
    known = [name for name in order if name in there]
    return known + sorted(there - set(known))


def title(corpus: str) -> str:
    """The name of a corpus, and what it is where the catalogue knows."""
    return f"{corpus}: {_TITLES[corpus]}" if corpus in _TITLES else corpus


def by_name(rows: pd.DataFrame) -> dict[str, Mapping[str, Any]]:
    """Rows of `facts` that belong to no layer, by name."""
    return {str(row["name"]): row for row in records(rows[rows["layer"] == 0])}


def records(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Each row by column."""
    for row in rows.to_dict("records"):
        yield {str(name): value for name, value in row.items()}


def measured(row: Mapping[str, Any] | None, name: str = "value", low: str = "low", high: str = "high") -> Entry:
    """A number with its interval below; a dash where there is none."""
    if row is None:
        return NOTHING
    between = interval(row[low], row[high])
    return Entry(number(row[name]), note="" if between == "-" else between)


def with_interval(row: Mapping[str, Any], name: str = "value", low: str = "low", high: str = "high") -> str:
    """A number with its interval in brackets, for a sentence."""
    between = interval(row[low], row[high])
    return number(row[name]) + ("" if between == "-" else f" ({between})")


def count(value: Any) -> Entry:
    """A whole number."""
    return Entry(f"{int(value):,}")


def table(label: str, columns: Iterable[Link | str], rows: Iterable[tuple[Entry, ...]]) -> DataTable:
    """A table; a heading that is mere text leads nowhere."""
    headings = tuple(Link(one, "") if isinstance(one, str) else one for one in columns)
    return DataTable(label, headings, tuple(rows))
