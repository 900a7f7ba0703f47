"""Long inputs are observed a block of queries at a time, and nobody can tell."""

import numpy as np
import pytest

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.attention.sums import rows as row_sums
from generator.corpora.pairs import Document
from tests import slow
from tests.attention.observations import columns_of, inputs_of, largest_difference, survey
from tests.attention.reference import reference
from tests.encoders import FAMILIES, SENTENCES, loaded, write

SAME = 1e-6
LONG = 1100
"""Tokens in one input, more than are observed at once."""
LONG_SUM = 5e-6
"""What adding up so many entropies at once in float32 loses; in blocks it loses a tenth of that."""


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("whole", [False, True], ids=["one document at a time", "whole batch"])
@pytest.mark.parametrize("block", [1, 5, 64], ids=lambda size: f"blocks of {size}")
def test_blocks_of_queries_equal_all_queries_at_once(encoder, anatomy, monkeypatch, family, whole, block):
    inputs, options = inputs_of(encoder(family)), Options(whole_batch=whole)
    at_once = survey(encoder(family), anatomy(family), inputs, options)
    monkeypatch.setattr(row_sums, "TILE_ABOVE", 6)
    monkeypatch.setattr(row_sums, "BLOCK", block)
    assert largest_difference(survey(encoder(family), anatomy(family), inputs, options), at_once) < SAME


def by_place(item):
    """Takes what every token receives from queries at even places, and every row's largest weight."""

    def observe(weights, first):
        even = np.arange(first, first + weights.shape[1]) % 2 == 0
        return weights[:, even].sum(1, dtype=float)

    return observe


def largest(_item):
    """Takes every row's largest weight."""
    found = []

    def observe(weights, first):
        found[first:] = weights.max(-1).T
        return np.array(found).T

    return observe


@pytest.mark.parametrize("family", ["bert", "modernbert", "deberta-v2"])
@pytest.mark.parametrize("whole", [False, True], ids=["one document at a time", "whole batch"])
def test_looks_at_blocks_of_each_layer_see_what_whole_maps_hold(encoder, anatomy, monkeypatch, family, whole):
    inputs = inputs_of(encoder(family))
    kept = {
        (one.input.document, one.input.part): one
        for one in observe(encoder(family), anatomy(family), inputs, Options(keep_weights=True))
    }
    monkeypatch.setattr(row_sums, "TILE_ABOVE", 6)
    monkeypatch.setattr(row_sums, "BLOCK", 5)
    options = Options(whole_batch=whole, observers=(by_place,), rows=(largest,))
    for one in observe(encoder(family), anatomy(family), inputs, options):
        maps = kept[one.input.document, one.input.part].weights
        assert one.weights is None
        np.testing.assert_allclose(one.of(by_place), maps[:, :, ::2].sum(2), rtol=1e-5, atol=2e-6)
        np.testing.assert_allclose(one.of(largest), maps.max(-1), rtol=0, atol=2e-6)
        np.testing.assert_allclose(one.primitives.received, maps.sum(2), rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("family", ["bert", "modernbert"])
def test_an_input_of_more_than_a_thousand_tokens_is_tiled_and_equals_eager(tmp_path, monkeypatch, family):
    folder = write(family, tmp_path / family, limit=2048, max_position_embeddings=2048)
    long = loaded(folder)
    paragraph = " ".join(SENTENCES)
    documents = (Document("long", (paragraph,) * 8), Document("short", SENTENCES[:2]))
    inputs = inputs_of(long, documents, LONG)[:1] + inputs_of(long, documents, LONG)[-1:]
    assert len(inputs[0]) == LONG > row_sums.TILE_ABOVE
    parts = examine(long)
    seen = next(iter(observe(long, parts, inputs, Options(keep_weights=True, whole_batch=True))))
    text = slow.text_of(long.tokenizer, seen.input.input_ids, begins=True)
    plain = reference(folder, seen.input.input_ids, text.segment)
    np.testing.assert_allclose(seen.weights, plain.maps, rtol=0, atol=2e-5)

    tiled = survey(long, parts, inputs)
    assert largest_difference({("long", 1): columns_of(seen)}, {("long", 1): tiled["long", 1]}) < SAME
    rows = plain.maps.astype(np.float64)
    entropies = -(rows * np.log(np.where(rows > 0, rows, 1))).sum(-1).mean(-1)
    np.testing.assert_allclose(tiled["long", 1]["entropy.all"], entropies, rtol=0, atol=LONG_SUM)
    monkeypatch.setattr(row_sums, "TILE_ABOVE", LONG)
    assert largest_difference(tiled, survey(long, parts, inputs)) < LONG_SUM
