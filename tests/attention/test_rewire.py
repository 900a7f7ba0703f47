"""Keys cut and values swapped, against loops over queries and keys and against masks that transformers applies."""

import numpy as np
import pytest
import torch

from generator.attention.anatomy import forward
from generator.attention.batches import collate
from generator.attention.changed.rewire import CutKeys, SwapValue, ValueKeeper
from generator.attention.hook import observing
from tests.attention.reference import plain_model
from tests.attention.test_disable import batch_of, plain_states, real
from tests.encoders import HEADS, LAYERS

FAMILIES = ("bert", "roberta", "distilbert", "electra", "albert", "modernbert", "eurobert", "t5")
SHAPE = LENGTHS, PLACES, HEADS_MADE, TOKENS, DIM = (5, 3), (0, 2), 3, 5, 2
"""Two documents of 5 and 3 tokens; the token that is changed stands at another place in each."""
KEYS = ((0, 3), (2,))
"""Keys of these documents to be cut together."""


@pytest.fixture
def made():
    """Query, key, value, float64."""
    return [
        torch.tensor(part)
        for part in np.random.default_rng(0).standard_normal((3, len(LENGTHS), HEADS_MADE, TOKENS, DIM))
    ]


def visible_pairs(window):
    visible = np.zeros((len(LENGTHS), TOKENS, TOKENS), bool)
    for document, length in enumerate(LENGTHS):
        for i in range(TOKENS):
            for j in range(length):
                visible[document, i, j] = window is None or abs(i - j) <= window
    return visible


def slow(query, key, value, visible, hidden=(), carried=None):
    """`[document, head, query, dim]` by loops; `hidden` is document -> keys, `carried` (document, head) -> value."""
    found = np.zeros(value.shape)
    for document, head, i in np.ndindex(*found.shape[:3]):
        if i >= LENGTHS[document]:
            continue
        keys = [j for j in range(TOKENS) if visible[document, i, j] and not (hidden and j in hidden[document])]
        logits = [0.5 * float(query[document, head, i] @ key[document, head, j]) for j in keys]
        weights = np.exp(logits) / np.exp(logits).sum()
        for weight, j in zip(weights, keys, strict=True):
            own = carried is None or j != PLACES[document]
            found[document, head, i] += weight * (value[document, head, j].numpy() if own else carried[document, head])
    return found


def bias_of(visible):
    return torch.tensor(np.where(visible, 0.0, np.finfo(np.float32).min)[:, None])


def compare(found, expected):
    for document, length in enumerate(LENGTHS):
        np.testing.assert_allclose(found[document, :, :length].numpy(), expected[document, :, :length], atol=1e-12)


@pytest.mark.parametrize("window", [None, 1])
def test_a_cut_key_is_left_out_of_every_row_of_its_layers(made, window):
    visible = visible_pairs(window)
    cut = CutKeys({1}, KEYS)
    for layer, hidden in enumerate([(), KEYS, ()]):
        found = cut.layer(*made, bias_of(visible), 0.5)
        compare(found, slow(*made, visible, hidden))
        assert cut.calls == layer + 1


@pytest.mark.parametrize("window", [None, 1])
def test_a_swapped_value_has_the_weight_of_the_token_s_own(made, window):
    visible = visible_pairs(window)
    values = torch.tensor(np.random.default_rng(1).standard_normal((2, len(LENGTHS), HEADS_MADE, DIM)))
    swap = SwapValue(PLACES, {0: values[0], 2: values[1]})
    before = made[2].clone()
    for carried in (values[0], None, values[1]):
        found = swap.layer(*made, bias_of(visible), 0.5)
        expected = slow(*made, visible, carried=None if carried is None else carried.numpy())
        compare(found, expected)
        assert torch.equal(made[2], before)
        if carried is not None:
            other_head = slow(*made, visible, carried=carried.flip(1).numpy())
            other_document = slow(*made, visible, carried=carried.flip(0).numpy())
            for wrong in (other_head, other_document, slow(*made, visible)):
                assert np.abs(wrong - expected).max() > 1e-2
    assert swap.calls == 3


