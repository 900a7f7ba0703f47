"""Stored results with one table changed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generator.pages.heads.atlas import Atlas
from generator.results.store import Results

Changed = Callable[[str, Callable[[pd.DataFrame], pd.DataFrame]], Atlas]
"""From the name of a table and what is to be done to it."""


@pytest.fixture
def changed(atlas: Atlas, tmp_path: Path) -> Changed:
    """Gives a function that stores the same results again with one table changed."""

    def store(name: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Atlas:
        folder = tmp_path / atlas.results.folder.name
        shutil.copytree(atlas.results.folder, folder)
        table = pq.read_table(folder / f"{name}.parquet")
        frame = change(table.to_pandas())
        pq.write_table(
            pa.Table.from_pandas(frame, schema=table.schema, preserve_index=False), folder / f"{name}.parquet"
        )
        return Atlas(Results.open(folder))

    return store
