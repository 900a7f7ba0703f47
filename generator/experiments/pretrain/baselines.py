"""How well mere counts predict a hidden piece: by its frequency, and by the piece before it.

The bigram model is interpolated by Witten & Bell's rule (1991, method C), which needs no tuning: after a piece that was
seen n times with t different successors, the weight of its own counts is n / (n + t). It is given the true piece
before, even if the model being trained sees a mask there, and nothing of what comes after.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from generator.experiments.pretrain.data.vocabulary import Pieces


@dataclass(frozen=True)
class Counts:
    """What was counted in the training text."""

    single: np.ndarray
    """[piece]: probability, computed with one added to every count."""
    pairs: sparse.csr_array
    """[piece, next piece]: how often the two are neighbours within a document."""


def count(text: Pieces, vocabulary: int) -> Counts:
    """Count the pieces and the pairs of neighbours of a text; no pair reaches from one document into the next."""
    single = np.bincount(text.ids, minlength=vocabulary) + 1
    ends = text.sentences[text.documents]
    inside = np.ones(len(text.ids) - 1, dtype=bool)
    inside[ends[1:-1] - 1] = False
    before, after = text.ids[:-1][inside], text.ids[1:][inside]
    pairs = sparse.coo_array((np.ones(len(before)), (before, after)), shape=(vocabulary, vocabulary)).tocsr()
    return Counts(single / single.sum(), pairs)


def unigram_losses(counts: Counts, pieces: np.ndarray) -> np.ndarray:
    """[piece]: minus the logarithm of each probability, in nats."""
    losses: np.ndarray = -np.log(counts.single[pieces])
    return losses


def bigram_losses(counts: Counts, before: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """[piece]: minus the logarithm of each probability given the piece before, in nats.

    After a piece that was never followed by another, such as a special token, the unigram probability is used.
    """
    seen = np.asarray(counts.pairs.sum(axis=1))[before]
    kinds = np.diff(counts.pairs.indptr)[before]
    joint = np.asarray(counts.pairs[before, pieces]).reshape(-1)
    mixed = (joint + kinds * counts.single[pieces]) / np.maximum(seen + kinds, 1)
    losses: np.ndarray = -np.log(np.where(seen > 0, mixed, counts.single[pieces]))
    return losses