def test_without_a_mask_a_cut_key_is_left_out_too(made):
    query, key, value = (part[:1] for part in made)
    found = CutKeys({0}, [[3]]).layer(query, key, value, None, 0.5)
    rest = [0, 1, 2, 4]
    expected = torch.softmax(query @ key[:, :, rest].transpose(2, 3) * 0.5, -1) @ value[:, :, rest]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_the_keeper_changes_nothing_and_keeps_each_token_s_values(made):
    keeper = ValueKeeper([(0, 4), (2, 1)])
    visible = visible_pairs(None)
    compare(keeper.layer(*made, bias_of(visible), 0.5), slow(*made, visible))
    value = made[2].numpy()
    for document, token, place in [(0, 0, 0), (0, 1, 4), (1, 0, 2), (1, 1, 1)]:
        for head in range(HEADS_MADE):
            np.testing.assert_array_equal(keeper.values[0][document, token, head], value[document, head, place])
    assert keeper.calls == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_a_token_cut_in_all_layers_is_one_that_the_model_s_own_mask_hides(encoder, anatomy, checkpoint, family):
    anatomy(family)
    batch = batch_of(encoder(family))
    places = [at % 2 * (len(item) - 1) for at, item in enumerate(batch.inputs)]
    cut = CutKeys(range(LAYERS), [[place] for place in places])
    with observing(cut):
        found = real(forward(encoder(family), batch), batch)
    model, expected = plain_model(checkpoint(family)), []
    for item, place in zip(batch.inputs, places, strict=True):
        segments = {"token_type_ids": torch.tensor([item.segment_ids])} if encoder(family).segments else {}
        mask = torch.ones(1, len(item), dtype=torch.long)
        mask[0, place] = 0
        with torch.inference_mode():
            expected.append(model(torch.tensor([item.input_ids]), attention_mask=mask, **segments)[0][0].numpy())
    expected = np.concatenate(expected)
    np.testing.assert_allclose(found, expected, rtol=0, atol=3e-5 * np.abs(expected).max())
    intact = plain_states(model, encoder(family), batch)
    assert np.abs(found - intact).max() > 1e-2
    assert cut.calls == LAYERS


@pytest.mark.parametrize("family", FAMILIES)
def test_no_layers_and_a_text_s_own_values_change_nothing(encoder, anatomy, checkpoint, family):
    anatomy(family)
    batch = batch_of(encoder(family))
    intact = plain_states(plain_model(checkpoint(family)), encoder(family), batch)
    places = [len(item) - 1 for item in batch.inputs]

    def states(attention):
        with observing(attention):
            return real(forward(encoder(family), batch), batch)

    keeper = ValueKeeper([[0, place] for place in places])
    tolerance = 3e-5 * np.abs(intact).max()
    np.testing.assert_allclose(states(keeper), intact, rtol=0, atol=tolerance)
    np.testing.assert_allclose(states(CutKeys((), [[place] for place in places])), intact, rtol=0, atol=tolerance)
    own = {layer: keeper.values[layer][:, 1] for layer in (0, 2)}
    np.testing.assert_allclose(states(SwapValue(places, own)), intact, rtol=0, atol=tolerance)
    assert keeper.values[0].shape[:3] == (len(batch.inputs), 2, HEADS)
    others = {layer: values.roll(1, 0) for layer, values in own.items()}
    assert np.abs(states(SwapValue(places, others)) - intact).max() > 100 * tolerance


@pytest.mark.parametrize("change", ["cut", "swap"])
def test_padding_changes_nothing(encoder, anatomy, change):
    anatomy("bert")
    batch = batch_of(encoder("bert"))
    places = [len(item) - 1 for item in batch.inputs]
    values = torch.randn(len(places), HEADS, 8)

    def states(some, rows):
        chosen = [places[row] for row in rows]
        attention = (
            CutKeys({0, 1}, [[place] for place in chosen]) if change == "cut" else SwapValue(chosen, {1: values[rows]})
        )
        with observing(attention):
            return real(forward(encoder("bert"), some), some)

    together = states(batch, list(range(len(places))))
    alone = [states(collate([item], encoder("bert").pad), [row]) for row, item in enumerate(batch.inputs)]
    np.testing.assert_allclose(together, np.concatenate(alone), rtol=0, atol=2e-5 * np.abs(together).max())
