"""Weights and twins of two models: distances against sums over single numbers, and the order of a permuted copy."""

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel

from generator.corpora.pairs import Input
from generator.errors import ModelError
from generator.models.encoder import Encoder
from generator.topics.compare.run.maps import divergences, twins
from generator.topics.compare.run.weights import parameters, relative_distance
from generator.topics.distances.compute.divergence import SMOOTHING
from tests.encoders import FAMILIES, HEADS, HIDDEN, LAYERS, loaded, write
from tests.topics.compare.run.tables import NAME, SEED, Made, Tables, compared, value

SHIFT = ((1, 2, 3, 0), (2, 3, 1, 0), (3, 0, 1, 2))
"""By layer: which head of the original stands in each place of the permuted copy; none is its own inverse."""


@pytest.fixture(scope="module")
def permuted(base: Encoder) -> Encoder:
    """Gives the same function with heads and inner units in another order: few parameters lie where they did."""
    model = copy.deepcopy(base.model)
    size = HIDDEN // HEADS
    with torch.no_grad():
        for layer, order in zip(model.encoder.layer, SHIFT, strict=True):
            rows = torch.cat([torch.arange(head * size, (head + 1) * size) for head in order])
            own = layer.attention.self
            for linear in (own.query, own.key, own.value):
                linear.weight.copy_(linear.weight[rows])
                linear.bias.copy_(linear.bias[rows])
            out = layer.attention.output.dense
            out.weight.copy_(out.weight[:, rows])
            inner = torch.arange(layer.intermediate.dense.weight.shape[0]).flip(0)
            layer.intermediate.dense.weight.copy_(layer.intermediate.dense.weight[inner])
            layer.intermediate.dense.bias.copy_(layer.intermediate.dense.bias[inner])
            layer.output.dense.weight.copy_(layer.output.dense.weight[:, inner])
    return replace(base, id=NAME, model=model)


# Weights


def test_distances_of_weights_equal_sums_over_single_numbers(tables: Tables, base: Encoder, tuned: Encoder) -> None:
    ours, theirs = dict(base.model.named_parameters()), dict(tuned.model.named_parameters())

    def distance(belongs: Callable[[str], bool], others: Mapping[str, torch.Tensor]) -> float:
        below = above = 0.0
        for name, weight in ours.items():
            if belongs(name):
                for p, q in zip(
                    weight.double().flatten().tolist(), others[name].double().flatten().tolist(), strict=True
                ):
                    below, above = below + p * p, above + (q - p) ** 2
        return math.sqrt(above / below)

    with torch.random.fork_rng():
        torch.manual_seed(int(np.random.SeedSequence([SEED, 0]).generate_state(1)[0]))
        random = dict(AutoModel.from_config(base.model.config).named_parameters())
    for name, others in (("distance", theirs), ("random", random)):
        for layer in range(LAYERS):
            expected = distance(lambda one, at=layer: one.startswith(f"encoder.layer.{at}."), others)  # type: ignore[misc]
            assert value(tables, "facts", f"weights.{name}", layer + 1)["value"] == pytest.approx(expected)
        whole = distance(lambda one: not one.startswith("pooler."), others)
        assert value(tables, "facts", f"weights.{name}")["value"] == pytest.approx(whole)
    for name, others in (("weights.embeddings", theirs), ("weights.random.embeddings", random)):
        embeddings = distance(lambda one: one.startswith("embeddings."), others)
        assert value(tables, "facts", name)["value"] == pytest.approx(embeddings)
    assert value(tables, "facts", "copy")["value"] == 1


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "albert"])
def test_layers_are_found_in_every_family(encoder: Made, family: str) -> None:
    found = parameters(encoder(family).model, LAYERS)
    sizes = {len(found.of_layer(layer)) for layer in range(1, LAYERS + 1)}
    assert min(sizes) > 3
    assert max(found.layer.values()) == LAYERS
    assert found.embeddings
    assert set(found.embeddings).isdisjoint(found.layer)
    assert relative_distance(found, found, found.of_layer(LAYERS)) == 0


def test_layers_that_share_their_weights_have_no_distance_of_their_own(encoder: Made) -> None:
    found = parameters(encoder("albert").model, LAYERS)
    assert not found.layer
    assert found.embeddings
    assert found.matrices


def test_distance_is_undefined_where_shapes_differ(base: Encoder) -> None:
    ours = parameters(base.model, LAYERS)
    name = next(iter(ours.embeddings))
    theirs = replace(ours, values={**ours.values, name: ours.values[name][1:]})
    assert math.isnan(relative_distance(ours, theirs, ours.embeddings))
    assert relative_distance(ours, theirs, ours.of_layer(1)) == 0


