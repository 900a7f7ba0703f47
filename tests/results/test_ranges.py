"""Every column of every stored table says what it may hold, and nothing else in it is read, whatever the checksum."""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generator.errors import ResultsError
from generator.home import DATA
from generator.measures import OF_COLUMN
from generator.numbers.quantity import Quantity
from generator.results.ranges import BY_ROW, NAMES, RECORDS, holds_numbers, record_of
from generator.results.store import Results
from generator.results.tables import EMPTY, LAST_OF, RANGE, TABLES
from generator.studies.declared import quantity_of
from generator.topics.relations.derived.predictions import OFFSETS
from tests.results.altered import with_table

NUMBERS = [(name, field.name) for name, schema in TABLES.items() for field in schema if holds_numbers(field)]
NAMED = {name for name, schema in TABLES.items() if any({*names} <= {*schema.names} for names in NAMES)}


def test_every_column_of_numbers_has_a_record_or_a_range_and_not_both():
    for name, column in NUMBERS:
        own = record_of(name, column)
        ranged = RANGE in (TABLES[name].field(column).metadata or {})
        assert ((name, column) in RECORDS or column in OF_COLUMN) + ranged < 2, (name, column)
        assert own or name in NAMED, (name, column)
        assert not ranged or own.range, (name, column)


def test_whole_numbers_have_bounds():
    for name, column in NUMBERS:
        field = TABLES[name].field(column)
        kind = field.type.value_type if pa.types.is_list(field.type) else field.type
        if pa.types.is_integer(kind):
            assert record_of(name, column).limits[0] > -np.inf, (name, column)


def test_the_range_of_an_offset_is_that_of_those_that_are_tried():
    assert RECORDS["relation_heads", "offset"].limits == (min(OFFSETS), max(OFFSETS))


@pytest.fixture(scope="module")
def sources(plain: Path) -> dict[str, Path]:
    """Gives for each table the smallest real results that have it."""
    found = sorted(
        (pq.read_metadata(path).num_rows, path)
        for folder in (plain, *(one.parent for one in sorted((DATA / "results").glob("*/manifest.json"))))
        for path in folder.glob("*.parquet")
    )
    first: dict[str, Path] = {}
    for _, path in found:
        first.setdefault(path.stem, path.parent)
    return first


def test_there_are_real_results_for_every_table(sources: dict[str, Path]):
    assert {*sources} == {*TABLES}


@cache
def real(folder: Path, name: str) -> pd.DataFrame:
    return pq.read_table(folder / f"{name}.parquet").to_pandas()


def wrong(name: str, column: str, frame: pd.DataFrame) -> Iterator[tuple[Any, int, str]]:
    """Entries that the column may not hold, each with a row and what is expected there."""
    field, record, row = TABLES[name].field(column), record_of(name, column), len(frame) // 2
    is_list = pa.types.is_list(field.type)
    if record is None or record.unit in BY_ROW:
        records = [named(one) for one in frame.to_dict("records")]
        free = [column in ("low", "high") and bool(one.beyond) for one in records]
        row = max(range(len(frame)), key=lambda at: (not free[at], np.isfinite(records[at].limits).sum()))
        record = records[row]
    expected = f" to be {record.range or 'a finite number'} in "
    least, most = record.limits
    last = record.range.partition(" to ")[2]
    if np.isfinite(least):
        yield least - 1, row, expected if np.isfinite(most) or not last else f" to be {least:g} to "
    if np.isfinite(most):
        yield most + 1, row, expected
    elif last in ("layers", "heads", *frame) or last.startswith(LAST_OF):
        yield 31_000, row, f" to be {least:g} to "
    if pa.types.is_floating(field.type.value_type if is_list else field.type):
        yield from ((one, row, expected) for one in (np.inf, -np.inf, *([np.nan] if is_list else [])))
    if EMPTY not in (field.metadata or {}):
        yield None, row, f"every row to have {column} in "


def named(row: dict[str, Any]) -> Quantity:
    """The record of the number that a row names."""
    return OF_COLUMN[row["measure"]] if "measure" in row else quantity_of(row["study"], row["name"])


def changed(frame: pd.DataFrame, column: str, row: int, entry: Any) -> pd.DataFrame:
    """The table with one entry of a column changed; of a list, its first number."""
    entries = frame[column].astype(object)
    known = entries.iat[row]
    entries.iat[row] = np.array([entry, *known[1:]]) if isinstance(known, np.ndarray) and entry is not None else entry
    return frame.assign(**{column: entries})


@pytest.mark.parametrize(("name", "column"), NUMBERS)
def test_what_a_column_may_not_hold_is_refused_in_one_sentence(
    sources: dict[str, Path], tmp_path: Path, name: str, column: str
):
    frame = real(sources[name], name)
    folder = Path(shutil.copytree(sources[name], tmp_path / sources[name].name))
    tried = list(wrong(name, column, frame))
    assert len(tried) > 1, f"any number may stand in {column} of {name}"
    for entry, row, expected in tried:
        results = Results.open(with_table(folder, name, lambda _, one=(row, entry): changed(frame, column, *one)))
        with pytest.raises(ResultsError, match=r"^Expected [^;]* in [^;]*, found [^;]*; [^;.]*\.$") as refusal:
            results.table(name)
        assert f" in {folder / name}.parquet, found " in str(refusal.value)
        where = f" in row {row + 1};" if entry is None else f" in column {column}, row {row + 1};"
        by_other = f" to be 0 to {column} in "  # a count of which the numbers of another column are a part
        assert by_other in str(refusal.value) or (expected in str(refusal.value) and where in str(refusal.value))
