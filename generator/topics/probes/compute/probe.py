"""What probing classifiers share: a softmax over candidate heads for every word (Clark et al. 2019, section 5).

A probe has weights of its own for every task, and scores all tasks at once. It knows the slope of its loss by explicit
formulas: with such small tensors autograd would take most of the time.
"""

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Self

import torch
from torch import Tensor

from generator.topics.probes.compute.data import TASKS, Batch


class Probe(ABC):
    """Scores every candidate of every word."""

    def __init__(self, untaught: Mapping[str, Tensor]) -> None:
        self._shapes = {name: part.shape for name, part in untaught.items()}
        self.weights = self._row({name: part[None] for name, part in untaught.items()}).repeat(len(TASKS), 1)
        """`[task, weight]`: all parts in a row."""

    def parts(self, weights: Tensor) -> dict[str, Tensor]:
        """Weights `[task, weight]` as views of the parts of this probe: name -> `[task, ...]`."""
        rows = torch.split(weights, [shape.numel() for shape in self._shapes.values()], dim=1)
        return {name: row.view(len(row), *shape) for row, (name, shape) in zip(rows, self._shapes.items(), strict=True)}

    def copied(self, device: torch.device) -> Self:
        """The same probe with weights of its own, on a device."""
        other = copy.copy(self)
        other.weights = self.weights.to(device, copy=True)
        return other

    @abstractmethod
    def scores(self, batch: Batch) -> Tensor:
        """`[task, sentence, dependent, 1 + candidate]`, with ROOT first."""

    @abstractmethod
    def slope(self, batch: Batch) -> Tensor:
        """The gradient of the loss of each task in its weights, `[task, weight]`."""

    def losses(self, batch: Batch) -> Tensor:
        """`[task]`: cross-entropy summed over words, punctuation included, as in the paper."""
        right = self.scores(batch).log_softmax(-1).gather(-1, batch.gold[..., None])
        return -(right[..., 0] * batch.words).sum((1, 2))

    def _row(self, parts: Mapping[str, Tensor]) -> Tensor:
        """All parts of the probe, `[task, ...]` each, as weights `[task, weight]`."""
        return torch.cat([parts[name].flatten(1) for name in self._shapes], dim=1)


def candidates(root: Tensor, words: Tensor, batch: Batch) -> Tensor:
    """Scores of ROOT, `[task, sentence, dependent]`, and of words, `[..., candidate]`, in a row; padding has none."""
    return torch.cat([root[..., None], words], dim=-1).masked_fill_(batch.absent, -torch.inf)


def error(scores: Tensor, batch: Batch) -> Tensor:
    """The gradient of the loss in the scores: how much more than its due each candidate gets."""
    due = scores.new_full((), -1).expand(*batch.gold.shape, 1)
    return scores.softmax(-1).scatter_add_(-1, batch.gold[..., None], due).mul_(batch.words[..., None])


def correct(probe: Probe, batch: Batch) -> Tensor:
    """`[task, sentence]`: how many scored words have the right best candidate; each word is judged by itself."""
    return ((probe.scores(batch).argmax(-1) == batch.gold) & batch.scored).sum(-1)
