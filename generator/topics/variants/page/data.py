"""The stored numbers of a comparison of objectives, arranged for pages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from generator.numbers.number import Number
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.tables import by_name, stored
from generator.results.manifest import Manifest
from generator.topics.variants.records import CLASSES, FOLLOWS, LOSS, MAPS, MULTIPLE, TOLD, VARIANTS

Row = Mapping[str, Any]
WORDS: Mapping[str, str] = {
    **LOSS.values,
    **MULTIPLE.values,
    **MAPS.values,
    **TOLD.values,
    **FOLLOWS.values,
    **CLASSES.values,
}
"""Number -> what it is, in the order in which pages show them."""
BASELINES = {"masked": "masked.frequency", "next": "next.commonest", "classes": "classes.type"}
"""Number -> the stored baseline beside it."""
UNIFORM = 1.0
"""What uniform attention gives as a multiple of itself."""


class Told(NamedTuple):
    """One number of one variant."""

    number: Number
    change: Number | None
    """Its difference from the first variant; None for the first itself."""
    counts: bool | None
    """Whether the difference counts; None where no variant has two trainings, and for the first."""

    @property
    def words(self) -> str:
        """In which direction it counts; empty where it does not."""
        if not self.counts or self.change is None:
            return ""
        return "more" if self.change.value > 0 else "less"


@dataclass(frozen=True)
class Variants:
    """What a model's results say about trainings of several objectives."""

    atlas: Atlas

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variants, the first of which is the reference."""
        return tuple(str(one["name"]) for one in self._settings)

    @property
    def trainings(self) -> tuple[tuple[str, ...], ...]:
        """The names of the trainings of each variant."""
        return tuple(tuple(str(training["name"]) for training in one["trainings"]) for one in self._settings)

    def settings(self, at: int) -> Mapping[str, Any]:
        """The settings in which a variant, numbered from 0, differs from the first; of the first, those in which any
        other one differs from it.
        """
        first, own = self.every(0), self.every(at)
        return {key: value for key, value in own.items() if at == 0 or value != first[key]}

    def every(self, at: int) -> Mapping[str, Any]:
        """All settings in which variants differ, as a variant, numbered from 0, has them."""
        found: Mapping[str, Any] = self._settings[at]["settings"]
        return found

    @property
    def command(self) -> str:
        """The command that makes the numbers again."""
        return self._manifest.command

    @property
    def otherwise(self) -> str | None:
        """What the code of today makes otherwise; None if nothing was found."""
        return self._manifest.otherwise or None

    @property
    def bank(self) -> str:
        """The treebank from which word classes were read."""
        return self._manifest.corpora[-1].name

    @property
    def own(self) -> bool:
        """Whether the model is one of the trainings."""
        weights = {training["weights"] for one in self._settings for training in one["trainings"]}
        return self.atlas.results.manifest.weights_sha256 in weights

    @cached_property
    def facts(self) -> Mapping[str, Row]:
        """Name -> row of a number on held-out text or on the treebank."""
        return dict(by_name(stored(self.atlas, "facts", study=VARIANTS), VARIANTS))

    @property
    def shown(self) -> list[str]:
        """The numbers that all variants or some of them have."""
        return [name for name in WORDS if any(f"{name}.{at}" in self.facts for at in range(1, len(self.names) + 1))]

    def told(self, name: str, at: int) -> Told | None:
        """A number of the variant with this place, from 0; None if it has none."""
        row, change = (self.facts.get(f"{name}.{at + 1}{end}") for end in ("", ".minus"))
        if row is None:
            return None
        counts = self.facts.get(f"{name}.{at + 1}.counts")
        return Told(
            number=Number.of(row),
            change=None if change is None else Number.of(change),
            counts=None if counts is None else bool(counts["value"]),
        )

    def each(self, name: str, at: int) -> dict[str, Row]:
        """Name of a training of a variant -> row of its number."""
        rows = {one: self.facts.get(f"{name}.{at + 1}.{number}") for number, one in enumerate(self.trainings[at], 1)}
        return {one: row for one, row in rows.items() if row is not None}

    def baseline(self, name: str) -> Number | None:
        """What could be had without this training: stored, or 1 for a multiple of uniform attention."""
        if name in MULTIPLE.values:
            return Number(UNIFORM, UNIFORM, UNIFORM, 0)
        row = self.facts.get(BASELINES.get(name, ""))
        return None if row is None else Number.of(row)

    @cached_property
    def _manifest(self) -> Manifest:
        return next(
            results.manifest for results in self.atlas.results.more if results.manifest.experiment == VARIANTS.name
        )

    @property
    def _settings(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._manifest.settings["variants"]
        return found


def there(atlas: Atlas) -> bool:
    """Whether objectives were compared for this model."""
    return any(results.manifest.experiment == VARIANTS.name for results in atlas.results.more)


def unit(name: str) -> str:
    """The unit of a number, as its record has it."""
    return VARIANTS.quantity(f"{name}.1").unit


def settings_text(settings: Mapping[str, Any]) -> str:
    """Settings as a file of them has them: "to_mask = 1.0, segments = false"."""
    return ", ".join(f"{key} = {json.dumps(value)}" for key, value in settings.items())
