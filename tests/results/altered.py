"""Stored results that are changed on purpose, and sealed again as if the program had written them so."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from generator.models.names import slug
from generator.results.manifest import FILE, SEAL, Manifest
from generator.results.tables import TABLES


def altered(folder: Path, *left_out: str, **facts: Any) -> Path:
    """The folder, some facts of its manifest left out or changed."""
    data = json.loads((folder / FILE).read_text(encoding="utf-8")) | facts
    for name in (SEAL, *left_out):
        data.pop(name, None)
    seal = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
    (folder / FILE).write_text(json.dumps(data | {SEAL: seal}), encoding="utf-8")
    return folder


def resealed(folder: Path) -> Path:
    """The folder with the checksums of the tables that lie there now."""
    Manifest.read(folder).write(folder)
    return folder


def with_table(folder: Path, name: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Path:
    """The folder with one table changed."""
    path = folder / f"{name}.parquet"
    frame = change(pq.read_table(path).to_pandas())
    pq.write_table(pa.Table.from_pandas(frame, schema=TABLES[name], preserve_index=False), path)
    return resealed(folder)


def renamed(folder: Path, model: str) -> Path:
    """The folder as that of a model of another name."""
    altered(folder, model=model, slug=slug(model))
    for name, schema in TABLES.items():
        if "model" in schema.names and (folder / f"{name}.parquet").is_file():
            with_table(folder, name, lambda frame: frame.assign(model=model))
    return folder
