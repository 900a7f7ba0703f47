"""Makes padded batches from labelled examples: inputs of similar length together, in the same order in every run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import Dataset

from generator.corpora.pairs import PairMaker
from generator.corpora.tasks import LabelledTexts
from generator.models.encoder import Encoder
from generator.survey.known import check_known

_WINDOW = 50
"""Batches among which examples are sorted by length: enough to save padding, few enough to keep the order random."""


@dataclass(frozen=True)
class Tokenized:
    """What a model reads of a split; each field has one entry per example."""

    ids: tuple[tuple[int, ...], ...]
    segments: tuple[tuple[int, ...], ...] | None
    """Segment ids; None for a model that takes none."""
    labels: np.ndarray
    """[example]: class indices, or scores."""
    pad: int

    @property
    def lengths(self) -> np.ndarray:
        """[example]: tokens, special ones included."""
        return np.array([len(example) for example in self.ids])

    def batch(self, which: Sequence[int] | np.ndarray) -> dict[str, torch.Tensor]:
        """These examples, padded to the longest of them; tensors are `[example, token]` and `[example]`."""
        ids = [self.ids[place] for place in which]
        made = {
            "input_ids": _padded(ids, self.pad),
            "attention_mask": _padded([(1,) * len(example) for example in ids], 0),
            "labels": torch.from_numpy(self.labels[np.asarray(which)]),
        }
        if self.segments is not None:
            made["token_type_ids"] = _padded([self.segments[place] for place in which], 0)
        return made


class Batches(Dataset[dict[str, torch.Tensor]]):
    """All batches of a run in the order in which they are read."""

    def __init__(self, examples: Tokenized, size: int, epochs: int, seed: int) -> None:
        self._examples = examples
        self._batches = [
            batch
            for epoch in range(epochs)
            for batch in _order(examples.lengths, size, np.random.default_rng([seed, epoch]))
        ]

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, number: int) -> dict[str, torch.Tensor]:
        return self._examples.batch(self._batches[number])

    @property
    def tokens(self) -> list[int]:
        """How many tokens each batch holds, without padding."""
        lengths = self._examples.lengths
        return [int(lengths[batch].sum()) for batch in self._batches]


def tokenize(texts: LabelledTexts, encoder: Encoder, max_tokens: int) -> Tokenized:
    """Make the inputs of a split as the rest of the program does, so that heads can be observed on the same inputs.

    Raises ModelError if the tokenizer does not know most of the text.
    """
    maker = PairMaker(encoder.tokenizer, min(max_tokens, encoder.positions))
    inputs = [maker.pair(example.id, example.first, example.second) for example in texts.examples]
    check_known(encoder, texts.task.name, inputs)
    labels = np.array([example.label for example in texts.examples])
    return Tokenized(
        ids=tuple(item.input_ids for item in inputs),
        segments=tuple(item.segment_ids for item in inputs) if encoder.segments else None,
        labels=labels.astype(np.int64 if texts.task.labels else np.float32),
        pad=encoder.pad,
    )


def _order(lengths: np.ndarray, size: int, rng: np.random.Generator) -> list[np.ndarray]:
    """The batches of an epoch: every example once, examples of like length together, batches in random order."""
    order = rng.permutation(len(lengths))
    batches: list[np.ndarray] = []
    for start in range(0, len(order), _WINDOW * size):
        window = order[start : start + _WINDOW * size]
        window = window[np.argsort(lengths[window], kind="stable")]
        batches += [window[at : at + size] for at in range(0, len(window), size)]
    return [batches[place] for place in rng.permutation(len(batches))]


def _padded(rows: Sequence[Sequence[int]], value: int) -> torch.Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[value] * (longest - len(row))] for row in rows])
