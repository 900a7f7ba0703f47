"""Heads made uniform and zeroed, against weights edited by hand, loops and finite differences."""

import copy

import numpy as np
import pytest
import torch

from generator.attention.anatomy import examine, forward
from generator.attention.batches import collate
from generator.attention.changed.disable import WAYS, Disabled, Disabler, Gates, gate_gradients
from generator.attention.changed.replay import Replayer
from generator.attention.hook import observing
from generator.errors import ModelError
from tests.attention.observations import inputs_of
from tests.attention.reference import plain_model
from tests.encoders import HEADS, LAYERS, loaded

SEEN = ("bert", "roberta", "distilbert", "electra", "albert", "modernbert", "eurobert", "t5")
SHARED_LAYERS = ("albert",)
OUTPUT_PROJECTIONS = {
    "distilbert": "out_lin",
    "albert": "attention.dense",
    "modernbert": "attn.Wo",
    "eurobert": "o_proj",
    "t5": "SelfAttention.o",
}
QUERIES_AND_KEYS = (".query.", ".key.", "q_lin", "k_lin", "q_proj", "k_proj", "Attention.q.", "Attention.k.")

families = pytest.mark.parametrize("family", SEEN)
ways = pytest.mark.parametrize("way", WAYS)


@pytest.fixture(scope="module")
def replayer(encoder, anatomy):
    """Gives a reader of a family's tiny encoder; only its full forward passes are used here."""
    return lambda family: Replayer(encoder(family), anatomy(family))


def output_projections(model, family):
    """One linear module per layer, or a single one that all layers share."""
    ending = OUTPUT_PROJECTIONS.get(family, "attention.output.dense")
    found = [module for name, module in model.named_modules() if name.endswith(ending)]
    assert len(found) == (1 if family in SHARED_LAYERS else LAYERS)
    return found


