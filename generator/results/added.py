"""Reads results that were stored before some measures existed: these are undefined, all else is read as before."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from generator.measures import COLUMNS
from generator.results.tables import TABLES


def read(folder: Path, name: str) -> tuple[pa.Schema, pd.DataFrame]:
    """The columns and rows of a stored table, with NaN for measures that were not known when it was stored.

    Columns differ from those of TABLES only if the file is wrong in another way. Raises OSError and ArrowException.
    """
    with pq.ParquetFile(folder / f"{name}.parquet") as file:
        table = _with_columns(file.read(), TABLES[name])
    frame: pd.DataFrame = table.to_pandas()
    right, documents = table.schema.equals(TABLES[name]), folder / "documents.parquet"
    if name in ("heads", "layers") and right and len(frame) and documents.is_file():
        frame = _with_rows(frame, {*COLUMNS} - {*pq.read_schema(documents).names})
    return table.schema, frame


def _with_columns(table: pa.Table, schema: pa.Schema) -> pa.Table:
    absent = [field for field in schema if field.name not in table.column_names and field.name in COLUMNS]
    if {*schema.names} - {*table.column_names} != {field.name for field in absent}:
        return table
    for field in absent:
        table = table.append_column(field, pa.array(np.full(len(table), np.nan), field.type))
    return table.select(schema.names) if absent and len(table.column_names) == len(schema) else table


def _with_rows(table: pd.DataFrame, absent: set[str]) -> pd.DataFrame:
    like = table[table["measure"] == table["measure"].iloc[0]]
    undefined = {column: np.nan for column in ("value", "low", "high", "uniform") if column in table}
    more = [like.assign(measure=name, n=np.int32(0), **undefined) for name in COLUMNS if name in absent]
    return pd.concat([table, *more], ignore_index=True) if more else table