# Twins


def test_twins_recover_the_order_of_a_permuted_copy(base: Encoder, permuted: Encoder, inputs: list[Input]) -> None:
    tables = compared(base, permuted, inputs)
    assert value(tables, "facts", "copy")["value"] == 0
    for layer in range(LAYERS):
        for head in range(HEADS):
            at = layer + 1, head + 1
            assert value(tables, "head_facts", "twin.layer", *at)["value"] == layer + 1
            assert value(tables, "head_facts", "twin.head", *at)["value"] == SHIFT[layer].index(head) + 1
            assert value(tables, "head_facts", "twin.divergence", *at)["value"] == pytest.approx(0, abs=1e-5)
    assert value(tables, "facts", "twin.matched")["value"] == pytest.approx(0, abs=1e-5)
    assert value(tables, "facts", "twin.every")["value"] > 0.01


def test_models_of_different_shape_have_twins_alone(base: Encoder, inputs: list[Input], tmp_path: Path) -> None:
    small = loaded(write("bert", tmp_path / "small", num_hidden_layers=2, num_attention_heads=2))
    tables = compared(base, small, inputs)
    assert set(tables["head_facts"][0]["name"]) == {"twin.layer", "twin.head", "twin.divergence"}
    assert set(tables["facts"][0]["name"]) == {"copy", "twin.matched", "twin.every"}
    found = tables["head_facts"][0].pivot(index=["layer", "head"], columns="name", values="value")
    pairs = set(zip(found["twin.layer"], found["twin.head"], strict=True))
    assert pairs == {(layer, head) for layer in (1, 2) for head in (1, 2)}
    assert len(found) == 4
    back = compared(small, base, inputs)["head_facts"][0].pivot(index=["layer", "head"], columns="name", values="value")
    turned = {
        (int(a), int(b)): at for at, a, b in zip(found.index, found["twin.layer"], found["twin.head"], strict=True)
    }
    assert turned == {at: (row["twin.layer"], row["twin.head"]) for at, row in back.iterrows()}


def test_divergences_equal_slow_ones_and_run_from_the_first_down(base: Encoder) -> None:
    rng = np.random.default_rng(0)

    def made(layers: int, heads: int) -> np.ndarray:
        weights = rng.random((layers, heads, 5, 5)) ** 4
        return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)

    first, second = made(2, 3), made(1, 2)
    found = divergences(first, second)
    assert found.shape == (6, 2)
    for a in range(6):
        for b in range(2):
            total = 0.0
            for query in range(5):
                for key in range(5):
                    p, q = (
                        (1 - SMOOTHING) * float(one[query, key]) + SMOOTHING / 5
                        for one in (first[a // 3, a % 3], second[0, b])
                    )
                    total += (p * math.log(2 * p / (p + q)) + q * math.log(2 * q / (p + q))) / 2
            assert found[a, b] == pytest.approx(total / 5, abs=4e-6)


def test_twins_are_chosen_on_one_half_and_reported_on_the_other() -> None:
    names = [str(at) for at in range(40)]
    rows = np.zeros((40, 2, 2))
    rows[:, 0, 0] = rows[:, 1, 1] = 0.2
    rows[:, 0, 1] = rows[:, 1, 0] = 0.3
    plain = twins(names, rows, SEED)
    assert list(zip(plain.heads, plain.matches, strict=True)) == [(0, 0), (1, 1)]
    assert 0 < plain.divergence.n[0] < 40
    assert plain.matched.value == pytest.approx(0.2)
    assert plain.every.value == pytest.approx(0.25)
    assert plain.matched.n == plain.divergence.n[0]
    single = twins(names[:1], rows[:1], SEED)
    assert single.divergence.n.tolist() == [1, 1]
    assert np.isnan(single.divergence.low).all()


# What is refused


def test_other_vocabulary_is_refused(base: Encoder, encoder: Made, inputs: list[Input]) -> None:
    with pytest.raises(ModelError, match=r"Expected .* to have the vocabulary of .*tokens with another id or none"):
        compared(base, encoder("roberta"), inputs)


def test_inputs_longer_than_a_model_reads_are_refused(base: Encoder, inputs: list[Input]) -> None:
    short = replace(base, id="short", positions=20)
    with pytest.raises(ModelError, match=r"at most 20 tokens, which is what short reads, found one of 32; lower"):
        compared(base, short, inputs)
