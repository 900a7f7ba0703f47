"""What the columns of a stored table may hold, and the first entry of each that is none of it.

A number lies in the range of its record: that of its column, of the measure in its row, or of the study and the name
there; the ends of an interval have the record of their number. What has no record has its range in the schema.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from generator.measures import COLUMN, OF_COLUMN
from generator.numbers.quantity import Quantity, Undeclared
from generator.numbers.writing import number
from generator.results.manifest import Manifest
from generator.results.tables import EMPTY, LAST_OF, RANGE, TABLES
from generator.studies.declared import STUDIES, quantity_of, study_of

NO_NUMBER = "It refuses results that are damaged."

CLOSE = 1e-6
"""How far a number may lie beyond its range because of rounding."""
RECORDS = {(column.table, column.name): column for study in STUDIES for column in study.columns}
"""Table and column -> the record of the numbers in it."""
NAMES = (["measure"], ["study", "name"])
"""The columns that name the number of a row."""
BY_ROW = ("as the measure", "as the number")
"""Units of columns whose numbers have the records of their rows."""
DOUBLINGS, STEP = "doublings", "step"
"""Numbers of this unit stand in the column of steps: how many doublings of the step lie between two changes."""
LOW, HIGH = "low", "high"
FREE = (-np.inf, np.inf)
Limit = float | np.ndarray
_NO_ROWS = np.array([], int)


class Wrong(NamedTuple):
    """What was expected of a table and what was found, as parts of an error message."""

    expected: str
    found: str


class _Records(NamedTuple):
    """The records of the numbers in a column."""

    all: Sequence[Quantity]
    of_row: np.ndarray
    """Which of them each row has, if there are several."""


class _Numbers(NamedTuple):
    """The numbers of a column, those of lists one after another."""

    all: np.ndarray
    rows: np.ndarray
    """The 0-based row of each."""


def wrong_entries(name: str, table: pd.DataFrame, manifest: Manifest) -> Iterator[Wrong]:
    """For each column of a table, the first entry that it may not hold, with its row; rows are counted from 1.

    The table has the columns of its schema.
    """
    if table.empty:
        return
    for column in (field.name for field in TABLES[name] if EMPTY not in (field.metadata or {})):
        if (missing := table[column].isna().to_numpy()).any():
            yield Wrong(f"every row to have {column}", f"none in row {missing.argmax() + 1}")
    named = _named(table)
    for column in (field.name for field in TABLES[name] if holds_numbers(field)):
        yield from _wrong_number(table[column], _records_of(record_of(name, column), named, manifest), table)
    for low in filter(_is_low, table.columns):
        yield from _crossed(table[low], table[f"{low.removesuffix(LOW)}{HIGH}"])


def out_of_range(numbers: np.ndarray, quantity: Quantity) -> Wrong | None:
    """The first number that lies outside the range of its record; None if all lie inside. NaN lies in every range."""
    beyond = ~_inside(numbers, *quantity.limits) & ~np.isnan(numbers)
    return Wrong(_right(quantity), _value(numbers[beyond][0], quantity)) if beyond.any() else None


def holds_numbers(field: pa.Field) -> bool:
    """Whether a column holds numbers, or lists of numbers."""
    kind = field.type.value_type if pa.types.is_list(field.type) else field.type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


@cache
def record_of(name: str, column: str) -> Quantity | None:
    """The record of the numbers in a column of a table, for an end of an interval that of its number; None if the rows
    name them.

    What has no record but a range in the schema is a number of that range without a title.
    """
    schema = TABLES[name]
    text = (schema.field(column).metadata or {}).get(RANGE)
    if text:
        return Quantity(name=column, title="", unit="number", range=text.decode(), definition="")
    before = schema.names[: schema.get_field_index(column) + 1]
    of = next(earlier for earlier in reversed(before) if not _is_end(earlier))
    return RECORDS.get((name, of)) or OF_COLUMN.get(of)


def _named(table: pd.DataFrame) -> _Records | None:
    """The records of the numbers that the rows name; None if the rows of the table name none."""
    names = next((columns for columns in NAMES if {*columns} <= {*table.columns}), None)
    if names is None:
        return None
    of_row = np.zeros(len(table), int)
    for name in names:
        codes, values = pd.factorize(table[name])
        # One number for each combination of names.
        of_row = of_row * len(values) + codes
    _, first, of_row = np.unique(of_row, return_index=True, return_inverse=True)
    called = zip(*(table[name].iloc[first] for name in names), strict=True)
    return _Records([_record_called(*map(str, row)) for row in called], of_row)


@lru_cache(maxsize=1 << 14)
def _record_called(*names: str) -> Quantity:
    """The record of a measure, or of a number by its study and its name; one without a range if there is none, as for a
    number of another version of this program.
    """
    if len(names) == 1:
        return OF_COLUMN.get(names[0]) or Quantity(name=names[0], title="", unit="number", definition="")
    try:
        record, parts = quantity_of(*names), study_of(names[0]).parts(names[1])
    except Undeclared:
        return Quantity(name=names[1], title="", unit="number", definition="")
    if record.range or COLUMN.name not in parts:
        return record
    least, most = OF_COLUMN[parts[COLUMN.name]].limits  # a number "as the measure" may be a difference of two
    return replace(record, range=f"{least - most:g} to {most - least:g}") if np.isfinite(most - least) else record


def _records_of(own: Quantity | None, named: _Records | None, manifest: Manifest) -> _Records:
    """The records of the numbers in a column, given its own one."""
    if named and (own is None or own.unit in BY_ROW):
        return named
    assert own, "a column of numbers has a record, or a range in the schema"
    if named and own.name == STEP:
        return named._replace(all=[quantity if quantity.unit == DOUBLINGS else own for quantity in named.all])
    sizes = {"layers": manifest.layers, "heads": manifest.heads}
    least, _, most = own.range.partition(" to ")
    return _Records([replace(own, range=f"{least} to {sizes[most]}") if most in sizes else own], _NO_ROWS)


def _numbers_of(column: pd.Series) -> _Numbers:
    """Without NaN, but for that in lists."""
    if column.dtype == object:
        lists = [() if values is None else values for values in column]
        return _Numbers(np.concatenate(lists), np.repeat(np.arange(len(lists)), list(map(len, lists))))
    numbers = column.to_numpy()
    rows = np.flatnonzero(~np.isnan(numbers))
    return _Numbers(numbers[rows], rows)


def _wrong_number(column: pd.Series, records: _Records, table: pd.DataFrame) -> Iterator[Wrong]:
    """The first number of a column that does not lie in the range of its record."""
    numbers, rows = _numbers_of(column)
    right = _inside(numbers, *_limits(records, rows, table, _is_end(str(column.name))))
    if not right.all():
        at = int(right.argmin())
        record = records.all[records.of_row[rows[at]] if len(records.all) > 1 else 0]
        where = f"in column {column.name}, row {rows[at] + 1}"
        yield Wrong(_right(record), f"{_value(numbers[at], record)} {where}")


def _limits(records: _Records, rows: np.ndarray, table: pd.DataFrame, is_end: bool) -> tuple[Limit, Limit]:
    """The least and the greatest that numbers in these rows may be: one of each for all, or one for each number."""
    if len(records.all) > 1:
        limits = np.array([FREE if is_end and quantity.beyond else quantity.limits for quantity in records.all])
        # `[2, number]`: the least and the greatest for each.
        return tuple(limits.T[:, records.of_row[rows]])
    (record,) = records.all
    least, most = FREE if is_end and record.beyond else record.limits
    last = record.range.partition(" to ")[2]
    if last.startswith(LAST_OF):
        return least, (table[last.removeprefix(LAST_OF)].map(len).to_numpy() - 1)[rows]
    return least, table[last].to_numpy()[rows] if last in table else most


def _crossed(low: pd.Series, high: pd.Series) -> Iterator[Wrong]:
    crossed = low.to_numpy() > high.to_numpy() + CLOSE
    if crossed.any():
        row = int(crossed.argmax())
        found = f"{number(low.to_numpy()[row])} and {number(high.to_numpy()[row])} in row {row + 1}"
        yield Wrong(f"{low.name} to be at most {high.name}", found)


def _inside(numbers: np.ndarray, least: Limit, most: Limit) -> np.ndarray:
    """Whether numbers are finite and from the least to the greatest."""
    inside: np.ndarray = (numbers >= least - CLOSE) & (numbers <= most + CLOSE) & np.isfinite(numbers)
    return inside


def _right(record: Quantity) -> str:
    """What a number has to be."""
    name = f"{record.title} ({record.name})" if record.title else record.name
    return f"{name} to be {record.range or 'a finite number'}"


def _value(found: float, record: Quantity) -> str:
    return "nothing" if np.isnan(found) else number(float(found), against=record.limits)


def _is_low(column: str) -> bool:
    return column == LOW or column.endswith(f"_{LOW}")


def _is_end(column: str) -> bool:
    """Whether a column holds ends of intervals."""
    return _is_low(column) or column == HIGH or column.endswith(f"_{HIGH}")
