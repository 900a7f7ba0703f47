"""What a claim may see of one model: stored results, read by name, with intervals; never a chart or a page.

Every number is of one corpus: the one that is asked for, or the first in the manifest that its table holds. What a
folder lacks is None, and what a model does not define is None too: a claim that needs it is not testable.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
import pandas as pd

from generator.claims.numbers import TAILS, Number
from generator.results.intervals import DRAWS, Estimate
from generator.results.manifest import Manifest
from generator.studies.halves import HELD_OUT

COMPARE = "compare:"
"""How studies begin that set the model beside another; the other's slug follows."""
UNIFORM = "uniform:"
"""Before a column's name: what uniform attention scores on the same text."""
Statistic = Callable[..., np.ndarray]
"""Takes one `[draw, layer, head]` per column and gives `[draw]`."""


class Stored(Protocol):
    """A results folder, as `generator.results.store.Results` opens it."""

    @property
    def manifest(self) -> Manifest:
        """The record of the analysis."""

    def table(self, name: str) -> pd.DataFrame:
        """A table by name; empty where the folder has none."""


@dataclass(frozen=True)
class RelationHead:
    """The head that was chosen for a dependency relation."""

    relation: str
    direction: str
    layer: int
    """1-based."""
    head: int
    accuracy: Number
    """Share of the relation's words whose head the attention finds; `n` counts words."""
    gain: Number
    """Accuracy less that of the best fixed offset."""


