"""From pieces to words: loops over pairs of words on the maps of real forward passes, and the rows that remain."""

import numpy as np
import pytest

from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import PairMaker
from tests.encoders import WITHOUT_BEGIN

FORMS = ("Nobody", "knew", "the", "lighthouse", "keeper", "'s", "name", ".")
FAMILIES = ("bert", "roberta", "xlm-roberta", "t5", "deberta-v2")

families = pytest.mark.parametrize("family", FAMILIES)


@pytest.fixture
def seen(encoder, anatomy):
    """Gives a family's maps of the sentence, and the sentence."""

    def look(family):
        item = PairMaker(encoder(family).tokenizer, 128).words("s", FORMS)
        (one,) = observe(encoder(family), anatomy(family), [item.input], Options(keep_weights=True))
        return one.weights, item

    return look


def _groups(item):
    """Positions of each word's pieces, one list per word."""
    positions, groups = list(item.pieces), []
    for length in item.lengths:
        groups.append([positions.pop(0) for _ in range(length)])
    return groups


@families
def test_words_are_the_pieces_between_the_special_tokens(encoder, family):
    tokenizer = encoder(family).tokenizer
    item = PairMaker(tokenizer, 128).words("s", FORMS)
    text = [at for at, kind in enumerate(item.input.classes) if kind not in (TokenClass.BEGIN, TokenClass.SEPARATOR)]
    assert list(item.pieces) == text
    assert len(item.lengths) == len(FORMS)
    for form, group in zip(FORMS, _groups(item), strict=True):
        alone = tokenizer(f" {form}", add_special_tokens=False)["input_ids"]
        assert [item.input.input_ids[at] for at in group] == alone, form
    assert max(item.lengths) > 1, "no word is split: the sum and the mean are not tried"


@families
def test_attention_to_a_word_is_a_sum_and_from_it_a_mean(seen, family):
    weights, item = seen(family)
    found = word_maps(weights, item)
    groups = _groups(item)
    layers, heads = weights.shape[:2]
    assert found.weights.shape == (layers, heads, len(FORMS), len(FORMS))
    for layer, head, query, key in np.ndindex(*found.weights.shape):
        cells = [[float(weights[layer, head, i, j]) for j in groups[key]] for i in groups[query]]
        expected = sum(map(sum, cells)) / len(cells)
        assert found.weights[layer, head, query, key] == pytest.approx(expected, abs=1e-6)


@families
@pytest.mark.parametrize("rows", ["mean", "first", "max"])
def test_rows_still_sum_to_one(seen, family, rows):
    weights, item = seen(family)
    found = word_maps(weights, item, rows)
    total = found.weights.sum(-1) + found.begin + found.separator
    np.testing.assert_allclose(total, 1, rtol=0, atol=1e-5)
    assert bool((found.begin == 0).all()) == (family in WITHOUT_BEGIN)


def test_the_first_row_and_the_largest_entries(seen):
    weights, item = seen("bert")
    first, largest = word_maps(weights, item, "first"), word_maps(weights, item, "max")
    split = int(np.argmax(item.lengths))
    group = _groups(item)[split]
    np.testing.assert_allclose(first.begin[:, :, split], weights[:, :, group[0], 0], rtol=0, atol=1e-7)
    whole = [weights[:, :, group][..., other].sum(-1).max(-1) for other in _groups(item)]
    specials = [weights[:, :, group][..., at].max(-1) for at in (0, weights.shape[-1] - 1)]
    expected = np.stack(whole, -1) / (sum(whole) + sum(specials))[..., None]
    np.testing.assert_allclose(largest.weights[:, :, split], expected, rtol=0, atol=1e-6)


def test_a_sentence_longer_than_an_input_is_not_made(encoder):
    maker = PairMaker(encoder("bert").tokenizer, 16)
    assert maker.words("s", ["."] * 14) is not None
    assert maker.words("s", ["."] * 15) is None


def test_a_word_that_is_nothing_to_the_tokenizer_becomes_its_unknown_token(encoder):
    tokenizer = encoder("bert").tokenizer
    item = PairMaker(tokenizer, 16).words("s", [".", "\u200b", "."])
    assert list(item.lengths) == [1, 1, 1]
    assert item.input.input_ids[2] == tokenizer.unk_token_id
