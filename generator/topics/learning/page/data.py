"""A model's course of training as its pages read it: the tables `curves` and `rises` by study, name and place."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from generator.numbers.number import Grid, Number
from generator.numbers.quantity import Named, Study
from generator.numbers.writing import number
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.tables import corpora, of_name
from generator.results.manifest import Manifest
from generator.results.tables import records
from generator.topics.learning.records.curves import MEASURE
from generator.topics.learning.records.runs import TUNING

ENTROPY = "entropy.all"
EXPERIMENT = "curve"
Row = Mapping[str, Any]
"""A row of `curves` or of `rises`, by column."""
_ESTIMATE = Number._fields


class Course:
    """The stored checkpoints of one model; a number that several corpora give is taken from the first."""

    def __init__(self, atlas: Atlas) -> None:
        manifest = atlas.results.manifest
        self._order = manifest.order
        self.atlas = atlas
        self._curves, self._rises = (
            {str(study): rows for study, rows in atlas.results.table(name).groupby("study", sort=False)}
            for name in ("curves", "rises")
        )
        self._empty = atlas.results.table("curves").iloc[:0]
        self._known: dict[str, dict[tuple[str, int, int], Row]] = {}
        self._grids: dict[str, Grid | None] = {}
        self._whole: dict[str, pd.DataFrame] = {}
        self._named: dict[str, dict[str, pd.DataFrame]] = {}

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The steps of all checkpoints, in order."""
        return tuple(sorted({int(step) for rows in self._curves.values() for step in rows["step"].unique()}))

    @cached_property
    def manifests(self) -> list[Manifest]:
        """The manifests of the experiments that read the checkpoints: one for text, and one for each task."""
        more = (results.manifest for results in self.atlas.results.more)
        return [manifest for manifest in more if manifest.experiment.partition(".")[0] == EXPERIMENT]

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """The settings with which the checkpoints read text; empty if they are not known."""
        return next((manifest.settings for manifest in self.manifests if manifest.experiment == EXPERIMENT), {})

    @cached_property
    def inputs(self) -> str:
        """Such as " (on inputs of at most 64 tokens)" if checkpoints were read with another limit than the model;
        otherwise empty.
        """
        tokens = self.settings.get("max_tokens")
        same = tokens in (None, self.atlas.results.manifest.settings.get("max_tokens"))
        return "" if same else f" (on inputs of at most {tokens} tokens)"

    def places(self, steps: Any) -> np.ndarray:
        """Places of steps on a log axis; steps before the first positive one, such as 0, are put at half of it."""
        found: np.ndarray = np.maximum(np.asarray(steps, float), origin(self.steps))
        return found

    def names(self, study: Study) -> list[str]:
        """The names of a study's stored numbers."""
        return sorted(map(str, self._study(study)["name"].unique()))

    def corpus(self, study: Study) -> str:
        """The corpus from which a study's numbers come; empty if it has none."""
        rows = self._study(study)
        return str(rows["corpus"].iloc[0]) if len(rows) else ""

    def heads(self, name: str) -> Grid | None:
        """A measure of every head, `[step, layer, head]`; NaN where it is not stored, None if it is stored nowhere."""
        if name not in self._grids:
            rows = self._of(MEASURE, name)
            self._grids[name] = self._arrays(rows[rows["head"] > 0], ("layer", "head"), self.atlas.shape)
        return self._grids[name]

    def layers(self, study: Study, name: str, first: int = 1) -> Grid | None:
        """A number of every layer from `first` on, `[step, layer]`; NaN where it is not stored, None if nowhere."""
        rows = self._of(study, name)
        rows = rows[(rows["head"] == 0) & (rows["layer"] >= first)]
        return self._arrays(
            rows.assign(layer=rows["layer"] + 1 - first), ("layer",), (self.atlas.shape[0] + 1 - first,)
        )

    def series(self, study: Study, name: str, corpus: str = "") -> list[Row]:
        """The defined numbers of one name in the order of steps; of the first corpus, unless another is named."""
        rows = self._curves.get(study.name, self._empty)
        rows = rows[rows["corpus"] == corpus] if corpus else self._first(rows)
        rows = of_name(rows, study, name).dropna(subset="value")
        return list(records(rows.sort_values("step", kind="stable")))

    def tasks(self) -> list[str]:
        """The tasks on which checkpoints were fine-tuned, in the order of the manifest."""
        return corpora(self._curves.get(TUNING.name, self._empty), self._order)

    def names_of(self, study: Study, corpus: str) -> list[str]:
        """The names of a study's stored numbers on one corpus."""
        rows = self._curves.get(study.name, self._empty)
        return sorted(map(str, rows.loc[rows["corpus"] == corpus, "name"].unique()))

    def rise(self, study: Study, name: str, layer: int = 0, head: int = 0) -> Row | None:
        """The row that says when a curve has made half of its change; None if it is not stored."""
        return self.rises(study).get((study.quantity(name).name, layer, head))

    def rises(self, study: Study) -> Mapping[tuple[str, int, int], Row]:
        """(name, layer, head) -> row of `rises`, for a whole study."""
        if study.name not in self._known:
            rows = self._first(self._rises[study.name]) if study.name in self._rises else pd.DataFrame()
            self._known[study.name] = {(row["name"], row["layer"], row["head"]): row for row in records(rows)}
        return self._known[study.name]

    def _study(self, study: Study) -> pd.DataFrame:
        if study.name not in self._whole:
            self._whole[study.name] = self._first(self._curves.get(study.name, self._empty))
        return self._whole[study.name]

    def _of(self, study: Study, name: str) -> pd.DataFrame:
        if study.name not in self._named:
            groups = self._study(study).groupby("name", sort=False)
            self._named[study.name] = {str(which): rows for which, rows in groups}
        return Named(study, self._named[study.name]).get(name, self._empty)

    def _first(self, rows: pd.DataFrame) -> pd.DataFrame:
        """For each name, the rows of the first corpus that has it."""
        there = rows["corpus"].unique()
        if len(there) < 2:
            return rows
        rank = {corpus: at for at, corpus in enumerate(corpora(rows, self._order))}
        place = rows["corpus"].map(rank)
        return rows[place == place.groupby(rows["name"]).transform("min")]

    def _arrays(self, rows: pd.DataFrame, axes: tuple[str, ...], shape: tuple[int, ...]) -> Grid | None:
        if not len(rows):
            return None
        at = (np.searchsorted(self.steps, rows["step"]), *(rows[axis].to_numpy(int) - 1 for axis in axes))
        parts = []
        for field in _ESTIMATE:
            part = np.full((len(self.steps), *shape), 0.0 if field == "n" else np.nan)
            part[at] = rows[field]
            parts.append(part)
        return Number(*parts)


def origin(steps: Sequence[int]) -> float:
    """The place of step 0 on a log axis of these steps, which are in order."""
    return next((step for step in steps if step > 0), 1) / 2


def step_text(step: float) -> str:
    """A step as pages write it; a dash where it is undefined.

    >>> step_text(1200.0), step_text(float("nan"))
    ('1,200', '-')
    """
    return "-" if np.isnan(step) else f"{step:,.0f}"


def span_text(low: float, high: float) -> str:
    """Both ends of an interval of steps as text; a dash if there are none or both are the same step.

    >>> span_text(1200.0, 1500.0), span_text(1200.0, 1200.0)
    ('1,200 to 1,500', '-')
    """
    return "-" if np.isnan(low) or np.isnan(high) or low == high else f"{step_text(low)} to {step_text(high)}"


def change_text(row: Row) -> str:
    """The values at which a curve started and ended, as words of a sentence."""
    return f"from {number(row['start'])} to {number(row['end'])}"
