"""The files of stored results that may be published."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from generator.models.names import slug
from generator.results.store import Results
from generator.results.tables import KEPT_OUT, TABLES


class StoredTable(NamedTuple):
    """A table as a Parquet file."""

    name: str
    rows: int
    size: int
    """The size of the file in bytes."""


class Folder(NamedTuple):
    """A folder of results under a unique name."""

    name: str
    place: Path
    tables: tuple[StoredTable, ...]
    """Every table except those that may hold other people's text."""


def folders(results: Results) -> Iterator[Folder]:
    """The folder of a model, those of its analyses on further corpora, named after their first corpus, and those of its
    experiments.
    """
    yield _folder(results.manifest.folder, results)
    for other in results.more:
        manifest = other.manifest
        further = "" if manifest.experiment else f"@{slug(next(iter(manifest.counts), ''))}"
        yield _folder(f"{manifest.folder}{further}", other)


def _folder(name: str, results: Results) -> Folder:
    paths = ((table, results.folder / f"{table}.parquet") for table in TABLES if table not in KEPT_OUT)
    there = ((table, results.content(table)) for table, path in paths if path.is_file())
    tables = (StoredTable(table, pq.read_metadata(content).num_rows, content.size()) for table, content in there)
    return Folder(name, results.folder, tuple(tables))
