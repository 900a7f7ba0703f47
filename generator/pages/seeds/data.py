"""The stored numbers of several trainings beside each other, arranged for their page."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from generator.claims.cutoffs import is_clear
from generator.numbers.quantity import Named
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.tables import by_name, corpora, of_name, records, stored
from generator.studies.experiments.seeds_quantities import SEEDS
from generator.studies.learning.run_quantities import HELD_OUT_TEXT

EXPERIMENT = "seeds"
Row = Mapping[str, Any]
ATTENTION, LOSS, RELATION = (
    next(one for one in SEEDS.quantities if one.name.startswith(f"{name}.{{"))
    for name in ("attention", "loss", "relation")
)


@dataclass(frozen=True)
class Trainings:
    """What a model's results say of trainings of one recipe."""

    atlas: Atlas

    @property
    def names(self) -> tuple[str, ...]:
        """What the trainings are called, in the order of their numbers."""
        return tuple(str(one["name"]) for one in self._settings)

    @property
    def own(self) -> bool:
        """Whether the model is one of them."""
        return self.atlas.results.manifest.weights_sha256 in {one["weights"] for one in self._settings}

    @property
    def commands(self) -> tuple[str, ...]:
        """What made them."""
        return tuple(one.command for one in self._manifests)

    @cached_property
    def text(self) -> str:
        """The text that was read first."""
        return self._corpora("facts", "matched")[0]

    @cached_property
    def facts(self) -> Mapping[str, Row]:
        """Numbers of the first text that belong to no layer, by name."""
        return by_name(stored(self.atlas, "facts", study=SEEDS, corpus=self.text), SEEDS)

    @cached_property
    def layers(self) -> list[Row]:
        """How far twins are apart, layer by layer."""
        rows = stored(self.atlas, "facts", study=SEEDS, corpus=self.text, name="matched")
        return list(records(rows[rows["layer"] > 0].sort_values("layer")))

    @property
    def treebanks(self) -> list[str]:
        """The treebanks that were read."""
        rows = stored(self.atlas, "head_facts", study=SEEDS)
        return corpora(rows, self.atlas.results.manifest.order)

    def leads(self, treebank: str) -> dict[str, dict[int, Row]]:
        """Relation, and number of the training -> the head that finds it best and how far that is beyond an offset."""
        found: dict[str, dict[int, Row]] = {}
        for row in records(stored(self.atlas, "head_facts", study=SEEDS, corpus=treebank)):
            parts = RELATION.values_in(row["name"]) or {}
            found.setdefault(parts["relation"], {})[int(parts["training"])] = row
        return found

    def returning(self, treebank: str) -> Named[Row]:
        """What a treebank says of all relations together."""
        return by_name(stored(self.atlas, "facts", study=SEEDS, corpus=treebank), SEEDS)

    @cached_property
    def logged(self) -> Mapping[str, Mapping[int, Row]]:
        """A target of attention, or "loss", and the training -> rows of that name, by step."""
        found: dict[str, dict[int, Row]] = {}
        for row in records(stored(self.atlas, "facts", study=SEEDS)):
            for quantity in (ATTENTION, LOSS):
                parts = quantity.values_in(row["name"])
                if parts:
                    key = f"{parts.get('target', 'loss')}.{parts['training']}"
                    found.setdefault(key, {})[int(parts["step"])] = {**row, "step": int(parts["step"])}
        return found

    @cached_property
    def came(self) -> Mapping[str, Row]:
        """When each target was first attended to in each training, by name."""
        return by_name(stored(self.atlas, "facts", study=SEEDS, corpus=HELD_OUT_TEXT), SEEDS)

    @cached_property
    def _manifests(self) -> list[Any]:
        more = [one.manifest for one in self.atlas.results.more]
        return [one for one in more if one.experiment == EXPERIMENT]

    @property
    def _settings(self) -> list[dict[str, Any]]:
        return [training for one in self._manifests[:1] for training in one.settings["trainings"]]

    def _corpora(self, table: str, name: str) -> list[str]:
        rows = of_name(stored(self.atlas, table, study=SEEDS), SEEDS, name)
        return corpora(rows, self.atlas.results.manifest.order)


def finds(row: Row) -> bool:
    """Whether a head clearly beats the best fixed offset."""
    return is_clear(row["value"], row["low"])
