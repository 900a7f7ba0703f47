"""Pairs come from the text as BERT's do, and masking hides what it says it hides."""

import numpy as np
import pytest
import torch

from generator.topics.learning.run.pretrain.data.masking import Masking, choose, make_batch
from generator.topics.learning.run.pretrain.data.pairs import make_batches, make_pairs
from generator.topics.learning.run.pretrain.data.vocabulary import BEGIN, MASK, PAD, SEPARATOR, SPECIALS, Pieces

FIRST = len(SPECIALS)
WIDTH = 32


def distinct(documents=8, sentences=60, longest=12, seed=0):
    """A text in which every piece occurs once, so that its id tells where it stood."""
    lengths = np.random.default_rng(seed).integers(1, longest + 1, documents * sentences)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return Pieces(np.arange(FIRST, FIRST + starts[-1]), starts, np.arange(documents + 1) * sentences)


TEXT = distinct()


def segments_of(pairs):
    for row, length, first in zip(pairs.ids, pairs.lengths, pairs.first, strict=True):
        assert (row[0], row[first - 1], row[length - 1]) == (BEGIN, SEPARATOR, SEPARATOR)
        assert (row[length:] == PAD).all()
        yield row[1 : first - 1], row[first : length - 1]


def document_of(piece, text=TEXT):
    sentence = np.searchsorted(text.sentences, piece - FIRST, side="right") - 1
    return np.searchsorted(text.documents, sentence, side="right") - 1


@pytest.mark.parametrize("short", [0.0, 0.5])
def test_a_segment_is_running_text_and_the_second_follows_or_comes_from_another_document(short):
    pairs = make_pairs(TEXT, WIDTH, short, np.random.default_rng(1))
    ends = set(TEXT.sentences.tolist())
    for (first, second), follows in zip(segments_of(pairs), pairs.follows, strict=True):
        for segment in (first, second):
            assert len(segment) >= 1
            assert (np.diff(segment) == 1).all()
            assert document_of(segment[0]) == document_of(segment[-1])
        assert (document_of(first[0]) == document_of(second[0])) == follows
        if follows:  # a sentence ends in the gap, which is what was trimmed
            assert first[-1] < second[0]
            assert ends & set(range(first[-1] + 1 - FIRST, second[0] - FIRST + 1))


def test_inputs_fill_the_budget_but_for_the_last_of_a_document_and_half_of_them_follow():
    pairs = make_pairs(distinct(sentences=500), WIDTH, 0.0, np.random.default_rng(1))
    assert pairs.lengths.max() == WIDTH
    assert (pairs.lengths == WIDTH).mean() > 0.95
    assert 0.4 < pairs.follows.mean() < 0.5  # a single sentence left over can only be followed from elsewhere


def test_all_text_is_read_but_what_is_trimmed():
    """What a random second segment leaves over is read next, so each sentence begins some first or true second part."""
    pairs = make_pairs(TEXT, WIDTH, 0.0, np.random.default_rng(2))
    kept = [
        piece
        for (first, second), follows in zip(segments_of(pairs), pairs.follows, strict=True)
        for piece in [*first, *(second if follows else ())]
    ]
    assert len(kept) == len(set(kept))
    assert len(kept) > 0.75 * len(TEXT.ids)


