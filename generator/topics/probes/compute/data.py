"""What a probe learns from and is tested on: sentences with their word maps, their trees, and a control task.

In the control task for dependency edges (Hewitt & Liang 2019) every word type has a behaviour that is drawn at random:
its head is the word itself, the first word or the last word of the sentence. Nothing in a sentence tells which, so a
probe can only beat chance by remembering types. The candidates are those of the real task.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
import torch
from torch import Tensor

from generator.attention.words import WordMaps
from generator.topics.probes.compute.on_disk import space
from generator.topics.probes.compute.word_vectors import Reduction

BATCH = 8
"""Sentences in a batch; the paper takes one at a time."""
Task = Literal["heads", "control"]
TASKS: tuple[Task, ...] = ("heads", "control")
OFFSETS = (0, -1, 1, -2, 2)
"""Offsets from dependent to candidate that have an indicator of their own."""
DISTANCES = 2 + len(OFFSETS)
"""Number of features of a pair of words; the paper has an eighth, an indicator that distinguishes ROOT from words."""


@dataclass(frozen=True)
class ProbeExample:
    """A sentence of a treebank, with all that probes use of it."""

    id: str
    maps: WordMaps
    heads: np.ndarray
    """`[word]`: 1-based position of each word's head; 0 for the root."""
    scored: np.ndarray
    """`[word]`: False for punctuation, which the score leaves out."""
    types: tuple[str, ...]
    """`[word]`: what counts as the same word in the control task."""
    vectors: np.ndarray
    """`[word, dim]`: vectors that do not depend on the sentence."""


@dataclass(frozen=True)
class Batch:
    """Sentences padded to the longest. Candidates are words; in axes of `1 + candidate` entries ROOT comes first."""

    maps: Tensor
    """`[sentence, dependent, candidate, map]`: all heads' attention from dependent to candidate, then the reverse."""
    special: Tensor
    """`[sentence, dependent, 2, head]`: each head's attention to begin token and separators, heads of all layers in a
    row.
    """
    vectors: Tensor
    """`[sentence, word, dim]`."""
    distances: Tensor
    """`[sentence, dependent, candidate, feature]`: how far ahead and behind in sentence lengths, then indicators."""
    absent: Tensor
    """`[sentence, 1, 1 + candidate]`: True for padding, never for ROOT."""
    scored: Tensor
    """`[sentence, dependent]`: False for punctuation and padding."""
    words: Tensor
    """`[sentence, dependent]`: 1 for words, 0 for padding."""
    gold: Tensor
    """`[task, sentence, dependent]`: the head of each word, 0 for ROOT and for padding."""

    def of(self, tasks: list[int]) -> Self:
        """The same batch with some of its tasks."""
        return replace(self, gold=self.gold[tasks])


def control_heads(types: Sequence[str], seed: int) -> np.ndarray:
    """`[word]`: 1-based heads of the control task; a type behaves alike in every sentence."""
    digests = [hashlib.sha256(f"{seed}:{kind}".encode()).digest() for kind in types]
    behaviours = [int.from_bytes(digest[:8], "big") % 3 for digest in digests]
    # To itself, to the first word or to the last (Hewitt and Liang 2019).
    return np.array([(at, 1, len(types))[behaviour] for at, behaviour in enumerate(behaviours, start=1)])


def distance_features(words: int) -> np.ndarray:
    """`[dependent, candidate, feature]` (Clark et al. 2019, section 5; released notebook Syntax_Analysis)."""
    offset = np.arange(words) - np.arange(words)[:, None]
    shares = [np.maximum(offset, 0) / words, np.maximum(-offset, 0) / words]
    return np.stack([*shares, *(offset == known for known in OFFSETS)], axis=-1).astype(np.float32)


def batches(examples: Sequence[ProbeExample], reduction: Reduction, seed: int, device: torch.device) -> Iterator[Batch]:
    """Batches of BATCH neighbouring examples, on the device; order the examples by length to avoid padding."""
    for start in range(0, len(examples), BATCH):
        some = examples[start : start + BATCH]
        yield _batch(some, np.zeros(_shape(some), np.float32), reduction, seed, device)


def cached_batches(
    examples: Sequence[ProbeExample], reduction: Reduction, seed: int, device: torch.device
) -> list[Batch]:
    """The batches that `batches` gives, all at once, with their maps in a file."""
    parts = [examples[start : start + BATCH] for start in range(0, len(examples), BATCH)]
    sizes = [math.prod(_shape(some)) for some in parts]
    places = np.split(space(sum(sizes)), np.cumsum(sizes)[:-1])
    return [
        _batch(some, place.reshape(_shape(some)), reduction, seed, device)
        for some, place in zip(parts, places, strict=True)
    ]


def _shape(examples: Sequence[ProbeExample]) -> tuple[int, int, int, int]:
    """That of the maps of a batch."""
    longest = max(len(example.heads) for example in examples)
    return len(examples), longest, longest, 2 * int(np.prod(examples[0].maps.weights.shape[:2]))


def _batch(
    examples: Sequence[ProbeExample], maps: np.ndarray, reduction: Reduction, seed: int, device: torch.device
) -> Batch:
    """A batch whose maps are put into `maps`, which are 0."""
    rows, longest, _, both = maps.shape
    heads = both // 2
    special = np.zeros((rows, longest, 2, heads), dtype=np.float32)
    vectors = np.zeros((rows, longest, reduction.axes.shape[1]), dtype=np.float32)
    distances = np.zeros((rows, longest, longest, DISTANCES), dtype=np.float32)
    absent = np.ones((rows, 1, 1 + longest), dtype=bool)
    scored = np.zeros((rows, longest), dtype=bool)
    real = np.zeros((rows, longest), dtype=np.float32)
    gold = np.zeros((len(TASKS), rows, longest), dtype=int)
    for row, example in enumerate(examples):
        words = len(example.heads)
        weights = example.maps.weights.reshape(heads, words, words)
        maps[row, :words, :words, :heads] = weights.transpose(1, 2, 0)
        maps[row, :words, :words, heads:] = weights.transpose(2, 1, 0)
        special[row, :words, 0] = example.maps.begin.reshape(heads, words).T
        special[row, :words, 1] = example.maps.separator.reshape(heads, words).T
        vectors[row, :words] = reduction(example.vectors)
        distances[row, :words, :words] = distance_features(words)
        absent[row, :, : 1 + words] = False
        scored[row, :words] = example.scored
        real[row, :words] = 1
        gold[:, row, :words] = example.heads, control_heads(example.types, seed)
    arrays = (maps, special, vectors, distances, absent, scored, real, gold)
    return Batch(*(torch.from_numpy(array).to(device) for array in arrays))
