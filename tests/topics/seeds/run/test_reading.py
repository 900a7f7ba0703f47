"""Trainings that read the same documents: their measures and the divergence of their maps, one weight at a time."""

import copy
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.measures import COLUMNS
from generator.models.encoder import Encoder
from generator.models.twin import random_twin
from generator.progress import reporting_to
from generator.topics.seeds.run.maps import read
from tests.attention.observations import columns_of, inputs_of
from tests.encoders import HEADS, LAYERS

SEED = 2
DOCUMENT = "long"
"""It has several parts."""


@pytest.fixture(scope="module")
def trainings(encoder: Callable[[str], Encoder]) -> list[Encoder]:
    """Gives an encoder, and two with other weights."""
    first, found = encoder("bert"), [encoder("bert")]
    for seed in (1, 2):
        model = copy.deepcopy(first.model)
        rng = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for weight in model.parameters():
                weight.add_(0.2 * torch.randn(weight.shape, generator=rng))
        found.append(replace(first, id=f"training {seed}", model=model))
    return found


def slow_divergence(first: np.ndarray, second: np.ndarray) -> float:
    """Jensen-Shannon divergence in nats of two maps `[query, key]`, mean over rows, smoothed as Clark et al. do."""
    rows = []
    smooth = (0.999 * one.astype(float) + 0.001 / one.shape[1] for one in (first, second))
    for a, b in zip(*(one.tolist() for one in smooth), strict=True):
        parts = [(p, q, (p + q) / 2) for p, q in zip(a, b, strict=True)]
        rows.append(sum(p * math.log(p / m) / 2 + q * math.log(q / m) / 2 for p, q, m in parts))
    return sum(rows) / len(rows)


def test_measures_and_divergences_are_those_of_each_head_alone(trainings: list[Encoder]) -> None:
    items = inputs_of(trainings[0], max_tokens=32)
    told: list[int] = []
    with reporting_to(told.append):
        seen = read(trainings, items, SEED)
    assert sum(told) == (len(trainings) + 1) * sum(map(len, items))
    assert (seen.names, seen.shape) == (sorted({item.document for item in items}), (LAYERS, HEADS))
    at = seen.names.index(DOCUMENT)
    parts = [item for item in items if item.document == DOCUMENT]
    assert len(parts) > 1
    alone = [
        [next(iter(observe(one, examine(one), [part], Options(keep_weights=True)))) for part in parts]
        for one in trainings
    ]
    places = [(0, 0), (1, 3), (LAYERS - 1, HEADS - 1)]
    for training, shown in enumerate(alone):
        for layer, head in places:
            for column in ("entropy.all", "attention.previous"):
                expected = np.mean([columns_of(one)[column][layer, head] for one in shown])
                found = seen.measures[at, training, layer * HEADS + head, COLUMNS.index(column)]
                assert found == pytest.approx(expected, abs=1e-5)
    assert set(seen.between) == {(0, 1), (0, 2), (1, 2)}
    for (a, b), rows in seen.between.items():
        for layer, head in places:
            other = (layer + 1) % LAYERS, (head + 2) % HEADS
            expected = np.mean(
                [
                    slow_divergence(np.asarray(one.weights)[layer, head], np.asarray(two.weights)[other])
                    for one, two in zip(alone[a], alone[b], strict=True)
                ]
            )
            assert rows[at, layer * HEADS + head, other[0] * HEADS + other[1]] == pytest.approx(expected, abs=1e-5)


def test_random_weights_are_read_beside_every_training(trainings: list[Encoder]) -> None:
    items = inputs_of(trainings[0], max_tokens=32)
    seen = read(trainings, items, SEED)
    assert len(seen.untrained) == len(trainings)
    assert not np.allclose(seen.untrained[0], seen.untrained[1])
    random = random_twin(trainings[0], SEED)
    (item,) = (one for one in items if one.document == "short")
    own, beside = (
        next(iter(observe(one, examine(one), [item], Options(keep_weights=True)))) for one in (trainings[2], random)
    )
    expected = slow_divergence(np.asarray(own.weights)[0, 1], np.asarray(beside.weights)[1, 2])
    assert seen.untrained[2][seen.names.index("short"), 1, HEADS + 2] == pytest.approx(expected, abs=1e-5)