def batch_of(encoder, count=3):
    """Inputs of different length in one batch."""
    inputs = sorted(inputs_of(encoder), key=len)[:: -(-len(inputs_of(encoder)) // count)]
    assert len({len(item) for item in inputs}) > 1
    return collate(inputs, encoder.pad)


def real(output, batch):
    """The hidden states of real tokens, those of all inputs one after the other."""
    return output[batch.mask.bool()].numpy()


def plain_states(model, encoder, batch):
    """What an eager model puts out for each input alone."""
    states = []
    for item in batch.inputs:
        segments = {"token_type_ids": torch.tensor([item.segment_ids])} if encoder.segments else {}
        with torch.inference_mode():
            states.append(model(torch.tensor([item.input_ids]), **segments)[0][0])
    return torch.cat(states).numpy()


@families
@pytest.mark.parametrize("heads", [[0, 3], range(HEADS)], ids=["two heads", "a layer"])
def test_zeroing_heads_equals_removing_their_slices_of_the_output_projection(
    replayer, encoder, checkpoint, family, heads
):
    batch = batch_of(encoder(family))
    model = copy.deepcopy(plain_model(checkpoint(family)))
    layer = 1
    projections = output_projections(model, family)
    touched = range(LAYERS) if family in SHARED_LAYERS else [layer]
    weight = projections[0 if family in SHARED_LAYERS else layer].weight
    size = weight.shape[1] // HEADS
    with torch.no_grad():
        for head in heads:
            weight[:, head * size : (head + 1) * size] = 0
    found = replayer(family).full(batch, Disabled.of("zero", [(at, head) for at in touched for head in heads]))
    expected = plain_states(model, encoder(family), batch)
    np.testing.assert_allclose(real(found, batch), expected, rtol=0, atol=3e-5 * np.abs(expected).max())
    intact = replayer(family).full(batch)
    assert np.abs(real(intact, batch) - expected).max() > 1e-2


@families
def test_a_head_that_is_uniform_already_changes_nothing_when_made_uniform(checkpoint, family):
    encoder = loaded(checkpoint(family))
    with torch.no_grad():
        for name, weight in encoder.model.named_parameters():
            if any(part in f".{name}" for part in QUERIES_AND_KEYS) or "relative_attention_bias" in name:
                weight.zero_()
            if "Wqkv" in name:
                weight[: 2 * len(weight) // 3] = 0
    replayer = Replayer(encoder, examine(encoder))
    batch = batch_of(encoder)
    intact = real(replayer.full(batch), batch)
    tolerance = 1e-5 * np.abs(intact).max()
    for places in ([(0, 1)], [(1, head) for head in range(HEADS)], [(0, 0), (2, 3)]):
        found = replayer.full(batch, Disabled.of("uniform", places))
        np.testing.assert_allclose(real(found, batch), intact, rtol=0, atol=tolerance)
        zeroed = replayer.full(batch, Disabled.of("zero", places))
        assert np.abs(real(zeroed, batch) - intact).max() > 100 * tolerance


@families
@ways
def test_padding_changes_nothing(replayer, encoder, family, way):
    batch = batch_of(encoder(family))
    disabled = Disabled.of(way, [(0, 1), (1, 0), (1, 2), (2, 3)])
    padded = real(replayer(family).full(batch, disabled), batch)
    alone = [replayer(family).full(collate([item], 0), disabled)[0].numpy() for item in batch.inputs]
    np.testing.assert_allclose(padded, np.concatenate(alone), rtol=0, atol=2e-5 * np.abs(padded).max())


@pytest.mark.parametrize("window", [None, 1])
@ways
def test_every_head_s_output_equals_loops_over_queries_and_keys(way, window):
    """Two documents of 5 and 3 tokens; a window lets a token see its neighbours alone."""
    rng = np.random.default_rng(0)
    lengths, heads, tokens, dim = (5, 3), 3, 5, 2
    query, key, value = rng.standard_normal((3, len(lengths), heads, tokens, dim))
    visible = np.zeros((len(lengths), tokens, tokens), bool)
    for document, length in enumerate(lengths):
        for i in range(tokens):
            for j in range(length):
                visible[document, i, j] = window is None or abs(i - j) <= window
    bias = np.where(visible, 0.0, np.finfo(np.float32).min)[:, None]
    disabler = Disabler(Disabled.of(way, [(0, 1), (1, 0), (1, 1), (1, 2)]))
    tensors = [torch.tensor(part) for part in (query, key, value, bias)]
    for disabled in ([1], [0, 1, 2], []):
        found = disabler.layer(*tensors, 0.5).numpy()
        for document, length in enumerate(lengths):
            for head in range(heads):
                for i in range(length):
                    keys = [j for j in range(tokens) if visible[document, i, j]]
                    logits = [0.5 * query[document, head, i] @ key[document, head, j] for j in keys]
                    weights = np.exp(logits) / np.exp(logits).sum()
                    if head in disabled:
                        weights = np.full(len(keys), 1 / len(keys) if way == "uniform" else 0.0)
                    expected = sum(w * value[document, head, j] for w, j in zip(weights, keys, strict=True))
                    np.testing.assert_allclose(found[document, head, i], expected, atol=1e-12)
    assert disabler.calls == 3


def test_without_padding_a_uniform_head_gives_the_mean_of_all_values():
    query, key, value = torch.randn(3, 2, 2, 4, 3)
    found = Disabler(Disabled.of("uniform", [(0, 1)])).layer(query, key, value, None, 1.0)
    np.testing.assert_allclose(found[:, 1], value[:, 1].mean(1, keepdim=True).expand(-1, 4, -1), atol=1e-6)


class Scaled:
    """Attention by the book, one head's output multiplied by a factor."""

    def __init__(self, place, factor):
        self._place, self._factor, self._layer = place, factor, 0

    def layer(self, query, key, value, bias, scale):
        scores = query @ key.transpose(2, 3) * scale
        output = torch.softmax(scores if bias is None else scores + bias, -1) @ value
        if self._place[0] == self._layer:
            output[:, self._place[1]] *= self._factor
        self._layer += 1
        return output


@pytest.mark.parametrize("family", ["bert", "albert", "distilbert"])
def test_gradients_of_the_gates_equal_finite_differences_for_each_document(checkpoint, family):
    encoder = loaded(checkpoint(family))
    anatomy = examine(encoder)
    encoder.model.double()
    batch = batch_of(encoder)

    def losses():
        arguments = {"input_ids": batch.input_ids, "attention_mask": batch.mask}
        if encoder.segments:
            arguments["token_type_ids"] = batch.segment_ids
        return torch.stack(
            [
                row[: len(item)].sin().sum()
                for row, item in zip(encoder.model(**arguments)[0], batch.inputs, strict=True)
            ]
        )

    found = gate_gradients(encoder, anatomy, losses).numpy()
    assert found.shape == (len(batch.inputs), LAYERS, HEADS)
    step = 1e-5
    for layer in range(LAYERS):
        for head in range(HEADS):
            ends = []
            for factor in (1 - step, 1 + step):
                with torch.no_grad(), observing(Scaled((layer, head), factor)):
                    ends.append(losses().numpy())
            np.testing.assert_allclose(found[:, layer, head], (ends[1] - ends[0]) / (2 * step), rtol=1e-4, atol=1e-6)
    assert np.abs(found).min() > 0


def test_gates_of_one_change_nothing(encoder, anatomy):
    anatomy("bert")
    batch = batch_of(encoder("bert"))
    with observing(Gates()):
        gated = forward(encoder("bert"), batch)
    with observing(Disabler(Disabled.of("zero", []))):
        plain = forward(encoder("bert"), batch)
    np.testing.assert_array_equal(gated.numpy(), plain.numpy())


@pytest.mark.parametrize("family", ["mpnet", "deberta-v2"])
def test_a_family_that_only_returns_its_maps_is_refused_in_one_sentence(encoder, anatomy, family):
    with pytest.raises(ModelError, match=f"{family} model that only returns its maps") as refusal:
        Replayer(encoder(family), anatomy(family))
    assert str(refusal.value).startswith("Expected")
    assert "\n" not in str(refusal.value)


def test_the_first_layer_is_the_lowest_with_a_disabled_head():
    assert Disabled.of("zero", [(3, 0), (1, 2), (1, 0)]).first == 1
    assert Disabled.of("zero", [(3, 0), (1, 2), (1, 0)]).in_layer(1) == [0, 2]
    assert Disabled.of("uniform", []).first == 0
