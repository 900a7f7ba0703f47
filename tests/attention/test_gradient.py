"""Gradients of the masked-LM loss by attention weight, against finite differences."""

from functools import cache

import numpy as np
import pytest
import torch
import transformers

from generator.attention.anatomy import examine
from generator.attention.batches import collate
from generator.attention.gradient import MaskedInput, attention_gradients, input_gradients
from generator.attention.hook import observing
from generator.errors import ModelError
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from tests.attention.masked_lm import CLASSES, CPU
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS

ON_THEIR_OWN = ("deberta-v2", "mpnet")
DIFFERENTIABLE = [name for name in CLASSES if name not in ON_THEIR_OWN]
STEP, TOLERANCE = 1e-5, 1e-6
ROTARY_STEP, ROTARY_TOLERANCE = 1e-3, 2e-4
"""ModernBERT turns queries and keys in float32 whatever the model's dtype, so small steps drown in rounding."""


@pytest.fixture(scope="module")
def masked_lm(head_folder):
    """Gives the checkpoint and its anatomy, set to be observed."""

    def made(name):
        found = load_masked_lm(locate(str(head_folder(name))), CPU)
        return found, examine(found.encoder)

    return cache(made)


class Nudge:
    """Attention of one input by the book, with one weight of one layer moved."""

    def __init__(self, place=None, step=0.0):
        self._place, self._step, self._layer = place, step, 0

    def layer(self, query, key, value, bias, scale):
        scores = query @ key.transpose(2, 3) * scale
        weights = torch.softmax(scores if bias is None else scores + bias, -1)
        if self._place and self._place[0] == self._layer:
            _, head, row, column = self._place
            weights[0, head, row, column] += self._step
        self._layer += 1
        return weights @ value


def slow_loss(encoder, item, observer):
    """Mean over the targets of -ln p, in float64."""
    batch = collate([item.input], encoder.pad)
    arguments = {"input_ids": batch.input_ids, "attention_mask": batch.mask}
    if encoder.segments:
        arguments["token_type_ids"] = batch.segment_ids
    with torch.no_grad(), observing(observer):
        logits = encoder.model(**arguments).logits[0].double().numpy()
    losses = [np.log(np.exp(logits[at]).sum()) - logits[at, token] for at, token in item.targets.items()]
    return sum(losses) / len(losses)


def hidden_inputs(masked_lm):
    """Two inputs of different length, every fourth token hidden, special tokens never."""
    found = []
    for item in sorted(inputs_of(masked_lm.encoder), key=len)[:4:3]:
        chosen = [at for at in range(2, len(item), 4) if item.classes[at] >= 2]
        ids = [masked_lm.mask if at in chosen else token for at, token in enumerate(item.input_ids)]
        hidden = type(item)(item.document, item.part, tuple(ids), item.segment_ids, item.classes)
        found.append(MaskedInput(hidden, {at: item.input_ids[at] for at in chosen}))
    return found


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_equal_finite_differences_in_every_layer(head_folder, name):
    masked = load_masked_lm(locate(str(head_folder(name))), CPU)
    anatomy, encoder = examine(masked.encoder), masked.encoder
    encoder.model.double()
    inputs = hidden_inputs(masked)
    assert len({len(item.input) for item in inputs}) == 2
    seen = {gradient.input.document: gradient for gradient in attention_gradients(encoder, anatomy, inputs)}
    rng = np.random.default_rng(0)
    step, tolerance = (ROTARY_STEP, ROTARY_TOLERANCE) if name == "modernbert" else (STEP, TOLERANCE)
    for item in inputs:
        one, length = seen[item.input.document], len(item.input)
        gradients = np.stack(one.gradients)
        assert gradients.shape == np.shape(one.weights) == (LAYERS, HEADS, length, length)
        np.testing.assert_allclose(one.loss, slow_loss(encoder, item, Nudge()), rtol=1e-9)
        for layer in range(LAYERS):
            rows = rng.choice(list(item.targets), 2)  # in the last layer only these matter
            for row, column in zip([*rows, 0], rng.integers(0, length, 3), strict=True):
                place = (layer, int(rng.integers(HEADS)), int(row), int(column))
                more, less = (slow_loss(encoder, item, Nudge(place, sign * step)) for sign in (1, -1))
                found = (more - less) / (2 * step)
                assert gradients[place] == pytest.approx(found, rel=tolerance, abs=tolerance / 10), place
        assert np.abs(gradients[:-1]).max() > 1e-3


class Fixed:
    """Attention with weights that were taken before, whatever is read now."""

    def __init__(self, weights):
        self._weights, self._layer = weights, 0

    def layer(self, query, key, value, bias, scale):
        self._layer += 1
        return self._weights[self._layer - 1][None] @ value


