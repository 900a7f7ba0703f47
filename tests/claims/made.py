"""Small results made by hand, with the columns and the types of the store, as evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from generator.claims.evidence.evidence import Evidence
from generator.corpora import files, treebank
from generator.corpora.kinds import TASK
from generator.measures import COLUMNS
from generator.results.manifest import Manifest
from generator.results.tables import TABLES
from generator.studies.declared import quantity_of
from generator.topics.frames.corpus import frames
from generator.topics.mentions.corpus.mentions import MENTIONS
from tests.results.samples import corpus_of, manifest

LAYERS, HEADS = 12, 2
DOCUMENTS = tuple(f"document {number:02}" for number in range(24))
SPREAD = np.resize([-1.0, 1.0], len(DOCUMENTS))[:, None, None]
"""What documents differ by; their mean is 0."""
TEXT, TREEBANK, LINKED, FRAMES = "articles", "trees", "linked", "frames"
TASKS = ("mrpc", "rte", "stsb")
"""Labelled tasks; the last is a regression."""
MORE = (*TASKS, "sst2")
"""The same and one more."""
Tables = dict[str, pa.Table]
"""Name -> rows with the columns and types of the store."""


@dataclass(frozen=True)
class Made:
    """Results in memory."""

    manifest: Manifest
    tables: Mapping[str, pd.DataFrame]

    def table(self, name: str) -> pd.DataFrame:
        return self.tables[name] if name in self.tables else TABLES[name].empty_table().to_pandas()


def record(layers: int = LAYERS, heads: int = HEADS) -> Manifest:
    """The manifest of the one model."""
    return manifest(
        layers=layers,
        heads=heads,
        corpora=(
            corpus_of(files.TEXT, TEXT, documents=3),
            corpus_of(files.TEXT, "other"),
            corpus_of(treebank.TREEBANK, TREEBANK, language="en"),
            corpus_of(MENTIONS, LINKED),
            corpus_of(frames.FRAMES, FRAMES),
            *(corpus_of(TASK, task) for task in (*MORE, "qqp")),
        ),
    )


def joined(*parts: Tables) -> dict[str, pd.DataFrame]:
    """Tables as they are read; what several parts hold of one table is joined."""
    several: dict[str, list[pa.Table]] = {}
    for part in parts:
        for name, table in part.items():
            several.setdefault(name, []).append(table)
    return {name: pa.concat_tables(tables).to_pandas() for name, tables in several.items()}


def as_stored(name: str, frame: pd.DataFrame) -> Tables:
    """A table from a frame; a column that it lacks is undefined."""
    schema = TABLES[name]
    return {name: pa.Table.from_pandas(frame.reindex(columns=schema.names), schema=schema, preserve_index=False)}


def evidence(*parts: Tables, layers: int = LAYERS, heads: int = HEADS) -> Evidence:
    """Evidence of one model, with as many heads as its documents have rows for."""
    tables = joined(*parts)
    if "documents" in tables:
        heads = int(tables["documents"]["head"].max())
    return Evidence(Made(record(layers, heads), tables))


def by_layer(chosen: Mapping[int | tuple[int, int], float], other: float = 0.0, layers: int = LAYERS) -> np.ndarray:
    """`[layer, 1]`: these numbers in these 1-based layers, or from one to another; `other` elsewhere."""
    curve = np.full((layers, 1), other)
    for place, value in chosen.items():
        first, last = place if isinstance(place, tuple) else (place, place)
        curve[first - 1 : last] = value
    return curve


def heads_at(*places: tuple[int, int], value: float, other: float = 0.0, heads: int = HEADS) -> np.ndarray:
    """`[layer, head]`: a number in these 1-based places."""
    grid = np.full((LAYERS, heads), other)
    for layer, head in places:
        grid[layer - 1, head - 1] = value
    return grid


def text(
    columns: Mapping[str, Any],
    uniform: Mapping[str, float] | None = None,
    corpus: str = TEXT,
    documents: Sequence[str] = DOCUMENTS,
    layers: int = LAYERS,
    heads: int = HEADS,
) -> Tables:
    """`documents` and `uniform`: numbers that broadcast to `[document, layer, head]`; other measures are 0.1. Uniform
    attention gives [SEP] as much as two tokens.
    """
    shape = (len(documents), layers, heads)
    size = layers * heads
    rows: dict[str, Any] = {
        "corpus": corpus,
        "document": np.repeat(documents, size),
        "layer": np.tile(np.repeat(np.arange(1, layers + 1), heads), len(documents)),
        "head": np.tile(np.arange(1, heads + 1), len(documents) * layers),
        "sink.token": 3,
    }
    for column in COLUMNS:
        rows[column] = np.broadcast_to(columns.get(column, 0.1), shape).ravel()
    same = dict.fromkeys(COLUMNS, 0.02) | {"attention.max": 0.01} | dict(uniform or {})
    alike = {"corpus": corpus, "document": np.array(documents), "tokens": 50.0, **same}
    return _table("documents", rows) | _table("uniform", alike)


def facts(study: str, name: str, values: Any, spread: float = 0.01, corpus: str = TEXT, layer: int = 1) -> Tables:
    """`facts`: a curve from this layer on; every interval reaches `spread` to both sides."""
    quantity_of(study, name)
    curve = np.ravel(values).astype(float)
    place = {"study": study, "name": name, "layer": np.arange(layer, layer + len(curve))}
    return _estimates("facts", curve, spread, corpus, place)


def fact(study: str, name: str, value: float, spread: float = 0.01, corpus: str = TEXT) -> Tables:
    """`facts`: one number of the whole model."""
    return facts(study, name, [value], spread, corpus, layer=0)


def chosen(study: str, name: str, layer: int, head: int, corpus: str) -> list[Tables]:
    """`facts`: which head a study chose on a corpus."""
    return [fact(study, f"{name}.{axis}", at, corpus=corpus) for axis, at in (("layer", layer), ("head", head))]


def head_facts(study: str, name: str, grid: np.ndarray, spread: float = 0.01, corpus: str = TREEBANK) -> Tables:
    """`head_facts` from `[layer, head]`."""
    quantity_of(study, name)
    layers, heads = grid.shape
    place = {
        "study": study,
        "name": name,
        "layer": np.repeat(np.arange(1, layers + 1), heads),
        "head": np.tile(np.arange(1, heads + 1), layers),
    }
    return _estimates("head_facts", grid.ravel(), spread, corpus, place)


def relation(
    name: str,
    value: float,
    gain: float,
    place: tuple[int, int] = (6, 1),
    direction: str = "dep->head",
    spread: float = 0.01,
    n: int = 200,
    protocol: str = "held-out",
    twin: float = np.nan,
) -> Tables:
    """One row of `relation_heads`; `twin` is the accuracy of the head that is best in untrained weights."""
    row = {
        "relation": name,
        "protocol": protocol,
        "direction": direction,
        "layer": place[0],
        "head": place[1],
        "offset": 1,
        "rank": 1,
        "twin": twin,
        "twin_low": twin - spread,
        "twin_high": twin + spread,
    }
    baseline = value - gain
    for field, number in (("baseline", baseline), ("gain", gain)):
        row |= {field: number, f"{field}_low": number - spread, f"{field}_high": number + spread}
    return _estimates("relation_heads", np.array([value]), spread, TREEBANK, {"n": n, **row})


def before(**parts: float) -> list[Tables]:
    """`curves`: what parts of claims, by their keys with an underscore for the dot, were before the first step."""
    return [
        _estimates(
            "curves",
            np.array([value]),
            0.01,
            TEXT,
            {"study": "claim", "name": key.replace("_", "."), "layer": 0, "head": 0, "step": 0},
        )
        for key, value in parts.items()
    ]


def antecedents(
    spread: float = 0.01,
    candidates: str = "mentions",
    protocol: str = "held-out",
    kind: str = "all",
    n: int = 60,
    **accuracy: float,
) -> Tables:
    """`antecedents`: the accuracy of `head`, `head_match`, `gain over nearest` and so on."""
    place = {"candidates": candidates, "kind": kind, "protocol": protocol, "layer": 6, "head": 1, "n": n}
    predictors = {"predictor": [name.replace("_", " ") for name in accuracy]}
    return _estimates("antecedents", np.array([*accuracy.values()]), spread, LINKED, {**place, **predictors})


def roles(types: Mapping[str, tuple[int, float, float]]) -> Tables:
    """`roles`: token -> rank, entropy of its neighbours on both sides, entropy of who attends to it; two layers."""
    rows = [
        {"token": token, "layer": layer, "rank": rank, "count": 100}
        | dict.fromkeys(("position_deviation", "end_deviation", "received", "breadth"), 0.2)
        | {"next_entropy": beside, "previous_entropy": beside, "attended_by_entropy": attended}
        for token, (rank, beside, attended) in types.items()
        for layer in (1, 2)
    ]
    return as_stored("roles", pd.DataFrame(rows).assign(model="Tiny", corpus=TEXT))


def apart(*pairs: tuple[int, int], corpus: str = TEXT) -> Tables:
    """`divergence`: two documents in which only these heads, given by their places in order, are near."""
    distances = np.ones((LAYERS * HEADS,) * 2)
    for one, other in pairs:
        distances[one, other] = distances[other, one] = 0.1
    rows = [distances[np.triu_indices(len(distances), 1)]] * 2
    of = {"corpus": corpus, "document": ["a", "b"], "documents": 1, "divergence": rows}
    return as_stored("divergence", pd.DataFrame(of))


def _estimates(name: str, values: np.ndarray, spread: float, corpus: str, columns: Mapping[str, Any]) -> Tables:
    ends = {"value": values, "low": values - spread, "high": values + spread}
    return _table(name, {"model": "Tiny", "corpus": corpus, "n": 60, **ends, **columns})


def _table(name: str, columns: Mapping[str, Any]) -> Tables:
    """A table from its columns; a frame would take thirty times as long. A single value stands in every row."""
    rows = max(len(column) for column in columns.values() if isinstance(column, np.ndarray | list))
    arrays = [pa.array(_each(columns[field.name], rows), field.type) for field in TABLES[name]]
    return {name: pa.Table.from_arrays(arrays, schema=TABLES[name])}


def _each(column: Any, rows: int) -> Any:
    return column if isinstance(column, np.ndarray | list) else [column] * rows