def test_an_epoch_is_drawn_from_its_seed():
    first, again, other = (make_pairs(TEXT, WIDTH, 0.1, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first.ids[:20], other.ids[:20])


def test_batches_hold_each_input_once_and_inputs_of_like_length():
    lengths = np.random.default_rng(0).integers(5, 129, 1003)
    batches = make_batches(lengths, 10, np.random.default_rng(0))
    assert batches.shape == (100, 10)
    assert len(set(batches.ravel().tolist())) == 1000
    assert np.ptp(lengths[batches], axis=1).mean() < 10
    assert abs(np.corrcoef(np.arange(100), lengths[batches].mean(1))[0, 1]) < 0.3


def rows(count=300, seed=0):
    """Inputs of which every third piece continues a word, and the table that says so."""
    rng = np.random.default_rng(seed)
    ids = rng.integers(FIRST, 200, (count, WIDTH))
    ids[:, 0], ids[:, 12], ids[:, 25], ids[:, 26:] = BEGIN, SEPARATOR, SEPARATOR, PAD
    words = np.zeros(200, dtype=bool)
    words[FIRST:] = np.arange(FIRST, 200) % 3 == 0
    return ids, words


def slow_words(row, words):
    """Lists of positions, one per word."""
    found = []
    for place, piece in enumerate(row):
        if piece in (BEGIN, SEPARATOR, PAD):
            continue
        if words[piece] and found and found[-1][-1] == place - 1:
            found[-1].append(place)
        else:
            found.append([place])
    return found


def test_a_share_of_the_pieces_is_chosen_and_never_a_special_one():
    ids, _ = rows()
    chosen = choose(ids, 0.15, None, np.random.default_rng(0))
    assert set(chosen.sum(1)) == {round(0.15 * 23)} or set(chosen.sum(1)) == {round(0.15 * 24)}
    assert not chosen[np.isin(ids, (BEGIN, SEPARATOR, PAD))].any()
    assert (chosen.mean(0)[(ids != PAD).all(0) & (ids >= FIRST).all(0)] > 0).all()


def test_whole_words_are_chosen_whole_within_the_share():
    ids, words = rows()
    chosen = choose(ids, 0.15, words, np.random.default_rng(0))
    for row, hidden in zip(ids, chosen, strict=True):
        taken = [word for word in slow_words(row, words) if hidden[word].any()]
        assert all(hidden[word].all() for word in taken)
        assert sum(map(len, taken)) == hidden.sum() >= 1
        assert hidden.sum() <= round(0.15 * 24) or len(taken) == 1
    assert chosen.sum() > 0.7 * 0.15 * (ids >= FIRST).sum()  # a word that would exceed the share is left out


def test_a_word_longer_than_the_share_is_chosen_rather_than_none():
    ids = np.array([[BEGIN, 10, 11, 11, 11, SEPARATOR, 11, 11, 11, SEPARATOR]])
    words = np.arange(20) == 11
    for seed in range(10):
        chosen = choose(ids, 0.15, words, np.random.default_rng(seed))[0].nonzero()[0].tolist()
        assert chosen in ([1, 2, 3, 4], [6, 7, 8])


@pytest.mark.parametrize(("to_mask", "to_random"), [(0.8, 0.1), (1.0, 0.0), (0.0, 0.5), (0.0, 0.0), (0.5, 0.5)])
def test_hidden_pieces_become_masks_random_pieces_or_stay_in_the_shares_that_are_set(to_mask, to_random):
    text = distinct(sentences=2000)
    pairs = make_pairs(text, WIDTH, 0.1, np.random.default_rng(0))
    which = np.arange(3000)
    vocabulary = FIRST + len(text.ids)
    batch = make_batch(pairs, which, Masking(0.15, to_mask, to_random), vocabulary, np.random.default_rng(0))
    width = pairs.lengths[which].max()
    original, ids, chosen = pairs.ids[which, :width], batch.ids.numpy(), batch.chosen.numpy()
    assert np.array_equal(ids[~chosen], original[~chosen])
    assert np.array_equal(batch.targets.numpy(), original[chosen])
    fates = [(ids == MASK)[chosen], (ids == original)[chosen], ((ids != MASK) & (ids != original))[chosen]]
    for found, expected in zip(fates, (to_mask, 1 - to_mask - to_random, to_random), strict=True):
        assert found.mean() == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / chosen.sum()))
    if not to_random:
        return
    random = ids[chosen & (ids != MASK) & (ids != original)]
    assert random.min() >= FIRST
    assert random.mean() == pytest.approx((FIRST + vocabulary) / 2, rel=0.1)


def test_a_batch_says_where_tokens_and_segments_are():
    pairs = make_pairs(TEXT, WIDTH, 0.5, np.random.default_rng(0))
    which = np.array([3, 1, 7, 20])
    batch = make_batch(pairs, which, Masking(0.15), 1000, np.random.default_rng(0))
    for row, (length, first, follows) in enumerate(
        zip(pairs.lengths[which], pairs.first[which], pairs.follows[which], strict=True)
    ):
        width = batch.ids.shape[1]
        assert batch.attended[row].tolist() == [place < length for place in range(width)]
        assert batch.segments[row].tolist() == [int(first <= place < length) for place in range(width)]
        assert batch.unrelated[row] == int(not follows)
    assert batch.tokens == pairs.lengths[which].sum() == batch.attended.sum()
    without = make_batch(pairs, which, Masking(0.15), 1000, np.random.default_rng(0), segments=False)
    assert not without.segments.any()
    assert torch.equal(without.ids, batch.ids)
