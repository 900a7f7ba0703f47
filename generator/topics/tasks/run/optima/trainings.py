"""Trainings on one task that have in common where they start, or else in which order they read.

In `OUT/<model>@optima/<task>/`, the model and the data are in `run.json`; below `starts`, classifiers whose weights are
all given, those of the head, too; and below `runs`, what `finetune` leaves of trainings from each of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Literal, NamedTuple

import torch

from generator.corpora.tasks import LabelledTexts, Task, find_task
from generator.models.encoder import Encoder
from generator.models.names import slug
from generator.models.source import Source, locate
from generator.progress import Report
from generator.topics.learning.run.pretrain.state import claim_folder, write_folder
from generator.topics.tasks.run.finetune.model import new_classifier
from generator.topics.tasks.run.finetune.settings import Finetuning
from generator.topics.tasks.run.finetune.train import finetune, seed_folder

Weights = Literal["pretrained", "random"]
WEIGHTS: tuple[Weights, ...] = ("pretrained", "random")
GROUPS = tuple(f"{weights}.{start}" for weights in WEIGHTS for start in ("same", "other"))
"""What trainings of a group have in common: "same" is one start and orders of their own; "other", one order and starts
of their own, of which pre-trained ones differ in the head alone.
"""


class Examples(NamedTuple):
    """What is trained on, and what is held out."""

    data: Path
    """The folder from which they were read."""
    train: LabelledTexts
    dev: LabelledTexts


class Training(NamedTuple):
    """A training by the seeds of what is new in its start, and of its order."""

    weights: Weights
    start: int
    order: int

    @property
    def begins(self) -> str:
        """The name of its start."""
        return f"{self.weights}-{self.start}"


def plan(seeds: int) -> list[Training]:
    """All trainings, those of pre-trained weights first; the first of each kind belongs to two groups.

    >>> [tuple(training[1:]) for training in plan(2)[:3]]
    [(0, 0), (0, 1), (1, 0)]
    """
    return [
        Training(weights, start, order)
        for weights in WEIGHTS
        for start in range(seeds)
        for order in range(1 if start else seeds)
    ]


def members(group: str, trainings: Sequence[Training]) -> list[int]:
    """The places of a group's trainings among all."""
    weights, _, start = group.partition(".")
    return [
        at
        for at, one in enumerate(trainings)
        if one.weights == weights and not (one.start if start == "same" else one.order)
    ]


def pairs(group: str, trainings: Sequence[Training]) -> list[tuple[int, int]]:
    """Every two trainings of a group, by their places."""
    return list(combinations(members(group, trainings), 2))


def folder_of(source: Source, task: Task, out: Path) -> Path:
    """Where all that is made of a model and a task is kept."""
    return out / f"{slug(source.title)}@optima" / task.name


def train(
    source: Source, encoder: Encoder, settings: Finetuning, texts: Examples, out: Path, report: Report
) -> dict[Training, Path]:
    """Make the starts and the trainings that are not there; gives the folder of each. `encoder` is that of `source`.

    Raises FieldguideError.
    """
    place = folder_of(source, texts.train.task, out)
    claim_folder(
        place,
        {
            "settings": settings.identity,
            "model": {"id": source.id, "weights": source.sha256, "setup": source.setup_sha256},
            "data": [texts.train.sha256, texts.dev.sha256],
        },
    )
    found: dict[Training, Path] = {}
    for start, orders in _starts(plan(settings.seeds)):
        folder = place / "starts" / start.begins
        if not folder.is_dir():
            _make_start(source, encoder, replace(settings, start=start.weights), start.start, folder)
        own = replace(settings, start="pretrained", seeds=orders)
        runs = finetune(locate(str(folder)), own, texts.data, place / "runs", report)
        found |= {start._replace(order=order): seed_folder(runs, order) for order in range(orders)}
    return {training: found[training] for training in plan(settings.seeds)}


def _starts(trainings: Sequence[Training]) -> Iterator[tuple[Training, int]]:
    """The first training from each start, and how many begin there."""
    for training in trainings:
        if not training.order:
            yield training, sum(one.begins == training.begins for one in trainings)


def _make_start(source: Source, encoder: Encoder, settings: Finetuning, seed: int, folder: Path) -> None:
    model = new_classifier(source, find_task(settings.task), settings, seed, torch.device("cpu"))

    def write(at: Path) -> None:
        model.save_pretrained(at)
        encoder.tokenizer.save_pretrained(at)

    write_folder(folder, write)
