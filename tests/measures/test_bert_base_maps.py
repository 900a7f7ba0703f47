"""Real maps of BERT-base (Dodrio's, with four decimals): columns, the trap of padding, and a wrong axis."""

import json

import numpy as np
import pytest
import torch

from generator.attention.batches import collate
from generator.attention.sums.formulas import primitives
from generator.attention.sums.rows import RowSums
from generator.corpora.pairs import Input
from tests import slow
from tests.measures.maps import BEGIN, OTHER, PUNCTUATION, SEPARATOR, columns, measured, with_entropies

FOLDER = "attention-bert-base-sst2-dodrio"
SENTENCES = ("123", "642", "675")
"""Of 23, 25 and 37 word pieces; in `attention-padded.npz` too."""
PADDED = 64
ROUNDING = 1e-6
KINDS = {"[CLS]": BEGIN, "[SEP]": SEPARATOR, ".": PUNCTUATION, ",": PUNCTUATION}


@pytest.fixture(scope="module")
def sentences(public):
    return json.loads((public(FOLDER) / "sentences.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def maps(public):
    """Sentence id -> probabilities `[layer, head, query, key]`."""
    with np.load(public(FOLDER) / "attention.npz") as stored:
        return {name: stored[name] / 10_000 for name in stored.files}


@pytest.fixture(scope="module")
def padded(public):
    """The same of some sentences, before their padding was cut off."""
    with np.load(public(FOLDER) / "attention-padded.npz") as stored:
        return {name: stored[name] / 10_000 for name in stored.files}


def _input(tokens):
    kinds = tuple(KINDS.get(token, OTHER) for token in tokens)
    return Input("sentence", 1, tuple(range(len(tokens))), (0,) * len(tokens), kinds)


def _text(tokens):
    def at(*wanted):
        return frozenset(place for place, token in enumerate(tokens) if token in wanted)

    return slow.Text(len(tokens), at("[CLS]"), at("[SEP]"), at(".", ","), (0,) * len(tokens))


def test_every_row_sums_to_one_up_to_the_four_decimals_that_are_stored(maps):
    assert len(maps) == 40
    for weights in maps.values():
        assert np.abs(weights.sum(-1) - 1).max() < 0.00091


@pytest.mark.parametrize("name", SENTENCES)
def test_every_column_equals_the_slow_derivation(maps, sentences, name):
    tokens = sentences[name]["tokens"]
    gaps = slow.difference(columns(maps[name], _input(tokens)), slow.columns(maps[name], _text(tokens)))
    assert max(gaps.values()) < 2 * ROUNDING


def test_a_transposed_map_is_far_from_the_slow_derivation(maps, sentences):
    tokens = sentences["123"]["tokens"]
    weights = maps["123"][2:4]
    expected = slow.columns(weights, _text(tokens))
    turned = columns(np.ascontiguousarray(weights.swapaxes(-1, -2)), _input(tokens))
    gaps = slow.difference(turned, expected)
    changed = ("attention.previous", "attention.next", "attention.cls", "attention.sep", "sink.mass", "entropy.cls")
    assert all(gaps[name] > 0.1 for name in changed)
    np.testing.assert_allclose(turned["attention.previous"], expected["attention.next"], atol=ROUNDING)


def test_swapped_layers_and_heads_are_far_from_the_slow_derivation(maps, sentences):
    tokens = sentences["123"]["tokens"]
    found = columns(np.ascontiguousarray(maps["123"].swapaxes(0, 1)), _input(tokens))
    straight = columns(maps["123"], _input(tokens))
    assert np.abs(found["attention.sep"] - straight["attention.sep"]).max() > 0.5
    np.testing.assert_allclose(found["attention.sep"].T, straight["attention.sep"], atol=ROUNDING)


@pytest.mark.parametrize("name", SENTENCES)
def test_the_published_maximum_of_a_head_counts_the_queries_of_padding(maps, padded, sentences, name):
    published = np.zeros((12, 12))
    for layer, head, value in sentences[name]["published_head_maximum"]:
        published[layer, head] = value
    assert np.abs(padded[name].max((-1, -2)) - published).max() < 0.0001
    assert np.abs(maps[name].max((-1, -2)) - published).max() > 0.3


@pytest.mark.parametrize("name", SENTENCES)
def test_padding_taken_for_text_moves_real_columns_far(maps, padded, sentences, name):
    tokens = sentences[name]["tokens"]
    right = columns(maps[name], _input(tokens))
    wrong = columns(padded[name], _input(tokens + ["[PAD]"] * (PADDED - len(tokens))))
    for column in ("attention.sep", "attention.max", "attention.previous"):
        assert np.abs(wrong[column] - right[column]).max() > 0.1, column
    assert np.abs(wrong["entropy.all"] - right["entropy.all"]).max() > 0.5


@pytest.mark.parametrize("smoothing", [0.0, 1e-4])
def test_a_padded_batch_that_knows_its_padding_gives_the_numbers_of_the_cut_maps(maps, padded, sentences, smoothing):
    items = [_input(sentences[name]["tokens"]) for name in SENTENCES]
    longest = _input(["[CLS]", *["word"] * (PADDED - 2), "[SEP]"])
    tokens, layers = collate([*items, longest], pad=0).tokens(torch.device("cpu")), []
    for layer in range(12):
        stack = [padded[name][layer] for name in SENTENCES] + [np.full((12, PADDED, PADDED), 1 / PADDED)]
        weights = torch.tensor(np.stack(stack), dtype=torch.float32)
        sums = RowSums(tokens, smoothing)
        sums.add(weights, weights.new_empty(*weights.shape[:3], 0), 0)
        layers.append(sums.finish(None))
    together = primitives(layers, tokens).numpy()
    for row, (name, item) in enumerate(zip(SENTENCES, items, strict=True)):
        text = _text(sentences[name]["tokens"])
        expected = columns(maps[name], item)
        if smoothing:
            smooth = slow.columns(slow.smoothed(maps[name], smoothing), text)
            expected |= {column: value for column, value in smooth.items() if with_entropies()[column]}
        gaps = slow.difference(measured(together[row], item), expected)
        assert max(gaps.values()) < 2 * ROUNDING, name
