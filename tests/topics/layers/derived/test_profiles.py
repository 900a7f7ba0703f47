"""Curves over layers against slow loops, and which layers are the lower, middle and last ones."""

import math

import numpy as np
import pandas as pd
import pytest

from generator.numbers.depth import in_depth, lowest_third
from generator.topics.layers.derived.profiles import BREADTH, SHOWN, SIGNATURES, layer_profiles
from tests.topics.layers.compute.curves import TOKENS, tables

DOCUMENTS, HEADS = 6, 3


def random_curves(layers):
    rng = np.random.default_rng(layers)
    return {name: rng.uniform(0, 5, (DOCUMENTS, layers, HEADS)) for name in SHOWN}


@pytest.mark.parametrize(
    ("layers", "early", "middle", "last"),
    [
        (12, range(1, 5), range(6, 11), (11, 12)),
        (6, (1, 2), (3, 4, 5), (6,)),
        (24, range(1, 9), range(12, 21), range(21, 25)),
        (4, (1,), (2, 3), (4,)),
        (3, (1,), (2,), (3,)),
        (2, (1,), (1,), (2,)),
        (1, (1,), (), (1,)),
    ],
)
def test_every_phase_has_its_layers(layers, early, middle, last):
    found = {name: (np.flatnonzero(chosen(layers)) + 1).tolist() for name, (_, chosen) in SIGNATURES.items()}
    assert found == {"begin": list(early), "separator": list(middle), "punctuation": list(last)}


def test_curves_equal_slow_means_over_heads():
    curves = random_curves(4)
    profiles = layer_profiles(*tables(curves))
    assert profiles.layers == 4
    for document in range(DOCUMENTS):
        for layer in range(4):
            entropies = curves["entropy.all"][document, layer] / math.log(TOKENS)
            assert profiles.curves[BREADTH][document, layer] == pytest.approx(sum(entropies) / HEADS)
            for name in SHOWN:
                mean = sum(curves[name][document, layer]) / HEADS
                assert profiles.curves[name][document, layer] == pytest.approx(mean)


def test_the_order_of_documents_and_rows_does_not_change_a_bit():
    documents, uniform = tables(random_curves(12))
    shuffled = layer_profiles(documents.sample(frac=1, random_state=1), uniform[::-1])
    profiles = layer_profiles(documents, uniform)
    for name, curve in profiles.curves.items():
        np.testing.assert_array_equal(shuffled.curves[name], curve)


def test_breadth_is_relative_to_what_each_document_could_reach():
    documents, uniform = tables(random_curves(3))
    longer = layer_profiles(documents, uniform.assign(**{"entropy.all": uniform["entropy.all"] * [2, 1, 1, 1, 1, 1]}))
    plain = layer_profiles(documents, uniform)
    np.testing.assert_allclose(longer.curves[BREADTH][0], plain.curves[BREADTH][0] / 2)
    np.testing.assert_array_equal(longer.curves[BREADTH][1:], plain.curves[BREADTH][1:])


def test_a_model_without_a_begin_token_says_nothing_about_it():
    curves = random_curves(6)
    profiles = layer_profiles(*tables({name: curves[name] for name in SHOWN if "cls" not in name}))
    assert np.isnan(profiles.curves["attention.cls"]).all()
    assert not np.isnan(profiles.curves["attention.sep"]).any()


def test_rows_of_two_corpora_are_refused():
    documents, uniform = tables(random_curves(2))
    with pytest.raises(AssertionError, match="one corpus"):
        layer_profiles(pd.concat([documents, documents.assign(corpus="other")]), uniform)


@pytest.mark.parametrize(("layers", "expected"), [(12, range(4, 10)), (6, (2, 3, 4)), (24, range(8, 19))])
def test_a_range_of_layers_keeps_its_relative_depth(layers, expected):
    assert (np.flatnonzero(in_depth(layers, 4, 9)) + 1).tolist() == list(expected)


@pytest.mark.parametrize(("layers", "first"), [(1, 1), (2, 1), (5, 1), (6, 2), (12, 4), (24, 8)])
def test_the_lowest_third_has_at_least_one_layer(layers, first):
    assert lowest_third(layers).sum() == first
    assert lowest_third(layers)[0]
