"""What all trainings read: the same held-out inputs, whole and with the same chosen tokens changed in two ways.

They are made as `pretrain` makes the inputs of its evaluation, with a seed of their own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from generator.corpora.classes import TokenClass
from generator.corpora.kind import Corpus
from generator.corpora.pairs import Document, Input
from generator.errors import CorpusError
from generator.studies.halves import reported
from generator.topics.learning.run.pretrain.data.masking import Batch, Masking, make_batch
from generator.topics.learning.run.pretrain.data.pairs import make_pairs
from generator.topics.learning.run.pretrain.data.vocabulary import BEGIN, SEPARATOR, continuations, split_pieces
from generator.topics.learning.run.pretrain.evaluation import count, unigram_losses
from generator.topics.learning.run.pretrain.settings import Pretraining

DRAWN = 2
"""Second part of a random generator's seed: it keeps these draws apart from those of trainings."""
CHOSEN = 0.15
"""Share of the tokens that are chosen, whatever share a training hides."""
AT_ONCE = 32
FATES: Mapping[str, tuple[float, float]] = {"masked": (1.0, 0.0), "whole": (0.0, 0.0), "random": (0.0, 1.0)}
"""How chosen tokens are shown -> the share that becomes [MASK], and the share that becomes a random piece."""


class Pair(NamedTuple):
    """One input without padding."""

    whole: Input
    masked: Input
    """The same with [MASK] in place of the chosen tokens."""
    places: np.ndarray
    """0-based positions of the chosen tokens."""


@dataclass(frozen=True)
class HeldOut:
    """The inputs; those of all batches in order are numbered from 0."""

    batches: Mapping[str, tuple[Batch, ...]]
    """How chosen tokens are shown -> all inputs, the same in each."""
    frequency: np.ndarray
    """`[chosen token]`: its loss by the frequencies of pieces in the held-out text, in nats."""

    @property
    def chosen(self) -> np.ndarray:
        """`[input]`: how many tokens were chosen."""
        return np.concatenate([batch.chosen.sum(1).numpy() for batch in self.batches["whole"]])

    @property
    def unrelated(self) -> np.ndarray:
        """`[input]`: 1 where the second segment comes from elsewhere."""
        return np.concatenate([batch.unrelated.numpy() for batch in self.batches["whole"]])

    @property
    def tokens(self) -> int:
        """All tokens of the inputs, in one way of showing them."""
        return sum(batch.tokens for batch in self.batches["whole"])

    def of_inputs(self, values: np.ndarray) -> np.ndarray:
        """`[input]`: sums of values that chosen tokens have."""
        which = np.repeat(np.arange(len(self.chosen)), self.chosen)
        return np.bincount(which, values.astype(float), len(self.chosen))

    def pairs(self) -> Iterator[Pair]:
        """Every input, whole and masked."""
        number = 0
        for whole, masked in zip(self.batches["whole"], self.batches["masked"], strict=True):
            for row in range(len(whole.ids)):
                places = whole.chosen[row].nonzero()[:, 0].numpy()
                yield Pair(_input(whole, row, number), _input(masked, row, number), places)
                number += 1


def make_inputs(
    text: Corpus[Document], tokenizer: PreTrainedTokenizerBase, settings: Pretraining, most: int, seed: int
) -> HeldOut:
    """At most `most` inputs of a held-out text, as long as the settings allow, words chosen whole where they say so.

    Raises CorpusError for a text with too few inputs for two halves.
    """
    pieces = split_pieces(tokenizer, text)
    rng = np.random.default_rng([seed, DRAWN])
    pairs = make_pairs(pieces, settings.max_tokens, settings.short, rng)
    which = rng.permutation(len(pairs.ids))[:most]
    left = reported(names(len(which)), seed)
    if left.all() or not left.any():
        raise CorpusError(f"Expected held-out text for two halves of inputs, found {len(which)}; give more text.")
    which = which[np.argsort(pairs.lengths[which], kind="stable")]
    words = continuations(tokenizer) if settings.whole_words else None
    batches: dict[str, tuple[Batch, ...]] = {}
    for shown, (to_mask, to_random) in FATES.items():
        masking = Masking(CHOSEN, to_mask, to_random, words)
        # The same draws for each way of showing: the same tokens are chosen.
        batches[shown] = tuple(
            make_batch(
                pairs,
                which[at : at + AT_ONCE],
                masking,
                settings.vocabulary,
                np.random.default_rng([seed, DRAWN, at + 1]),
            )
            for at in range(0, len(which), AT_ONCE)
        )
    targets = np.concatenate([batch.targets.numpy() for batch in batches["whole"]])
    return HeldOut(batches, unigram_losses(count(pieces, settings.vocabulary), targets))


def names(inputs: int) -> list[str]:
    """What the inputs are called where halves are drawn."""
    return [str(number) for number in range(inputs)]


def without_segments(batches: Sequence[Batch]) -> tuple[Batch, ...]:
    """The same batches for a model that is not told of segments."""
    return tuple(batch._replace(segments=torch.zeros_like(batch.segments)) for batch in batches)


def _input(batch: Batch, row: int, number: int) -> Input:
    length = int(batch.attended[row].sum())
    ids = tuple(batch.ids[row, :length].tolist())
    kinds = {BEGIN: TokenClass.BEGIN, SEPARATOR: TokenClass.SEPARATOR}
    return Input(
        document=str(number),
        part=1,
        input_ids=ids,
        segment_ids=tuple(batch.segments[row, :length].tolist()),
        classes=tuple(kinds.get(token, TokenClass.OTHER) for token in ids),
    )
