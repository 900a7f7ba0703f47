"""What is logged about held-out text agrees with slow loops and with transformers' own loss."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
import torch

from generator.topics.learning.run.pretrain.data.masking import Masking, make_batch
from generator.topics.learning.run.pretrain.data.pairs import make_pairs
from generator.topics.learning.run.pretrain.data.vocabulary import BEGIN, SEPARATOR, Pieces
from generator.topics.learning.run.pretrain.evaluation import (
    bigram_losses,
    count,
    evaluate,
    hold_out,
    losses,
    unigram_losses,
)
from generator.topics.learning.run.pretrain.model import new_model
from tests.topics.learning.run.pretrain.novels import tiny

VOCABULARY = 60
SETTINGS = tiny(dropout=0.0, initial_spread=0.3, max_tokens=32)
ROUNDING = 1e-5


def text(seed, sentences=80, documents=4):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 9, documents * sentences)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    ids = np.minimum(rng.geometric(0.1, starts[-1]) + 4, VOCABULARY - 1)
    return Pieces(ids, starts, np.arange(documents + 1) * sentences)


TRAIN, VALID = text(0), text(1)


def documents(pieces):
    ends = pieces.sentences[pieces.documents]
    return [pieces.ids[a:b].tolist() for a, b in pairwise(ends)]


def test_unigram_losses_are_those_of_counts_plus_one():
    seen = Counter(TRAIN.ids.tolist())
    total = len(TRAIN.ids) + VOCABULARY
    expected = [-math.log((seen[piece] + 1) / total) for piece in range(VOCABULARY)]
    assert unigram_losses(count(TRAIN, VOCABULARY), np.arange(VOCABULARY)) == pytest.approx(expected)


def test_bigram_losses_are_those_of_a_slow_witten_bell_model():
    follow, single = {}, Counter(TRAIN.ids.tolist())
    for document in documents(TRAIN):
        for before, after in pairwise(document):
            follow.setdefault(before, Counter())[after] += 1

    def slow(before, piece):
        base = (single[piece] + 1) / (len(TRAIN.ids) + VOCABULARY)
        if before not in follow:
            return base
        n, kinds = sum(follow[before].values()), len(follow[before])
        own = n / (n + kinds)
        return own * follow[before][piece] / n + (1 - own) * base

    before, piece = (part.ravel() for part in np.indices((VOCABULARY, VOCABULARY)))
    found = bigram_losses(count(TRAIN, VOCABULARY), before, piece)
    assert found == pytest.approx([-math.log(slow(b, p)) for b, p in zip(before, piece, strict=True)])
    assert np.exp(-found).reshape(VOCABULARY, VOCABULARY).sum(1) == pytest.approx(1)


def test_the_model_of_neighbours_looks_back_and_not_ahead():
    """In a text that counts up, the piece after 9 is sure to be 10, and the piece after 10 is never 9."""
    ids = np.tile(np.arange(5, 15), 50)
    counts = count(Pieces(ids, np.arange(0, 501, 10), np.array([0, 25, 50])), VOCABULARY)
    ahead, back = bigram_losses(counts, np.array([9, 10]), np.array([10, 9]))
    assert ahead < 0.1
    assert back > 3


def test_the_loss_of_the_hidden_tokens_is_transformers_own():
    pairs = make_pairs(VALID, 32, 0.5, np.random.default_rng(0))
    batch = make_batch(pairs, np.arange(20), Masking(0.15), VOCABULARY, np.random.default_rng(0))
    model = new_model(SETTINGS, torch.device("cpu")).eval()
    labels = torch.full_like(batch.ids, -100)
    labels[batch.chosen] = batch.targets
    with torch.no_grad():
        masked, follows, _, _ = losses(model, batch)
        whole = model(
            batch.ids,
            attention_mask=batch.attended.long(),
            token_type_ids=batch.segments,
            labels=labels,
            next_sentence_label=batch.unrelated,
        )
    assert (masked + follows).item() == pytest.approx(whole.loss.item(), rel=ROUNDING)


@pytest.fixture(scope="module")
def held_out():
    return hold_out(tiny(max_tokens=32, held_out=50, batch=8), VALID, TRAIN, Masking(0.15), "here")


def test_the_evaluation_is_a_mean_over_hidden_tokens_and_inputs_and_ignores_padding(held_out):
    """The slow way reads one input at a time, without padding, and sums in float64."""
    model = new_model(SETTINGS, torch.device("cpu")).eval()
    hidden, right, follows, related, tokens, inputs = 0.0, 0, 0.0, 0, 0, 0
    for batch in held_out.batches:
        targets = batch.targets.tolist()
        for row in range(len(batch.ids)):
            n = int(batch.attended[row].sum())
            with torch.no_grad():
                out = model(batch.ids[row : row + 1, :n], token_type_ids=batch.segments[row : row + 1, :n])
            scores = out.prediction_logits[0].double().log_softmax(-1)
            for place in batch.chosen[row].nonzero().ravel().tolist():
                target = targets.pop(0)
                hidden -= scores[place, target].item()
                right += scores[place].argmax().item() == target
                tokens += 1
            answer = out.seq_relationship_logits[0].double().log_softmax(-1)
            follows -= answer[batch.unrelated[row]].item()
            related += answer.argmax().item() == batch.unrelated[row].item()
            inputs += 1
    found = evaluate(model, held_out.batches, next_sentence=True)
    assert inputs == held_out.known["inputs"] == 50
    assert tokens == held_out.known["hidden_tokens"]
    assert found == pytest.approx(
        {
            "masked_loss": hidden / tokens,
            "masked_accuracy": right / tokens,
            "next_loss": follows / inputs,
            "next_accuracy": related / inputs,
        },
        rel=ROUNDING,
    )
    assert set(evaluate(model, held_out.batches, next_sentence=False)) == {"masked_loss", "masked_accuracy"}


def test_the_baselines_are_of_the_hidden_tokens_and_of_the_true_pieces_before_them(held_out):
    """The true inputs are rebuilt from what the batch shows and hides."""
    counts = count(TRAIN, VOCABULARY)
    before, pieces = [], []
    for batch in held_out.batches:
        original = batch.ids.clone()
        original[batch.chosen] = batch.targets
        for row, place in batch.chosen.nonzero().tolist():
            before.append(original[row, place - 1].item())
            pieces.append(original[row, place].item())
    assert {BEGIN, SEPARATOR} & set(before)
    assert held_out.known["unigram_loss"] == pytest.approx(unigram_losses(counts, np.array(pieces)).mean())
    found = np.mean(
        [bigram_losses(counts, np.array([b]), np.array([p]))[0] for b, p in zip(before, pieces, strict=True)]
    )
    assert held_out.known["bigram_loss"] == pytest.approx(found)
