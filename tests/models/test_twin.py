"""The untrained twin: the model's embeddings, all else drawn afresh from the seed, and nothing outside it changed."""

import copy
import random
from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import AutoModel

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.models.twin import random_twin, untrained_twin
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS

SEED = 11
EMBEDDING = {
    "bert": "embeddings.",
    "roberta": "embeddings.",
    "distilbert": "embeddings.",
    "albert": ("embeddings.", "encoder.embedding_hidden_mapping_in."),
    "modernbert": "embeddings.",
    "t5": "embed_tokens.",
}
"""How the names of all weights begin that make of a token what the first layer reads."""

families = pytest.mark.parametrize("family", EMBEDDING)


def weights(encoder):
    return {name: weight.clone() for name, weight in encoder.model.state_dict().items()}


@families
def test_embeddings_are_the_models_own_and_everything_else_is_not(encoder, family):
    own, fresh = weights(encoder(family)), weights(untrained_twin(encoder(family), SEED))
    assert own.keys() == fresh.keys()
    kept = {name for name in own if name.startswith(EMBEDDING[family])}
    assert kept
    assert {name for name in own if torch.equal(own[name], fresh[name])} == kept
    assert all(own[name].shape == fresh[name].shape for name in own)


@families
def test_the_seed_decides(encoder, family):
    one, same, other = (weights(untrained_twin(encoder(family), seed)) for seed in (SEED, SEED, SEED + 1))
    assert all(torch.equal(one[name], same[name]) for name in one)
    drawn = [name for name in one if one[name].ndim > 1 and not name.startswith(EMBEDDING[family])]
    assert drawn
    assert not any(torch.equal(one[name], other[name]) for name in drawn)


def queries(encoder):
    """One matrix that is drawn."""
    return encoder.model.state_dict()["encoder.layer.0.attention.self.query.weight"].numpy().tobytes()


def test_draws_of_one_seed_and_of_another_all_differ(encoder):
    drawn = [queries(untrained_twin(encoder("bert"), seed, draw)) for seed in (0, 1) for draw in range(5)]
    assert len(set(drawn)) == 10
    assert drawn[0] == queries(untrained_twin(encoder("bert"), 0))


@pytest.mark.parametrize("seed", [0, SEED])
def test_a_model_that_was_trained_from_the_seed_is_not_met_at_its_first_weights(encoder, seed):
    config = copy.deepcopy(encoder("bert").model.config)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        first = replace(encoder("bert"), model=AutoModel.from_config(config))
    assert queries(random_twin(first, seed)) != queries(first)


@families
def test_the_model_and_all_random_numbers_are_left_as_they_were(encoder, anatomy, family):
    original, how = encoder(family), anatomy(family)
    inputs = inputs_of(original)[:2]
    before, config = weights(original), copy.deepcopy(original.model.config)
    seen = [one.weights for one in observe(original, how, inputs, Options(keep_weights=True))]
    torch_state, numpy_state, python_state = torch.get_rng_state(), np.random.get_state(), random.getstate()
    twin = untrained_twin(original, SEED)
    examine(twin)
    assert torch.equal(torch.get_rng_state(), torch_state)
    assert all(np.array_equal(a, b) for a, b in zip(np.random.get_state(), numpy_state, strict=True))
    assert random.getstate() == python_state
    with torch.no_grad():
        for weight in twin.model.parameters():
            weight.fill_(1)
    after = weights(original)
    assert all(torch.equal(before[name], after[name]) for name in before), "weights are shared"
    assert original.model.config.to_dict() == config.to_dict()
    again = [one.weights for one in observe(original, how, inputs, Options(keep_weights=True))]
    assert all(np.array_equal(a, b) for a, b in zip(seen, again, strict=True))


@families
def test_a_twin_is_observed_as_its_model_is_and_shows_other_maps(encoder, anatomy, family):
    original, twin = encoder(family), untrained_twin(encoder(family), SEED)
    assert (twin.id, twin.tokenizer, twin.positions, twin.segments) == (
        original.id,
        original.tokenizer,
        original.positions,
        original.segments,
    )
    assert not twin.model.training
    assert not any(weight.requires_grad for weight in twin.model.parameters())
    how = examine(twin)
    assert (how.layers, how.heads) == (LAYERS, HEADS)
    inputs = inputs_of(original)[1:2]
    (theirs,) = observe(original, anatomy(family), inputs, Options(keep_weights=True))
    (ours,) = observe(twin, how, inputs, Options(keep_weights=True))
    np.testing.assert_allclose(ours.weights.sum(-1), 1, atol=1e-5)
    assert np.abs(ours.weights - theirs.weights).max((-1, -2)).min() > 0.01