@pytest.mark.parametrize("name", [name for name in DIFFERENTIABLE if name != "modernbert"])
def test_importance_of_tokens_equals_finite_differences_while_attention_stays(head_folder, name):
    """A token's vector grows by a small share of itself; what the loss changes by is its product with the gradient."""
    masked = load_masked_lm(locate(str(head_folder(name))), CPU)
    anatomy, encoder = examine(masked.encoder), masked.encoder
    encoder.model.double()
    inputs = {item.input.document: item for item in hidden_inputs(masked)}
    for gradient in input_gradients(encoder, anatomy, list(inputs.values())):
        item, maps = inputs[gradient.input.document], torch.tensor(gradient.weights, dtype=torch.double)

        def loss(at, size, item=item, maps=maps):
            def grown(_module, _arguments, output):
                output = output.clone()
                output[0, at] *= 1 + size
                return output

            with encoder.model.get_input_embeddings().register_forward_hook(grown):
                return slow_loss(encoder, item, Fixed(maps))

        for at in (0, 1, len(item.input) // 2, len(item.input) - 1, *item.targets):
            found = (loss(at, STEP) - loss(at, -STEP)) / (2 * STEP)
            assert gradient.importance[at] == pytest.approx(abs(found), rel=TOLERANCE, abs=TOLERANCE), at
        assert gradient.importance.shape == (len(item.input),)
        assert gradient.importance.max() > 1e-3


def test_where_the_lengths_of_word_embeddings_do_not_matter_no_token_has_importance(masked_lm):
    """ModernBERT normalises them as they are, BERT with those of the position."""
    found, anatomy = masked_lm("modernbert")
    for gradient in input_gradients(found.encoder, anatomy, hidden_inputs(found)):
        assert (gradient.importance == 0).all()


def test_importance_in_a_padded_batch_is_that_of_each_input_alone(masked_lm):
    found, anatomy = masked_lm("bert")
    inputs = hidden_inputs(found)
    together = {one.input.document: one for one in input_gradients(found.encoder, anatomy, inputs)}
    for gradient in input_gradients(found.encoder, anatomy, inputs, batch_tokens=1):
        other = together[gradient.input.document]
        np.testing.assert_allclose(other.importance, gradient.importance, rtol=0, atol=2e-6)
        np.testing.assert_allclose(other.weights, gradient.weights, rtol=0, atol=2e-6)


@pytest.mark.parametrize("name", ["bert", "albert", "modernbert"])
def test_in_the_last_layer_only_rows_of_hidden_tokens_have_gradients(masked_lm, name):
    found, anatomy = masked_lm(name)
    inputs = {item.input.document: item for item in hidden_inputs(found)}
    for gradient in attention_gradients(found.encoder, anatomy, list(inputs.values())):
        targets = list(inputs[gradient.input.document].targets)
        others = [at for at in range(len(gradient.input)) if at not in targets]
        assert (gradient.gradients[-1][:, others] == 0).all()
        assert (np.abs(gradient.gradients[-1][:, targets]).max(-1) > 0).all()
        assert (np.abs(gradient.gradients[:-1]).max(-1) > 0).all()


def test_a_padded_batch_gives_what_each_input_gives_alone(masked_lm):
    found, anatomy = masked_lm("bert")
    inputs = hidden_inputs(found)
    together = {gradient.input.document: gradient for gradient in attention_gradients(found.encoder, anatomy, inputs)}
    alone = {
        gradient.input.document: gradient
        for gradient in attention_gradients(found.encoder, anatomy, inputs, batch_tokens=1)
    }
    assert set(together) == set(alone) == {item.input.document for item in inputs}
    for name, one in alone.items():
        assert together[name].loss == pytest.approx(one.loss, rel=1e-5)
        np.testing.assert_allclose(together[name].gradients, one.gradients, rtol=0, atol=2e-6)
        np.testing.assert_allclose(together[name].weights, one.weights, rtol=0, atol=2e-6)


def test_weights_are_those_of_a_plain_eager_pass(masked_lm, head_folder):
    found, anatomy = masked_lm("bert")
    plain = transformers.BertForMaskedLM.from_pretrained(head_folder("bert"), attn_implementation="eager").eval()
    for gradient in attention_gradients(found.encoder, anatomy, hidden_inputs(found)):
        ids, segments = torch.tensor([gradient.input.input_ids]), torch.tensor([gradient.input.segment_ids])
        with torch.inference_mode():
            maps = plain(ids, token_type_ids=segments, output_attentions=True).attentions
        np.testing.assert_allclose(gradient.weights, torch.cat(maps).numpy(), atol=2e-6)


@pytest.mark.parametrize("name", ON_THEIR_OWN)
def test_a_family_that_never_calls_the_seam_has_no_gradients(masked_lm, name):
    found, anatomy = masked_lm(name)
    assert anatomy.sites
    for taken in (attention_gradients, input_gradients):
        with pytest.raises(ModelError, match=f"{LAYERS} times in a forward pass, found 0"):
            list(taken(found.encoder, anatomy, hidden_inputs(found)))
