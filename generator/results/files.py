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
    path: Path
    rows: int
    size: int
    """The size of the file in bytes."""


class Folder(NamedTuple):
    """A folder of results under a unique name."""

    name: str
    results: Results

    def tables(self) -> Iterator[StoredTable]:
        """Every table except those that may hold other people's text."""
        for name in TABLES:
            path = self.results.folder / f"{name}.parquet"
            if name not in KEPT_OUT and path.is_file():
                yield StoredTable(name, path, pq.read_metadata(path).num_rows, path.stat().st_size)


def folders(results: Results) -> Iterator[Folder]:
    """The folder of a model, those of its analyses on further corpora, named after their first corpus, and those of its
    experiments.
    """
    yield Folder(results.manifest.folder, results)
    for one in results.more:
        manifest = one.manifest
        further = "" if manifest.experiment else f"@{slug(next(iter(manifest.counts), ''))}"
        yield Folder(f"{manifest.folder}{further}", one)
