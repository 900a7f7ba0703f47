"""The batches of a run in the order in which they are read, made between steps or ahead of them in another process.

What is drawn depends only on the seed, the epoch and the batch, so where and when a batch is made changes nothing.
"""

from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset

from generator.errors import CorpusError
from generator.topics.learning.run.pretrain.data.masking import Batch, Masking, make_batch
from generator.topics.learning.run.pretrain.data.pairs import Pairs, make_batches, make_pairs
from generator.topics.learning.run.pretrain.data.vocabulary import Pieces
from generator.topics.learning.run.pretrain.settings import Pretraining

TRAINING = 0
"""Second part of a random generator's seed: it keeps the draws for training apart from those with `HELD_OUT`."""


class Place(NamedTuple):
    """Where a run is in its text."""

    step: int
    epoch: int
    batch: int
    """The number of the batch within the epoch that is read next."""


class Read(NamedTuple):
    """A batch, and where the run is after it."""

    batch: Batch
    after: Place


def read_batches(settings: Pretraining, text: Pieces, masking: Masking, start: Place) -> Generator[Read]:
    """The batches from a place to the last step; closing the iterator ends the process that makes them ahead.

    Raises CorpusError where the text is too short for a batch.
    """
    drawn = _Drawn(settings, text, masking, start)
    for found in _ahead(drawn, settings.ahead) if settings.ahead else drawn:
        if isinstance(found, CorpusError):
            raise found
        yield found


class _Drawn(IterableDataset[Read | CorpusError]):
    """An error is an item, too, so that it comes out of another process as it is."""

    def __init__(self, settings: Pretraining, text: Pieces, masking: Masking, start: Place) -> None:
        self.settings, self.text, self.masking, self.start = settings, text, masking, start

    def __iter__(self) -> Iterator[Read | CorpusError]:
        settings, at = self.settings, self.start
        while at.step < settings.steps:
            epoch = at.epoch
            try:
                pairs, batches = self._open(at)
            except CorpusError as error:
                yield error
                return
            while at.epoch == epoch and at.step < settings.steps:
                # NumPy ignores zeros at the end of a seed: without + 1, batch 0 would draw what its epoch drew.
                masks = np.random.default_rng([settings.seed, TRAINING, at.epoch, at.batch + 1])
                batch = make_batch(
                    *(pairs, batches[at.batch], self.masking, settings.vocabulary), masks, settings.segments
                )
                ends = at.batch + 1 == len(batches) or at.step + 1 == settings.first_steps
                at = Place(at.step + 1, at.epoch + ends, 0 if ends else at.batch + 1)
                yield Read(batch, at)

    def _open(self, at: Place) -> tuple[Pairs, np.ndarray]:
        """The inputs of an epoch, and which of them each batch holds, `[batch, input]`."""
        settings = self.settings
        rng = np.random.default_rng([settings.seed, TRAINING, at.epoch])
        longest = settings.first_tokens if at.step < settings.first_steps else settings.max_tokens
        size = settings.batch * settings.max_tokens // longest
        pairs = make_pairs(self.text, longest, settings.short, rng)
        batches = make_batches(pairs.lengths, size, rng)
        if not len(batches):
            raise CorpusError(
                f"Expected training text for a batch of {size} inputs, found enough for "
                f"{len(pairs.ids)}; give more text or set a smaller batch."
            )
        return pairs, batches


def _ahead(drawn: _Drawn, count: int) -> Iterator[Read | CorpusError]:
    made = DataLoader(
        drawn,
        batch_size=None,  # an item is a whole batch
        num_workers=1,
        prefetch_factor=count,
        collate_fn=_packed,
        generator=torch.Generator(),  # the default one would lose a number that dropout draws
        multiprocessing_context="spawn",  # a process that uses a GPU, or has threads, should not be forked
    )
    for found in made:
        yield found if isinstance(found, CorpusError) else found._replace(batch=_as(found.batch, torch.from_numpy))


def _packed(found: Any) -> Read | CorpusError:
    """With arrays in place of tensors: these go through a pipe, tensors through shared memory, of which there may be
    little.
    """
    return found if isinstance(found, CorpusError) else found._replace(batch=_as(found.batch, torch.Tensor.numpy))


def _as(batch: Batch, form: Any) -> Batch:
    return batch._replace(**{name: form(part) for name, part in batch._asdict().items() if name != "tokens"})
