"""Writes results to a place: checked before the hours of work, and as a whole after them."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from generator.errors import NewerResultsError, ResultsError
from generator.lock import alone
from generator.models.names import slug
from generator.results.manifest import FILE, Manifest
from generator.results.swap import foreign, replacing
from generator.results.tables import TABLES

NO_NUMBER = "It stores numbers as they are."
TOGETHER = 1 << 17
"""Rows of a table that are written at once: of all measures, 50 MB."""


def prepare(place: Path) -> None:
    """Check that results can be written to a place, before hours are spent. Raises ResultsError."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise ResultsError(
            f"Expected a folder to write results to at {place}, found: {error.strerror or error}; choose another "
            "folder with --results."
        ) from None


def check_free(place: Path, model: str, weights: str, experiment: str = "", option: str = "--name") -> None:
    """Raises ResultsError if the place has results of other weights under the name of this model or experiment.

    Two local folders or two revisions may have the same name, and the results of one must not replace those of the
    other. `option` is the one that gives this model another name.
    """
    for name in dict.fromkeys((slug(model), f"{slug(model)}@{experiment}" if experiment else slug(model))):
        try:
            there = Manifest.read(place / name).weights_sha256
        # Results of a newer version cannot be compared, and are not overwritten.
        except NewerResultsError:
            raise
        except ResultsError:  # nothing there, or nothing that can be read
            continue
        if there != weights:
            raise ResultsError(
                f"Expected no results of another model called {model} in {place / name}, found those of other weights; "
                f"give this one another name with {option}, choose another place with --results, or delete what is "
                "there."
            )


def write(place: Path, manifest: Manifest, tables: Mapping[str, pd.DataFrame]) -> Path:
    """Write `<place>/<slug>/`, or `<slug>@<experiment>/`; an older folder is replaced once everything is written, and
    what somebody else has put into it stays.

    Raises ResultsError if the disk is full or the folder cannot be written.
    """
    folder = place / manifest.folder
    try:
        place.mkdir(parents=True, exist_ok=True)
        with alone(folder, lambda _: None, beside=True):  # a long command holds it and has said whom it waited for
            _write(folder, manifest, tables)
    except OSError as error:
        raise ResultsError(
            f"Expected to write results to {folder}, found: {error.strerror or error}; free some space or choose "
            "another folder with --results. What was there before is still there."
        ) from None
    return folder


def _write(folder: Path, manifest: Manifest, tables: Mapping[str, pd.DataFrame]) -> None:
    staying: list[str] = []
    with replacing(folder, staying) as fresh:
        for name, schema in TABLES.items():
            if name in tables:
                _write_table(fresh / f"{name}.parquet", tables[name], schema)
        manifest.write(fresh)
        staying += foreign(folder, fresh, {FILE, *(f"{name}.parquet" for name in TABLES)}.__contains__)


def _write_table(path: Path, table: pd.DataFrame, schema: pa.Schema) -> None:
    """Write the rows in groups, so that never all of them are held once more in the form of the file."""
    bare = pa.schema([field.remove_metadata() for field in schema])  # what a column may hold is no part of a file
    with pq.ParquetWriter(path, bare, compression="zstd") as file:
        # A table without rows is written, too, for its columns.
        for start in range(0, max(len(table), 1), TOGETHER):
            some = pa.Table.from_pandas(table.iloc[start : start + TOGETHER], schema=bare, preserve_index=False)
            file.write_table(some.replace_schema_metadata(None))
