"""The files behind stored results, as they may be handed on."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from generator.results.store import Results
from generator.results.tables import KEPT_OUT, TABLES


class StoredTable(NamedTuple):
    """A table as a Parquet file."""

    folder: str
    """Of its results, by their manifest."""
    name: str
    path: Path
    rows: int
    size: int
    """In bytes."""


def stored_tables(results: Results) -> Iterator[StoredTable]:
    """Every table of a model and of the experiments on it, but those that may hold the text of others."""
    for one in (results, *results.more):
        for name in TABLES:
            path = one.folder / f"{name}.parquet"
            if name not in KEPT_OUT and path.is_file():
                rows = pq.read_metadata(path).num_rows
                yield StoredTable(one.manifest.folder, name, path, rows, path.stat().st_size)
