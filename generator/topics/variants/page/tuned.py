"""The stored scores of fine-tuned trainings of several objectives, arranged for pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from generator.numbers.number import Number
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.tables import by_name, stored
from generator.results.manifest import Manifest
from generator.topics.tasks.page.words import METRICS, NAMES, spelled
from generator.topics.variants.page.data import Row, Told
from generator.topics.variants.records import TUNED, VARIANTS


@dataclass(frozen=True)
class Tuned:
    """What is stored of such trainings on one task."""

    atlas: Atlas
    manifest: Manifest

    @property
    def task(self) -> str:
        """The name of the task in the store."""
        return self.manifest.experiment.partition(".")[2]

    @property
    def title(self) -> str:
        """Task and metric, for the head of a column."""
        metric = METRICS.get(self.task)
        return NAMES.get(self.task, self.task) + (f", {spelled(metric)}" if metric else "")

    @property
    def trainings(self) -> tuple[tuple[str, ...], ...]:
        """The names of the trainings of each variant."""
        return tuple(tuple(str(training["name"]) for training in one["trainings"]) for one in self._variants)

    @property
    def differs_in(self) -> str:
        """The setting in which alone variants differ; empty where there are several."""
        settings = list(self.every(0))
        return settings[0] if len(settings) == 1 else ""

    def every(self, at: int) -> Mapping[str, Any]:
        """All settings in which variants differ, as a variant, numbered from 0, has them."""
        found: Mapping[str, Any] = self._variants[at]["settings"]
        return found

    @cached_property
    def facts(self) -> Mapping[str, Row]:
        """Name -> row."""
        return by_name(stored(self.atlas, "facts", study=TUNED, corpus=self.task), TUNED)

    @property
    def learned(self) -> bool:
        """Whether every training is surely above the majority class."""
        return all(
            self.facts[f"score.{variant}.{training}.lead"]["low"] > 0
            for variant, names in enumerate(self.trainings, start=1)
            for training in range(1, len(names) + 1)
        )

    @property
    def majority(self) -> Number | None:
        """The score of the majority class; None in a regression."""
        return Number.of(self.facts["score.majority"]) if "score.majority" in self.facts else None

    def told(self, at: int) -> Told:
        """The score of the variant with this place, from 0."""
        change, counts = (self.facts.get(f"score.{at + 1}.{name}") for name in ("minus", "counts"))
        return Told(
            number=Number.of(self.facts[f"score.{at + 1}"]),
            change=None if change is None else Number.of(change),
            counts=None if counts is None else bool(counts["value"]),
        )

    @property
    def _variants(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.manifest.settings["variants"]
        return found


def tuned_on(atlas: Atlas) -> list[Tuned]:
    """Those of all tasks, in the order of tasks."""
    found = [
        Tuned(atlas, results.manifest)
        for results in atlas.results.more
        if results.manifest.experiment.startswith(f"{VARIANTS.name}.")
    ]
    order = list(NAMES)
    return sorted(found, key=lambda one: order.index(one.task) if one.task in order else len(order))
