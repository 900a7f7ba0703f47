"""The variants that are compared: runs by what differs in their settings, and what all of them must have in common."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from generator.corpora.kind import Corpus
from generator.errors import CorpusError, ModelError
from generator.models.source import Source
from generator.topics.learning.run.pretrain.settings import Pretraining
from generator.topics.learning.run.pretrain.state import RUN, read_run
from generator.topics.seeds.run.trainings import SEED, Training, check_distinct

SAME = {
    "shape": ("layers", "heads", "hidden", "intermediate", "max_tokens"),
    "vocabulary": ("vocabulary",),
    "steps": ("steps",),
}
"""What all runs must have in common -> the settings that say so."""


@dataclass(frozen=True)
class Run:
    """A finished run of `pretrain`."""

    training: Training
    folder: Path

    @classmethod
    def find(cls, place: str) -> "Run":
        """Raises ModelError if there is no run or it is not finished."""
        training = Training.find(place)
        if training.run is None or not read_run(training.run):
            raise ModelError(
                f"Expected the folder of a run of `fieldguide pretrain` at {place}, found a model without the settings "
                "of its training; give the folder that holds run.json."
            )
        return cls(training, training.run)

    @property
    def source(self) -> Source:
        """Its last model."""
        return self.training.source

    @cached_property
    def settings(self) -> Pretraining:
        """Raises ModelError for settings that this program does not know."""
        try:
            return Pretraining(**read_run(self.folder)["settings"])
        except (ValidationError, TypeError) as error:
            said = error.errors()[0]["loc"] if isinstance(error, ValidationError) else ()
            raise ModelError(
                f"Expected settings of a training in {self.folder / RUN}, found others{_named(said)}; train it with "
                "this version."
            ) from None

    @property
    def recipe(self) -> dict[str, Any]:
        """Its settings but for the seed, with the defaults of those that were not there when it was made."""
        return {key: value for key, value in self.settings.identity.items() if key != SEED}

    @property
    def text(self) -> Any:
        """Checksums of its text."""
        return read_run(self.folder)["text"]


@dataclass(frozen=True)
class Variant:
    """Trainings whose settings differ only in the seed."""

    name: str
    changed: Mapping[str, Any]
    """The settings in which variants differ -> their values in this one."""
    trainings: tuple[int, ...]
    """Their places among all, from 0."""


def find_runs(places: Sequence[str]) -> list[Run]:
    """The runs in these folders.

    Raises ModelError for a folder without a finished run, for fewer than two, for two of the same name or weights, and
    for runs whose text, shape, vocabulary or steps are not those of the first.
    """
    runs = [Run.find(place) for place in places]
    check_distinct([run.training for run in runs])
    first, *others = runs
    for run in others:
        if run.text != first.text:
            raise ModelError(
                f"Expected {run.source.id} to be trained on the text of {first.source.id}, found another in "
                f"{run.folder / RUN}; compare runs of one text."
            )
        for what, keys in SAME.items():
            ours, theirs = ({key: asdict(one.settings)[key] for key in keys} for one in (first, run))
            if ours != theirs:
                raise ModelError(
                    f"Expected the {what} of {first.source.id} in {run.source.id}, {_told(ours)}, found "
                    f"{_told(theirs)}; compare runs that have this in common."
                )
    return runs


def group(runs: Sequence[Run]) -> list[Variant]:
    """The variants, that of the first run first. Raises ModelError if there is only one."""
    groups: list[tuple[dict[str, Any], list[int]]] = []
    for at, run in enumerate(runs):
        same = next((members for recipe, members in groups if recipe == run.recipe), None)
        if same is None:
            groups.append((run.recipe, [at]))
        else:
            same.append(at)
    if len(groups) == 1:
        names = ", ".join(run.source.id for run in runs)
        raise ModelError(
            f"Expected runs of two objectives or more, found that {names} differ only in their seed; compare these "
            "with `fieldguide seeds`."
        )
    differing = [key for key in groups[0][0] if any(recipe[key] != groups[0][0][key] for recipe, _ in groups)]
    whole = [runs[members[0]].source.id for _, members in groups]
    short = [
        name.removesuffix(f"-{runs[members[0]].settings.seed}")
        for name, (_, members) in zip(whole, groups, strict=True)
    ]
    named = short if len({*short}) == len(short) else whole
    return [
        Variant(name, {key: recipe[key] for key in differing}, tuple(members))
        for name, (recipe, members) in zip(named, groups, strict=True)
    ]


def said(variant: Variant, runs: Sequence[Run]) -> dict[str, Any]:
    """What the manifest says about a variant."""
    return {
        "name": variant.name,
        "settings": dict(variant.changed),
        "trainings": [runs[at].training.said for at in variant.trainings],
    }


def check_held_out(text: Corpus[Any], runs: Sequence[Run], place: Path) -> None:
    """Raises CorpusError if a run was trained on this text."""
    if {*text.sha256.split()} & {*str(runs[0].text["train"]).split()}:
        raise CorpusError(
            f"Expected text that no training has read in {place}, found the text of {runs[0].source.id} itself; give a "
            "folder whose `valid` was held out."
        )


def _told(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in settings.items())


def _named(place: Sequence[Any]) -> str:
    return f" ({place[0]})" if place else ""
