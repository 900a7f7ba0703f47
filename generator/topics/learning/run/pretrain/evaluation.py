"""Held-out inputs that are masked once, and how well what is hidden in them is predicted: by a model, and by counts.

A piece is predicted by its frequency, and by the piece before it. The bigram model is interpolated by Witten & Bell's
rule (1991, method C), which needs no tuning: after a piece that was seen n times with t different successors, the
weight of its own counts is n / (n + t). It is given the true piece before, even if the model being trained sees a mask
there, and nothing of what comes after.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse
from torch.nn.functional import cross_entropy
from transformers import BertForPreTraining

from generator.errors import CorpusError
from generator.topics.learning.compute.easier import unigram
from generator.topics.learning.run.pretrain.data.masking import Batch, Masking, make_batch
from generator.topics.learning.run.pretrain.data.pairs import make_pairs
from generator.topics.learning.run.pretrain.data.vocabulary import Pieces
from generator.topics.learning.run.pretrain.settings import Pretraining

HELD_OUT = 1
"""Second part of a random generator's seed: it keeps the draws for held-out text apart from those for training."""


@dataclass(frozen=True)
class Counts:
    """What was counted in the training text."""

    single: np.ndarray
    """[piece]: probability, computed with one added to every count."""
    pairs: sparse.csr_array
    """[piece, next piece]: how often the two are neighbours within a document."""


def count(text: Pieces, vocabulary: int) -> Counts:
    """Count the pieces and the pairs of neighbours of a text; no pair reaches from one document into the next."""
    single = unigram(np.bincount(text.ids, minlength=vocabulary))
    ends = text.sentences[text.documents]
    inside = np.ones(len(text.ids) - 1, dtype=bool)
    # The last piece of a document and the first of the next are no neighbours.
    inside[ends[1:-1] - 1] = False
    before, after = text.ids[:-1][inside], text.ids[1:][inside]
    pairs = sparse.coo_array((np.ones(len(before)), (before, after)), shape=(vocabulary, vocabulary)).tocsr()
    return Counts(single, pairs)


def unigram_losses(counts: Counts, pieces: np.ndarray) -> np.ndarray:
    """[piece]: minus the logarithm of each probability, in nats."""
    nats: np.ndarray = -np.log(counts.single[pieces])
    return nats


def bigram_losses(counts: Counts, before: np.ndarray, pieces: np.ndarray) -> np.ndarray:
    """[piece]: minus the logarithm of each probability given the piece before, in nats.

    After a piece that was never followed by another, such as a special token, the unigram probability is used.
    """
    seen = np.asarray(counts.pairs.sum(axis=1))[before]
    kinds = np.diff(counts.pairs.indptr)[before]
    joint = np.asarray(counts.pairs[before, pieces]).reshape(-1)
    mixed = (joint + kinds * counts.single[pieces]) / np.maximum(seen + kinds, 1)
    nats: np.ndarray = -np.log(np.where(seen > 0, mixed, counts.single[pieces]))
    return nats


@dataclass(frozen=True)
class HeldOut:
    """Masked batches, the same at every step of a run, and what is known about them without a model."""

    batches: tuple[Batch, ...]
    known: dict[str, float]
    """Counts of inputs and hidden tokens, the share of second segments that follow the first, and the mean losses of
    the unigram and the bigram model in nats per hidden token.
    """


def hold_out(settings: Pretraining, text: Pieces, trained_on: Pieces, masking: Masking, place: str) -> HeldOut:
    """Draw the held-out inputs and mask them. Raises CorpusError, naming `place`, if the text is too short for them."""
    rng = np.random.default_rng([settings.seed, HELD_OUT])
    pairs = make_pairs(text, settings.max_tokens, settings.short, rng)
    if len(pairs.ids) < settings.held_out:
        raise CorpusError(
            f"Expected held-out text for {settings.held_out} inputs in {place}, found enough for {len(pairs.ids)}; "
            "give more text or set another held_out."
        )
    which = rng.permutation(len(pairs.ids))[: settings.held_out]
    which = which[np.argsort(pairs.lengths[which], kind="stable")]
    parts = [which[start : start + settings.batch] for start in range(0, len(which), settings.batch)]
    batches = tuple(make_batch(pairs, part, masking, settings.vocabulary, rng, settings.segments) for part in parts)
    # The piece before each hidden one as it was; the first token is special and never hidden.
    before = [
        pairs.ids[part][:, : batch.ids.shape[1]][:, :-1][batch.chosen[:, 1:].numpy()]
        for part, batch in zip(parts, batches, strict=True)
    ]
    targets = np.concatenate([batch.targets.numpy() for batch in batches])
    counts = count(trained_on, settings.vocabulary)
    known = {
        "inputs": len(which),
        "hidden_tokens": len(targets),
        "follows": float(pairs.follows[which].mean()),
        "unigram_loss": float(unigram_losses(counts, targets).mean()),
        "bigram_loss": float(bigram_losses(counts, np.concatenate(before), targets).mean()),
    }
    return HeldOut(batches, known)


def losses(model: BertForPreTraining, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Masked-LM loss and next-sentence loss, each a mean in nats, and the logits of each.

    The masked-LM logits are `[chosen, piece]`: only the states of the chosen tokens go through the prediction head,
    which for all tokens would cost ten times as much as the rest of the step.
    """
    seen = model.bert(batch.ids, attention_mask=batch.attended, token_type_ids=batch.segments)
    pieces = model.cls.predictions(seen.last_hidden_state[batch.chosen]).float()
    follows = model.cls.seq_relationship(seen.pooler_output).float()
    return cross_entropy(pieces, batch.targets), cross_entropy(follows, batch.unrelated), pieces, follows


@torch.no_grad()
def evaluate(model: BertForPreTraining, batches: Sequence[Batch], next_sentence: bool) -> dict[str, float]:
    """Loss (nats) and accuracy over all hidden tokens, and with `next_sentence` also for next sentences.

    Computes in float32 and leaves the model in training mode.
    """
    model.eval()
    sums = np.zeros(4)
    tokens = inputs = 0
    for on_cpu in batches:
        batch = on_cpu.to(model.device)
        hidden, follows, pieces, answers = losses(model, batch)
        right = (pieces.argmax(-1) == batch.targets).sum().item()
        related = (answers.argmax(-1) == batch.unrelated).sum().item()
        n, m = len(batch.targets), len(batch.unrelated)
        sums += (hidden.item() * n, right, follows.item() * m, related)
        tokens, inputs = tokens + n, inputs + m
    model.train()
    found = {"masked_loss": sums[0] / tokens, "masked_accuracy": sums[1] / tokens}
    if next_sentence:
        found |= {"next_loss": sums[2] / inputs, "next_accuracy": sums[3] / inputs}
    return {name: float(value) for name, value in found.items()}
