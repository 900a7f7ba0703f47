"""What leaves a GPU leaves it in one copy per layer, which nobody waits for, and nothing else stops it within a layer.

Counted on a device that is none; a model of more layers shows what each of them costs.
"""

import math
from dataclasses import fields, replace
from functools import cache

import numpy as np
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.batches import collate
from generator.attention.changed.rewire import CutKeys, SwapValue, ValueKeeper
from generator.attention.gradient import attention_gradients, input_gradients, masked_losses
from generator.attention.hook import observing
from generator.attention.stream import Options, observe
from generator.attention.sums import rows as row_sums
from generator.attention.sums.primitives import Primitives
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from generator.topics.vectors.compute.gradients import hide
from tests.attention.elsewhere import BY_MASK, COPY, COPY_THAT_WAITS, COPY_TO_IT, DEVICE, counting, moved
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, HIDDEN, loaded, write

FEW, MORE = 2, 4
LAYERS_OF = dict.fromkeys(("bert", "eurobert", "mpnet"), "num_hidden_layers") | {"t5": "num_layers"}
"""Families, and how their configuration names the number of layers."""
CPU = torch.device("cpu")


def received(_item):
    """Takes what every token receives."""
    return lambda weights, first: weights.sum(1, dtype=float)


def rows(_item):
    """Takes the maps."""
    return lambda weights, first: weights


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Gives a tiny encoder of so many layers."""
    root = tmp_path_factory.mktemp("layers")
    return cache(lambda family, layers: write(family, root / f"{family} {layers}", **{LAYERS_OF[family]: layers}))


@pytest.fixture(scope="module")
def headed(tmp_path_factory):
    """Gives a tiny encoder of so many layers with a masked-LM head."""
    root = tmp_path_factory.mktemp("heads")
    return cache(lambda layers: write_masked_lm("bert", root / f"{layers}", num_hidden_layers=layers))


def per_layer(run):
    """What happens in each layer more: `run` gives the counts for so many layers."""
    few, more = run(FEW), run(MORE)
    return {name: (more[name] - few[name]) / (MORE - FEW) for name in more | few if more[name] != few[name]}


OPTIONS = {
    "measures": (Options(), 0),
    "observers": (Options(observers=(received,), rows=(rows,)), 1),
    "whole maps": (Options(measured=False, keep_weights=True), 1),
    "maps and observers": (Options(keep_weights=True, observers=(received,)), 1),
    "states": (Options(keep_states=True), 1),
}


@pytest.mark.parametrize("family", LAYERS_OF)
@pytest.mark.parametrize(("options", "copies"), OPTIONS.values(), ids=OPTIONS)
def test_an_observation_makes_at_most_one_copy_per_layer_and_nobody_waits_for_it(made, family, options, copies):
    def run(layers):
        encoder = loaded(made(family, layers))
        anatomy, inputs = examine(encoder), inputs_of(encoder)[:5]
        expected = list(observe(encoder, anatomy, inputs, replace(options, whole_batch=True)))
        anatomy = replace(anatomy, grams=(None,) * anatomy.layers)
        with counting() as counts:
            found = list(observe(moved(encoder), anatomy, inputs, options))
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_array_equal(one.primitives.received, other.primitives.received)
            for of in ("weights", "states"):
                np.testing.assert_array_equal(getattr(one, of), getattr(other, of))
            for observer in (*options.observers, *options.rows):
                np.testing.assert_array_equal(one.of(observer), other.of(observer))
        return counts

    assert per_layer(run) == ({COPY: copies} if copies else {})


READERS = {
    "gradients": (lambda lm, anatomy, hidden: list(attention_gradients(lm.encoder, anatomy, hidden)), 2),
    "input gradients": (lambda lm, anatomy, hidden: list(input_gradients(lm.encoder, anatomy, hidden)), 1),
    "hidden words": (
        lambda lm, _, hidden: log_probabilities(lm, [one.input for one in hidden], [one.targets for one in hidden]),
        0,
    ),
}


@pytest.mark.parametrize(("read", "copies"), READERS.values(), ids=READERS)
def test_reading_hidden_words_makes_no_more_copies_per_layer_than_it_hands_on(headed, read, copies):
    def run(layers):
        masked_lm = load_masked_lm(locate(str(headed(layers))), CPU)
        anatomy = examine(masked_lm.encoder)
        hidden = [hide(item, masked_lm, seed=0) for item in inputs_of(masked_lm.encoder)[:5]]
        with counting() as counts:
            read(replace(masked_lm, encoder=moved(masked_lm.encoder)), anatomy, hidden)
        return counts

    assert per_layer(run) == ({COPY: copies} if copies else {})


CHANGES = {
    "cut keys": lambda encoder, layers: CutKeys(range(layers), [[0], [1, 2]]),
    "kept values": lambda encoder, layers: ValueKeeper([[0], [1]]),
    "swapped values": lambda encoder, layers: SwapValue([0, 1], swapped(encoder, layers)),
}


def swapped(encoder, layers):
    """Values for one token of two documents in every layer."""
    return {layer: torch.ones(2, HEADS, HIDDEN // HEADS).to(encoder.device) for layer in range(layers)}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_changed_attention_copies_nothing_within_a_layer(headed, change):
    def run(layers):
        masked_lm = load_masked_lm(locate(str(headed(layers))), CPU)
        encoder = masked_lm.encoder
        examine(encoder)
        hidden = [hide(item, masked_lm, seed=0) for item in inputs_of(encoder)[:2]]
        batch, targets = collate([one.input for one in hidden], encoder.pad), [one.targets for one in hidden]
        with counting() as counts:
            reading = moved(encoder)
            observer = change(reading, layers)
            counts.clear()
            with torch.inference_mode(), observing(observer):
                masked_losses(reading, batch, targets)
        assert observer.calls == layers
        return counts

    assert per_layer(run) == {}


def test_what_is_looked_at_in_blocks_is_copied_block_by_block_and_nobody_waits(made, monkeypatch):
    encoder = loaded(made("bert", FEW))
    anatomy, item = examine(encoder), max(inputs_of(encoder), key=len)
    whole = next(observe(encoder, anatomy, [item], Options(keep_weights=True)))
    anatomy = replace(anatomy, grams=(None,) * FEW)
    monkeypatch.setattr(row_sums, "TILE_ABOVE", 6)
    monkeypatch.setattr(row_sums, "BLOCK", 5)
    with counting() as counts:
        (found,) = observe(moved(encoder), anatomy, [item], Options(observers=(received,)))
    sums = len(fields(Primitives))
    assert counts[COPY] == FEW * math.ceil(len(item) / 5) + sums
    assert counts[COPY_THAT_WAITS] == 0
    np.testing.assert_allclose(found.of(received), whole.weights.sum(2), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("happens", "called"),
    [
        (lambda one: one.sum().item(), "a number is read"),
        (lambda one: bool(one.any()), "a number is read"),
        (lambda one: one.cpu(), COPY_THAT_WAITS),
        (lambda one: one.tolist(), COPY_THAT_WAITS),
        (lambda one: one.numpy(force=True), COPY_THAT_WAITS),
        (lambda one: one.nonzero(), "places are sought"),
        (lambda one: one[one > 0], BY_MASK),
        (lambda one: one[[0, 1]], COPY_TO_IT),
        (lambda one: one.to("cpu", non_blocking=True), COPY),
    ],
)
@pytest.mark.parametrize("inference", [False, True])
def test_whatever_makes_the_cpu_wait_is_counted(happens, called, inference):
    with counting() as counts, torch.inference_mode(inference):
        there = torch.ones(3).to(DEVICE)
        counts.clear()
        happens(there)
    assert counts[called] == 1
