"""The stored numbers of a comparison of several trainings, arranged for their page."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from generator.numbers.quantity import Named
from generator.pages.heads.atlas import Atlas
from generator.pages.studies.tables import by_name, corpora, stored
from generator.results.manifest import Manifest
from generator.results.tables import records
from generator.topics.learning.records.runs import HELD_OUT_TEXT
from generator.topics.seeds.records import SEEDS

Row = Mapping[str, Any]
ATTENTION, LOSS, LEAD, FOUND = (
    next(quantity for quantity in SEEDS.quantities if quantity.name.startswith(f"{name}.{{"))
    for name in ("attention", "loss", "relation", "found")
)


@dataclass(frozen=True)
class Trainings:
    """What a model's results say about several trainings of one recipe."""

    atlas: Atlas

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the trainings, in the order of their numbers."""
        return tuple(str(setting["name"]) for setting in self._settings)

    @property
    def own(self) -> bool:
        """Whether the model is one of the trainings."""
        return self.atlas.results.manifest.weights_sha256 in {setting["weights"] for setting in self._settings}

    @property
    def command(self) -> str:
        """The command that makes the numbers again."""
        return self._manifest.command

    @property
    def otherwise(self) -> str | None:
        """What the code of today makes otherwise; None if nothing was found."""
        return self._manifest.otherwise or None

    @property
    def one_recipe(self) -> bool:
        """Whether the trainings are known to differ only in their seed, because `run_seeds` refuses other runs."""
        return all("seed" in setting for setting in self._settings)

    @cached_property
    def text(self) -> str:
        """The text that was read."""
        return str(self._manifest.settings["text"])

    @cached_property
    def facts(self) -> Mapping[str, Row]:
        """Name -> row of a number of the whole model on the text."""
        return self.of(self.text)

    def by_layer(self, name: str) -> list[Row]:
        """A number of every layer."""
        rows = stored(self.atlas, "facts", study=SEEDS, corpus=self.text, name=name)
        return list(records(rows[rows["layer"] > 0].sort_values("layer")))

    @property
    def treebanks(self) -> list[str]:
        """The treebanks that were read."""
        rows = stored(self.atlas, "head_facts", study=SEEDS)
        return corpora(rows, self.atlas.results.manifest.order)

    def leads(self, treebank: str) -> dict[str, dict[int, Row]]:
        """Relation -> number of a training -> row with the best head and its lead; `found`: whether it finds it."""
        rows = {row["name"]: row for row in records(stored(self.atlas, "head_facts", study=SEEDS, corpus=treebank))}
        found: dict[str, dict[int, Row]] = {}
        for name, row in rows.items():
            if parts := LEAD.values_in(name):
                finds = bool(rows[FOUND.called(**parts)]["value"])
                found.setdefault(parts["relation"], {})[int(parts["training"])] = {**row, "found": finds}
        return found

    def of(self, corpus: str) -> Named[Row]:
        """Name -> row of a number of the whole model on a corpus."""
        return by_name(stored(self.atlas, "facts", study=SEEDS, corpus=corpus), SEEDS)

    @cached_property
    def logged(self) -> Mapping[str, Mapping[int, Row]]:
        """Kind of number and training, as "TARGET.TRAINING" or "loss.TRAINING" -> step -> row."""
        found: dict[str, dict[int, Row]] = {}
        for name, row in self.log.items():
            if parts := ATTENTION.values_in(name) or LOSS.values_in(name):
                key = f"{parts.get('target', 'loss')}.{parts['training']}"
                found.setdefault(key, {})[int(parts["step"])] = {**row, "step": int(parts["step"])}
        return found

    @property
    def steps(self) -> list[int]:
        """The last logged step of each training; empty if some training has no log."""
        found = [max(rows) for name, rows in self.logged.items() if name.startswith("loss.")]
        return found if len(found) == len(self.names) else []

    @cached_property
    def log(self) -> Named[Row]:
        """Name -> row of a number from the logs of the runs."""
        return self.of(HELD_OUT_TEXT)

    @cached_property
    def _manifest(self) -> Manifest:
        return next(
            results.manifest for results in self.atlas.results.more if results.manifest.experiment == SEEDS.name
        )

    @property
    def _settings(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._manifest.settings["trainings"]
        return found


def cases(share: Row, n: int) -> int:
    """How many of `n` cases a stored share stands for."""
    return round(share["value"] * n)
