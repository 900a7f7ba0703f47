"""Results with invented numbers: every column of every table, of its declared type, in a few rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from generator.corpora.files import TEXT
from generator.corpora.kind import Kind
from generator.corpora.treebank import TREEBANK
from generator.numbers.quantity import Quantity
from generator.results.manifest import CorpusRecord, Manifest
from generator.results.ranges import record_of
from generator.results.tables import EMPTY, FORMAT, TABLES
from generator.studies.declared import quantity_of

LAYERS, HEADS = 2, 4
ROWS = LAYERS * HEADS
WORDS = ("plain", "", 'say "hi"', "<b>, {{ x }}", "two\nlines", "שלום", "né", "🙂")
"""Text that a careless store would change: an empty string, quotes, a line break, right-to-left letters."""


def tables(seed: int = 0, rows: int = ROWS) -> dict[str, pd.DataFrame]:
    """One frame per table, in the order and the types of its schema, of what its columns may hold; of all layers and
    heads where rows are by ROWS.
    """
    rng = np.random.default_rng(seed)
    known = {
        "model": ["Tiny"] * rows,
        "measure": ["attention.self"] * rows,
        "layer": 1 + np.arange(rows, dtype="int16") // HEADS % LAYERS,
        "head": 1 + np.arange(rows, dtype="int16") % HEADS,
    }
    made = {}
    for name, schema in TABLES.items():
        columns = {field.name: _column(field, record_of(name, field.name), rows, rng) for field in schema}
        for low in (column for column in columns if column == "low" or column.endswith("_low")):
            high = low.replace("low", "high")
            columns[low], columns[high] = np.sort([columns[low], columns[high]], axis=0)
        made[name] = pd.DataFrame(columns | _of(columns, known))
    return made


def manifest(slug: str = "tiny", **changes: Any) -> Manifest:
    """A manifest in which everything is filled in; `changes` win."""
    facts: dict[str, Any] = {
        "model": slug.capitalize(),
        "slug": slug,
        "family": "bert",
        "layers": LAYERS,
        "heads": HEADS,
        "revision": "local",
        "weights_sha256": "0" * 64,
        "corpora": (
            corpus_of(TEXT, "zebra", documents=3),
            corpus_of(TEXT, "articles"),
            corpus_of(TREEBANK, "trees", language="en"),
        ),
        "settings": {"documents": None, "max_tokens": 128, "seed": 0, "entropy_smoothing": 0.0, "segment_ids": True},
        "dtype": "float32",
        "device": "cpu",
        "observed": "attention function",
        "vocabulary": {"3": "[SEP]", "9": "🙂"},
        "packages": {"python": "3"},
        "command": "fieldguide analyze tiny",
        "fingerprint": "3" * 64,
        "format": FORMAT,
    }
    return Manifest(**facts | changes)


def corpus_of(kind: Kind, name: str, sha256: str = "", language: str = "", **counts: int) -> CorpusRecord:
    """The record of a corpus that was read."""
    return CorpusRecord(name, kind, sha256 or f"of {name}", language, counts)


def documents_of(corpus: str, documents: int, layers: int, heads: int) -> dict[str, pd.DataFrame]:
    """The tables of single documents, all of which give every head a quarter of the entropy of uniform attention."""
    of_head = [
        {"document": f"{corpus} {at}", "layer": layer, "head": head, "entropy.all": 1.0, "sink.token": 0}
        for at in range(documents)
        for layer in range(1, layers + 1)
        for head in range(1, heads + 1)
    ]
    whole = [{"document": f"{corpus} {at}", "tokens": 55.0, "entropy.all": 4.0} for at in range(documents)]
    made = {"documents": of_head, "uniform": whole}
    return {
        name: pd.DataFrame(rows).assign(corpus=corpus).reindex(columns=TABLES[name].names)
        for name, rows in made.items()
    }


def in_range(study: str, name: str, *numbers: float) -> list[float]:
    """The numbers, those beyond the range of the record moved to its end."""
    return [float(one) for one in np.clip(numbers, *quantity_of(study, name).limits)]


def contents(folder: Path) -> dict[str, bytes]:
    """Path below the folder -> bytes, of every file."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def put(folder: Path, files: dict[str, bytes]) -> Path:
    """The reverse of `contents`: write files below a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def _of(columns: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    return {name: values for name, values in known.items() if name in columns}


def _column(field: pa.Field, record: Quantity | None, rows: int, rng: np.random.Generator) -> Sequence[Any]:
    """Entries that a column may hold; every third number is undefined where it may be."""
    if pa.types.is_list(field.type):
        inner = field.with_type(field.type.value_type).with_metadata({})
        return [list(_column(inner, record, length, rng)) for length in rng.integers(0, 4, rows)]
    if pa.types.is_string(field.type):
        return [WORDS[at % len(WORDS)] for at in rng.permutation(rows)]
    kind = field.type.to_pandas_dtype()
    least, most = record.limits if record else (0, 1)
    if not pa.types.is_floating(field.type):
        bounded = not record or np.isfinite(most) or " to " not in record.range  # else by another column
        return rng.integers(int(least), int(min(most, 99) if bounded else least) + 1, rows).astype(kind)
    values = (max(least, 0) + rng.random(rows) * min(most - max(least, 0), 1)).astype(kind)
    if EMPTY in (field.metadata or {}):
        values[::3] = np.nan
    return values
