"""Of long inputs some rows are compared: none in particular, and the error that is told is the error that is made."""

from dataclasses import replace

import numpy as np
import pytest

from generator.attention.observed import Observed
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.topics.distances.compute import rows
from generator.topics.distances.compute.divergence import pairwise
from generator.topics.distances.compute.rows import ComparedRows
from generator.topics.distances.compute.study import DivergenceRows
from generator.topics.inputs.compute.changed import PARTS, few_each

TOKENS, DRAWS, SEED = 96, 200, 0
LAYERS = 2


@pytest.fixture(scope="module")
def maps():
    """Two layers of two heads whose rows differ much from one another."""
    rng = np.random.default_rng(0)
    return rng.dirichlet(np.full(TOKENS, 0.1), size=(LAYERS, 2, TOKENS)).astype(np.float32)


def seen(name, maps, part=1):
    classes = (TokenClass.OTHER,) * TOKENS
    return Observed(Input(name, part, (5,) * TOKENS, (0,) * TOKENS, classes), None, maps)


def divergence(one):
    return ComparedRows(LAYERS).divergence(one)


def test_all_rows_of_a_short_input_are_compared_without_error(maps):
    found, error = divergence(seen("short", maps))
    np.testing.assert_array_equal(found, pairwise(maps))
    assert not error.any()


def test_rows_of_a_long_input_are_drawn_by_its_name_without_bias_and_with_the_error_that_is_told(maps, monkeypatch):
    monkeypatch.setattr(rows, "ELEMENTS", TOKENS * 40)
    monkeypatch.setattr(rows, "FEWEST", 8)
    assert seen("long", maps).of(ComparedRows(LAYERS).observer).shape == (2, 2, 40, TOKENS)
    found, errors = (
        np.stack(part) for part in zip(*(divergence(seen(str(at), maps)) for at in range(DRAWS)), strict=True)
    )
    np.testing.assert_array_equal(found[3], divergence(seen("3", maps))[0])
    apart = found - pairwise(maps)
    told = np.sqrt((errors**2).mean(0))
    assert (np.abs(apart.mean(0)) < 4 * told / np.sqrt(DRAWS)).all()
    np.testing.assert_allclose(apart.std(0), told, rtol=0.25)


def test_the_error_of_a_corpus_is_that_of_its_mean_over_documents(maps, monkeypatch):
    monkeypatch.setattr(rows, "ELEMENTS", TOKENS * 40)
    inputs = [seen(name, maps) for name in ("one", "other")]
    gathered = DivergenceRows(LAYERS, [one.input for one in inputs], SEED)
    assert gathered.error() == 0
    for one in inputs:
        gathered.add(one)
    first, second = (divergence(one)[1] for one in inputs)
    assert gathered.error() == pytest.approx((np.sqrt(first**2 + second**2) / 2).max())


def test_of_a_long_document_a_few_inputs_are_compared_and_the_first_with_that_of_the_twins(maps):
    """Inputs that differ, so that their mean tells which of them it is of; only the first has heads that are alike."""
    others = [seen("long", maps ** (1 + part / 9), part) for part in range(2, PARTS + 4)]
    parts = [seen("long", maps[[0, 0]]), *others]
    inputs = [part.input for part in parts]
    drawn = {item.part for item in few_each(inputs, SEED)}
    assert len(drawn) == PARTS
    assert 1 not in drawn, "a seed that does not draw the first shows what is done with it"
    gathered = DivergenceRows(LAYERS, inputs, SEED)
    kept = [part.of(gathered.rows.observer).size > 0 for part in parts]
    assert kept == [part.input.part in drawn | {1} for part in parts]
    for piece in parts:
        gathered.add(piece)
    gathered.add_twin(0, parts[0])
    found = gathered.table("text").loc[0]
    expected = [pairwise(part.weights) for part in parts if part.input.part in drawn]
    np.testing.assert_allclose(found["divergence"], np.mean(expected, axis=0), rtol=1e-6)
    twins = gathered.twins(SEED)
    assert twins["doubles.twin"].value == 1
    assert twins["doubles.twin.excess"].value == 0, "the same maps"


def test_memory_that_is_used_again_holds_the_rows_of_one_input_at_a_time(maps):
    """Two batches of two inputs, the second of shorter ones, each seen layer by layer."""
    compared = ComparedRows(LAYERS)
    for tokens in (TOKENS, TOKENS // 2):
        both = [maps[:, :, :tokens, :tokens], maps[::-1, :, :tokens, tokens - 1 :: -1]]
        inputs = [replace(seen(name, maps).input, input_ids=(5,) * tokens) for name in ("one", "other")]
        observers = [compared.observer(item) for item in inputs]
        kept = [
            [look(weights[layer], 0) for look, weights in zip(observers, both, strict=True)] for layer in range(LAYERS)
        ]
        for item, weights, looked in zip(inputs, both, zip(*kept, strict=True), strict=True):
            found, error = compared.divergence(Observed(item, None, None, taken={compared.observer: looked}))
            np.testing.assert_array_equal(found, pairwise(weights))
            assert not error.any()
