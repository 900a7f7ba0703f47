"""The trial run finds the layers and heads of a model, and refuses a model whose attention it cannot see."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import FNetConfig, FNetModel

from generator.attention.anatomy import examine, forward
from generator.attention.batches import collate, token_table
from generator.attention.hook import Watch, observing
from generator.attention.stream import observe
from generator.errors import ModelError
from tests import slow
from tests.attention.observations import inputs_of
from tests.attention.reference import reference
from tests.encoders import FAMILIES, HEADS, LAYERS, WITHOUT_BEGIN, loaded, tokenizer_of

ON_THEIR_OWN = ("deberta-v2", "mpnet")
"""Families that compute attention without asking transformers for a function."""

families = pytest.mark.parametrize("family", FAMILIES)


@families
def test_heads_and_layers_are_those_of_the_configuration(anatomy, family):
    assert (anatomy(family).layers, anatomy(family).heads) == (LAYERS, HEADS)


@families
def test_the_output_projection_of_every_layer_is_found(anatomy, family):
    assert all(gram is not None for gram in anatomy(family).grams)


@families
def test_only_families_that_never_ask_for_a_function_are_observed_through_returned_maps(anatomy, family):
    assert bool(anatomy(family).sites) == (family in ON_THEIR_OWN)


@families
def test_last_hidden_states_under_observation_equal_eager_ones(checkpoint, encoder, anatomy, family):
    loaded = encoder(family)
    batch = collate(inputs_of(loaded), loaded.pad)
    watch = Watch([token_table(item, loaded.device) for item in batch.inputs], anatomy(family).grams)
    with observing(watch):
        hidden = forward(loaded, batch)
    assert len(watch.layers) == (0 if family in ON_THEIR_OWN else LAYERS)
    for row, item in enumerate(batch.inputs):
        text = slow.text_of(loaded.tokenizer, item.input_ids, begins=family not in WITHOUT_BEGIN)
        expected = reference(checkpoint(family), item.input_ids, text.segment).hidden
        np.testing.assert_allclose(hidden[row, : len(item)].numpy(), expected, rtol=1e-5, atol=1e-5)


def test_a_model_without_attention_is_refused_by_name(tmp_path):
    tokenizer = tokenizer_of("bert")
    torch.manual_seed(0)
    size = {"hidden_size": 16, "num_hidden_layers": 1, "intermediate_size": 16, "max_position_embeddings": 64}
    FNetModel(FNetConfig(vocab_size=len(tokenizer), **size)).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="fnet"):
        examine(loaded(tmp_path))


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_a_forward_pass_with_another_number_of_layers_than_the_trial_is_refused(encoder, anatomy, family):
    loaded, found = encoder(family), anatomy(family)
    shorter = replace(found, grams=found.grams[:-1])
    with pytest.raises(ModelError, match=f"{LAYERS - 1} times in a forward pass, found {LAYERS}"):
        list(observe(loaded, shorter, inputs_of(loaded)))


def test_a_model_set_to_be_observed_refuses_to_run_unobserved(encoder, anatomy):
    loaded = encoder("bert")
    assert anatomy("bert").layers == LAYERS
    with pytest.raises(RuntimeError, match="outside observing"):
        forward(loaded, collate(inputs_of(loaded)[:1], loaded.pad))


def test_nothing_is_observed_any_more_once_a_pass_has_failed(encoder, anatomy):
    loaded = encoder("bert")
    assert anatomy("bert").layers == LAYERS
    batch = collate(inputs_of(loaded)[:1], loaded.pad)
    watch = Watch([token_table(batch.inputs[0], loaded.device)], [])
    with pytest.raises(ZeroDivisionError), observing(watch):
        _ = 1 / 0
    with pytest.raises(RuntimeError, match="outside observing"):
        forward(loaded, batch)
    assert watch.layers == []
