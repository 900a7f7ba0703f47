"""Reads what trainings and the lines between them give, and keeps what took long."""

import copy
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
import torch
from transformers import PreTrainedModel

from generator.errors import ResultsError, reason
from generator.models.classifier import load_classifier
from generator.models.source import locate
from generator.progress import Report, reporting_to, tell
from generator.topics.learning.run.pretrain.state import write_file
from generator.topics.tasks.run.finetune.data import Tokenized
from generator.topics.tasks.run.optima.lines import STEPS, along, answered
from generator.topics.tasks.run.optima.trainings import GROUPS, Training, pairs

LINES = "lines"
"""The folder of losses between two trainings."""
Pair = tuple[int, int]


class Found(NamedTuple):
    """What all trainings give."""

    losses: Sequence[tuple[np.ndarray, Mapping[Pair, np.ndarray]]]
    """Of each split, `[example, training]`; and the places of two trainings -> `[example, point]` between them."""
    said: np.ndarray
    """`[example, training]` of the last split: class indices."""


def read_all(
    places: Mapping[Training, Path], folder: Path, inputs: Sequence[Tokenized], device: torch.device, report: Report
) -> Found:
    """Read all trainings, and the lines between those of one group, on the inputs of each split.

    Raises ModelError if a loss is not finite, and ResultsError for kept losses that cannot be read.
    """
    trainings = list(places)
    models = [load_classifier(locate(str(place)), device).encoder.model for place in places.values()]
    lines = [pair for group in GROUPS for pair in pairs(group, trainings)]
    each = sum(int(split.lengths.sum()) for split in inputs)
    title = f"{len(lines)} lines between {len(models)} trainings"
    with report.bar(title, each * (len(models) + len(lines) * (STEPS - 1))) as advance, reporting_to(advance):
        ends = [
            [answered(model, split, device, str(place)) for split in inputs]
            for model, place in zip(models, places.values(), strict=True)
        ]
        between = {
            pair: _Line(models, pair, folder / LINES / _named(*(trainings[at] for at in pair))).losses(inputs)
            for pair in lines
        }
    losses = [
        (np.stack([end[at].losses for end in ends], axis=1), {pair: line[at] for pair, line in between.items()})
        for at in range(len(inputs))
    ]
    return Found(losses, np.stack([end[-1].said for end in ends], axis=1))


@dataclass(frozen=True)
class _Line:
    """The losses between two trainings, read once."""

    models: Sequence[PreTrainedModel]
    pair: Pair
    path: Path

    def losses(self, inputs: Sequence[Tokenized]) -> list[np.ndarray]:
        """`[example, point]` of each split."""
        if self.path.is_file():
            found = self._kept(inputs)
            tell((STEPS - 1) * sum(int(split.lengths.sum()) for split in inputs))
            return found
        first, second = (self.models[at] for at in self.pair)
        ends = first.state_dict(), second.state_dict()
        found = along(copy.deepcopy(first), ends, inputs, first.device, f"the models of {self.path.stem}")

        def write(at: Path) -> None:
            with at.open("wb") as file:
                np.savez(file, *found)

        self.path.parent.mkdir(exist_ok=True)
        write_file(self.path, write)
        return found

    def _kept(self, inputs: Sequence[Tokenized]) -> list[np.ndarray]:
        try:
            with self.path.open("rb") as raw, np.load(raw, allow_pickle=False) as arrays:  # else it stays open
                found = [arrays[name] for name in arrays.files]
            if [one.shape for one in found] != [(len(split.labels), STEPS - 1) for split in inputs]:
                raise ValueError("those of other examples")
            return found
        except (OSError, ValueError, EOFError, BadZipFile, zlib.error) as error:
            raise ResultsError(
                f"Expected losses in {self.path}, found: {reason(error)}; delete it and give the same command again."
            ) from None


def _named(*trainings: Training) -> str:
    """The file of a line between two trainings."""
    return "-".join(f"{one.begins}.{one.order}" for one in trainings) + ".npz"
