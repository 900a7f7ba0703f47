"""Masks inputs: decides which tokens are to be predicted, and what the model sees in their place.

Devlin et al. 2019, section 3.1: of the chosen tokens 80 % become [MASK], 10 % a random piece, 10 % stay; appendix C.2
tries other mixtures. With whole words (their later released models) all pieces of a word are chosen together; what
replaces a piece is still drawn for each piece alone.
"""

from typing import NamedTuple

import numpy as np
import torch

from generator.topics.learning.run.pretrain.data.pairs import Pairs
from generator.topics.learning.run.pretrain.data.vocabulary import BEGIN, MASK, PAD, SEPARATOR, SPECIALS


class Masking(NamedTuple):
    """How inputs are masked."""

    chosen: float
    """Share of the tokens of each input that are to be predicted."""
    to_mask: float = 0.8
    """Share of the chosen tokens that become the mask token."""
    to_random: float = 0.1
    """Share of them that become a random piece; the rest stay."""
    words: np.ndarray | None = None
    """[piece]: whether it continues a word; if it is given, whole words are chosen."""


class Batch(NamedTuple):
    """What one step reads; the first axis is the input."""

    ids: torch.Tensor
    """[input, token], after masking; as wide as the longest input."""
    attended: torch.Tensor
    """[input, token]: True where there is a token."""
    segments: torch.Tensor
    """[input, token]: 0 or 1."""
    chosen: torch.Tensor
    """[input, token]: True where a token is to be predicted."""
    targets: torch.Tensor
    """[chosen]: the pieces to be predicted, input by input."""
    unrelated: torch.Tensor
    """[input]: 1 where the second segment comes from elsewhere, as in BERT's own labels."""
    tokens: int
    """Number of tokens without padding."""

    def to(self, device: torch.device) -> "Batch":
        """The same batch on a device."""
        return self._replace(**{name: part.to(device) for name, part in self._asdict().items() if name != "tokens"})

    def part(self, index: int, count: int) -> "Batch":
        """Every `count`-th input, starting with number `index`; padded as wide as the whole batch."""
        mine = torch.arange(len(self.ids)) % count == index
        attended, hidden = self.attended[mine], mine[self.chosen.nonzero()[:, 0]]
        return Batch(
            ids=self.ids[mine],
            attended=attended,
            segments=self.segments[mine],
            chosen=self.chosen[mine],
            targets=self.targets[hidden],
            unrelated=self.unrelated[mine],
            tokens=int(attended.sum()),
        )


def choose(ids: np.ndarray, share: float, words: np.ndarray | None, rng: np.random.Generator) -> np.ndarray:
    """Choose a share of each input's tokens at random, at least one; special tokens are never chosen.

    `ids` is `[input, token]`. `words` says for every piece of the vocabulary whether it continues a word. If it is
    given, whole words are chosen, and a word that would exceed the share is left out unless no other word is chosen.
    """
    free = ~np.isin(ids, (PAD, BEGIN, SEPARATOR))
    # A piece begins a word unless it continues one, and what stands before it may be hidden, too.
    starts = np.ones_like(free) if words is None else ~(words[ids] & free & np.roll(free, 1, axis=1))
    word = np.cumsum(starts, axis=1) - 1
    score = np.where(free, np.take_along_axis(rng.random(ids.shape), word, axis=1), np.inf)
    # Sorted twice: the rank of each token. Pieces of a word have one score, and a stable sort keeps them together.
    rank = np.argsort(np.argsort(score, axis=1, kind="stable"), axis=1)
    wanted = np.maximum(np.rint(share * free.sum(1, keepdims=True)), 1)
    chosen: np.ndarray = free & (rank < wanted)
    if words is not None:
        rows = np.arange(len(ids))[:, None]
        size, taken, lowest = np.zeros(ids.shape), np.zeros(ids.shape), score == score.min(1, keepdims=True)
        np.add.at(size, (rows, word), free)
        np.add.at(taken, (rows, word), chosen)
        # A word that was taken in part is left; where no whole one remains, the first by score is hidden.
        whole = np.take_along_axis(size == taken, word, axis=1) & chosen
        chosen = np.where(whole.any(1, keepdims=True), whole, lowest & free)
    return chosen


def make_batch(
    pairs: Pairs, which: np.ndarray, masking: Masking, vocabulary: int, rng: np.random.Generator, segments: bool = True
) -> Batch:
    """Mask the inputs of an epoch that stand at the places `which`.

    `vocabulary` is the number of pieces from which random ones are drawn; without `segments` both are number 0.
    """
    lengths = pairs.lengths[which]
    width = int(lengths.max())
    original = pairs.ids[which, :width]
    chosen = choose(original, masking.chosen, masking.words, rng)
    fate = rng.random(original.shape)
    anything = rng.integers(len(SPECIALS), vocabulary, original.shape)
    ids = np.where(chosen & (fate < masking.to_mask), MASK, original)
    other = chosen & (fate >= masking.to_mask) & (fate < masking.to_mask + masking.to_random)
    ids = np.where(other, anything, ids)
    place = np.arange(width)
    second = (place >= pairs.first[which][:, None]) & (place < lengths[:, None]) & segments
    return Batch(
        ids=torch.from_numpy(ids.astype(np.int64)),
        attended=torch.from_numpy(place < lengths[:, None]),
        segments=torch.from_numpy(second.astype(np.int64)),
        chosen=torch.from_numpy(chosen),
        targets=torch.from_numpy(original[chosen].astype(np.int64)),
        unrelated=torch.from_numpy((~pairs.follows[which]).astype(np.int64)),
        tokens=int(lengths.sum()),
    )