class Evidence:
    """The results of one model."""

    def __init__(self, results: Stored) -> None:
        self._results = results
        self._resampled: dict[tuple[str, int], np.ndarray] = {}
        self._read: dict[str, pd.DataFrame] = {}
        self.model = results.manifest.model
        self.layers = results.manifest.layers
        self.heads = results.manifest.heads

    def rows(self, column: str) -> np.ndarray:
        """`[document, layer, head]` of a measure's column, documents by name; `[document, 1, 1]` of a uniform one."""
        if column.startswith(UNIFORM):
            values = self._uniform[column.removeprefix(UNIFORM)]
            return values.to_numpy(float).reshape(-1, 1, 1)
        return self._documents[column].to_numpy(float).reshape(-1, self.layers, self.heads)

    def mean(self, column: str) -> np.ndarray:
        """`[layer, head]`, mean over the documents that define it; NaN where none does."""
        rows = self.rows(column)
        return _weighted_mean(np.ones((1, len(rows))), rows)[0]

    def estimate(self, columns: Sequence[str], statistic: Statistic, seed: int = 0) -> Number | None:
        """A statistic of means over documents; the interval resamples documents and computes all of it again.

        None where a mean that it needs, or the statistic itself, is undefined. With fewer than two documents the
        interval is NaN. Draws in which the statistic is undefined are left out.
        """
        rows = [self.rows(column) for column in columns]
        means = [self.mean(column)[None] for column in columns]
        value = _defined(statistic, means)[0]
        if np.isnan(value):
            return None
        n = min(int((~np.isnan(part)).sum(0).min()) for part in rows)
        found = _defined(statistic, [self._draws(column, seed) for column in columns])
        if n < 2 or np.isnan(found).all():
            return Number(float(value), np.nan, np.nan, n)
        low, high = np.nanquantile(found, TAILS)
        return Number(float(value), float(low), float(high), n)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The labelled tasks that experiments read, in the order of their names."""
        return tuple(sorted(self._results.manifest.tasks))

    def trained_further(self, corpus: str = "") -> tuple[str, ...]:
        """The comparisons with a copy of the model that was trained further, on this text or task if one is named."""
        found = ((study, self.fact(study, "copy", corpus)) for study in self.comparisons(corpus))
        return tuple(study for study, copy in found if copy and copy.value)

    def comparisons(self, corpus: str = "") -> tuple[str, ...]:
        """The studies that compare the model with another one, on this text or task if one is named."""
        found = set()
        for table in map(self._results.table, ("facts", "head_facts")):
            there = table["study"].astype(str).str.startswith(COMPARE) & ((table["corpus"] == corpus) | (not corpus))
            found |= set(table.loc[there, "study"])
        return tuple(sorted(found))

    def fact(self, study: str, name: str, corpus: str = "") -> Number | None:
        """A number of the whole model."""
        table = self._facts("facts", study, name, corpus)
        table = table[table["layer"] == 0] if len(table) else table
        return _number(table.iloc[0]) if len(table) else None

    def facts(self, study: str, name: str, corpus: str = "") -> Estimate | None:
        """A curve over layers 1 and up, `[layer]`; NaN where a layer is not stored."""
        table = self._facts("facts", study, name, corpus)
        return _grid(table[table["layer"] > 0], (self.layers,)) if len(table) else None

    def head_facts(self, study: str, name: str, corpus: str = "") -> Estimate | None:
        """A number of every head, `[layer, head]`; NaN where a head is not stored."""
        table = self._facts("head_facts", study, name, corpus)
        return _grid(table, (self.layers, self.heads)) if len(table) else None

    def relations(self, protocol: str = HELD_OUT) -> tuple[RelationHead, ...]:
        """The chosen head of every relation, in the order of their names; "all" is every word."""
        table = self._table("relation_heads", protocol=protocol)
        return tuple(map(_relation, table.sort_values("relation").to_dict("records"))) if len(table) else ()

    def relation(self, *names: str, protocol: str = HELD_OUT) -> RelationHead | None:
        """The chosen head of the first of these relations that the treebank has: one relation under several names."""
        found = {item.relation: item for item in self.relations(protocol) if not np.isnan(item.accuracy.value)}
        return next((found[name] for name in names if name in found), None)

    def antecedents(
        self, predictor: str, kind: str = "all", candidates: str = "mentions", protocol: str = HELD_OUT
    ) -> Number | None:
        """How often a predictor selects an antecedent: "head", "nearest", "head match" or "rules"."""
        table = self._table("antecedents", predictor=predictor, kind=kind, candidates=candidates, protocol=protocol)
        return _number(table.iloc[0]) if len(table) else None

    def divergence(self) -> np.ndarray | None:
        """Mean over documents of every two heads' divergence in nats, `[pair]`."""
        table = self._table("divergence")
        if not len(table):
            return None
        rows = table.sort_values("document")["divergence"]
        total: np.ndarray = np.sum([np.asarray(row, float) for row in rows], axis=0)
        return total / len(rows)

    def history(self, table: Literal["curves", "rises"], study: str) -> pd.DataFrame:
        """The rows of a study over training; none where the model has no learning curve."""
        return self._table(table, study=study)

    def roles(self) -> pd.DataFrame | None:
        """One row per followed token type and layer."""
        table = self._table("roles")
        return table if len(table) else None

    def _facts(self, table: str, study: str, name: str, corpus: str) -> pd.DataFrame:
        return self._table(table, study=study, name=name, **({"corpus": corpus} if corpus else {}))

    def _table(self, name: str, /, **chosen: str) -> pd.DataFrame:
        """The rows of one corpus that have these texts in these columns."""
        if name not in self._read:
            self._read[name] = self._results.table(name)
        table = self._read[name]
        for column, text in chosen.items():
            table = table[table[column] == text] if len(table) else table
        return self._of_corpus(table)

    def _of_corpus(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows of the first corpus that a table holds: texts, treebanks, linked mentions, frames, tasks."""
        if not len(table):
            return table
        there, manifest = set(table["corpus"]), self._results.manifest
        kinds = (manifest.corpora, manifest.treebanks, manifest.mentions, manifest.frames, manifest.tasks)
        first = next((name for kind in kinds for name in kind if name in there), min(there))
        return table[table["corpus"] == first]

    @cached_property
    def _documents(self) -> pd.DataFrame:
        return self._table("documents").sort_values(["document", "layer", "head"])

    @cached_property
    def _uniform(self) -> pd.DataFrame:
        """In the order of `_documents`."""
        return self._table("uniform").sort_values("document")

    def _draws(self, column: str, seed: int) -> np.ndarray:
        """Means of resampled documents, `[draw, layer, head]`; the same draws for every column."""
        if (column, seed) not in self._resampled:
            rows = self.rows(column)
            documents = len(rows)
            even = np.full(documents, 1 / documents)
            counts = np.random.default_rng(seed).multinomial(documents, even, size=DRAWS)
            self._resampled[column, seed] = _weighted_mean(counts.astype(float), rows)
        return self._resampled[column, seed]


def _defined(statistic: Statistic, means: Sequence[np.ndarray]) -> np.ndarray:
    """The statistic of each draw; NaN where a mean it takes is undefined, or itself is not finite."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = statistic(*means)
    undefined = np.any([np.isnan(mean).any((1, 2)) for mean in means], axis=0)
    return np.where(undefined | ~np.isfinite(found), np.nan, found)


def _weighted_mean(counts: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Means over documents that count so often, `[draw, layer, head]`; NaN where none of them defines the number."""
    flat = rows.reshape(len(rows), math.prod(rows.shape[1:]))
    defined = ~np.isnan(flat)
    total = counts.sum(1, keepdims=True) if defined.all() else counts @ defined.astype(float)
    with np.errstate(invalid="ignore"):
        mean = (counts @ np.where(defined, flat, 0.0)) / total
    return mean.reshape(len(counts), *rows.shape[1:])


def _grid(table: pd.DataFrame, shape: tuple[int, ...]) -> Estimate:
    """Numbers by 1-based layer, or layer and head, as arrays."""
    place = tuple(table[axis].to_numpy(int) - 1 for axis in ("layer", "head")[: len(shape)])
    parts = []
    for name, nothing in (("value", np.nan), ("low", np.nan), ("high", np.nan), ("n", 0)):
        part = np.full(shape, nothing)
        part[place] = table[name].to_numpy(float)
        parts.append(part)
    return Estimate(parts[0], parts[1], parts[2], parts[3].astype(int))


def _number(row: Any) -> Number | None:
    number = Number(float(row["value"]), float(row["low"]), float(row["high"]), int(row["n"]))
    return None if np.isnan(number.value) else number


def _relation(row: Any) -> RelationHead:
    gain = Number(float(row["gain"]), float(row["gain_low"]), float(row["gain_high"]), int(row["n"]))
    accuracy = Number(float(row["value"]), float(row["low"]), float(row["high"]), int(row["n"]))
    return RelationHead(row["relation"], row["direction"], int(row["layer"]), int(row["head"]), accuracy, gain)
