"""The stored numbers of a comparison of two models, arranged for its page."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.kind import Form
from generator.corpora.kinds import rank
from generator.corpora.tasks import TASKS
from generator.measures import COLUMNS
from generator.numbers.number import Grid
from generator.numbers.quantity import Named
from generator.pages.figures import SINGLE
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.tables import by_name, corpora, head_grid, of_name, stored
from generator.topics.compare.derived.changes import change_of_maps
from generator.topics.compare.records.comparison import COMPARISON
from generator.topics.compare.records.names import BASE, PATTERN, TOLERANCE

SHOWN = tuple(measure.name for measure in SINGLE) + tuple(name for name in COLUMNS if name.startswith(PATTERN))
"""Columns whose change is shown: one number per head, and how often its maps have each pattern."""


@dataclass(frozen=True)
class Other:
    """The second model of a comparison."""

    slug: str
    atlas: Atlas | None
    """Its own results; None if the site does not have them."""

    @property
    def name(self) -> str:
        """What its pages call it."""
        return self.atlas.results.manifest.model if self.atlas else self.slug


@dataclass(frozen=True)
class Comparison:
    """The comparison of two models on one corpus."""

    atlas: Atlas
    other: Other
    corpus: str
    place: int
    """Its place among the corpora of the page."""

    def anchor(self, part: str = "") -> str:
        """The anchor of the corpus, or of a part of its sections."""
        return f"on-{self.place}" + (f"-{part}" if part else "")

    @cached_property
    def heads(self) -> Mapping[str, Grid]:
        """Name -> numbers of heads, `[layer, head]`; NaN and n = 0 for a head that is not stored."""
        table = self._stored("head_facts")
        return Named(COMPARISON, {str(name): head_grid(rows, self.atlas.shape) for name, rows in table.groupby("name")})

    @cached_property
    def layers(self) -> Mapping[str, Grid]:
        """Name -> numbers of layers, `[layer]`; NaN and n = 0 for a layer that is not stored."""
        table = self._stored("facts")
        table = table[table["layer"] > 0].assign(head=1)
        found = {str(name): head_grid(rows, (self.atlas.shape[0], 1)) for name, rows in table.groupby("name")}
        return Named(COMPARISON, {name: grid.part(slice(None), 0) for name, grid in found.items()})

    @cached_property
    def facts(self) -> Mapping[str, Mapping[str, Any]]:
        """Name -> row of a number of the whole model."""
        return by_name(self._stored("facts"), COMPARISON)

    @property
    def alike(self) -> bool:
        """Whether the two have the same layers and heads, so that places can be compared."""
        return "cosine" in self.heads

    @property
    def copies(self) -> bool:
        """Whether one is a copy of the other that may have been trained further."""
        return "copy" in self.facts and self.facts["copy"]["value"] == 1

    @cached_property
    def change(self) -> Grid:
        """How much the maps of each head differ, `[layer, head]`."""
        return change_of_maps(self.heads["cosine"])

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """Columns of SHOWN that this model defines."""
        return tuple(name for name in SHOWN if name in self.heads and not np.isnan(self.heads[name].value).all())

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Those of `measures` that change by more than rounding in at least one head."""
        return tuple(name for name in self.measures if np.nanmax(abs(self.heads[name].value)) >= TOLERANCE)

    @cached_property
    def unchanged(self) -> bool:
        """Whether no head differs in its maps or in any measure by more than rounding."""
        return not self.changed and np.nanmax(self.change.value) < TOLERANCE

    @cached_property
    def patterns(self) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]] | None:
        """Shares of documents `[layer, head, pattern]` in A and in B, and the patterns' names; None if not stored."""
        names = tuple(name for name in self.measures if name.startswith(PATTERN) and BASE + name in self.heads)
        if not names:
            return None
        before = np.stack([self.heads[BASE + name].value for name in names], -1)
        change = np.stack([self.heads[name].value for name in names], -1)
        return before, before + change, tuple(name.removeprefix(PATTERN) for name in names)

    @property
    def units(self) -> str:
        """What n counts: the examples of a task, or documents."""
        pair = {task.name: task.pair for task in TASKS}.get(self.corpus)
        return "documents" if pair is None else "pairs of sentences" if pair else "sentences"

    @property
    def documents(self) -> int:
        """How many documents of the corpus both models read; 0 if only the relations of a treebank were compared."""
        rows = self._stored("head_facts")
        found = of_name(rows, COMPARISON, "cosine", "twin.divergence")["n"]
        every = self.facts.get("twin.every", {}).get("n", 0)
        return max(int(found.max()) if len(found) else 0, int(every))

    def _stored(self, table: str) -> pd.DataFrame:
        return stored(self.atlas, table, corpus=self.corpus, study=COMPARISON.of(self.other.slug))


def comparisons(atlas: Atlas, other: Other) -> list[Comparison]:
    """The comparisons, one for each corpus, those of whole texts before those of annotated words."""
    manifest = atlas.results.manifest
    rows = stored(atlas, "head_facts", study=COMPARISON.of(other.slug))
    ordered = sorted(manifest.corpora, key=lambda corpus: (corpus.kind.form is Form.WORDS, rank(corpus.kind)))
    order = list(dict.fromkeys(corpus.name for corpus in ordered))
    return [Comparison(atlas, other, corpus, at) for at, corpus in enumerate(corpora(rows, order), start=1)]
