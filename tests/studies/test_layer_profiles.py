"""Curves over layers and the statements about lower, middle and last layers, against slow loops."""

import math

import numpy as np
import pandas as pd
import pytest

from generator.studies.layer_profiles import (
    BREADTH,
    BROAD,
    BROAD_HEADS,
    SHOWN,
    begin_broader_last,
    begin_early,
    breadth_early,
    broad_heads_early,
    in_depth,
    layer_profiles,
    lowest_third,
    punctuation_last,
    relations_middle,
    separators_middle,
)
from tests.studies.profiles import TOKENS, tables

DOCUMENTS, HEADS, SEED = 6, 3, 0
STATEMENTS = (
    breadth_early,
    broad_heads_early,
    begin_early,
    separators_middle,
    begin_broader_last,
    punctuation_last,
)


def random_curves(layers):
    rng = np.random.default_rng(layers)
    return {name: rng.uniform(0, 5, (DOCUMENTS, layers, HEADS)) for name in SHOWN}


def slow_mean(curve, layers, change=lambda value: value):
    """Mean over documents, the 1-based layers and heads; NaN without a layer."""
    values = [change(curve[d, l - 1, h]) for d in range(DOCUMENTS) for l in layers for h in range(HEADS)]  # noqa: E741
    return math.fsum(values) / len(values) if values else math.nan


@pytest.mark.parametrize(
    ("layers", "early", "middle", "last"),
    [
        (12, range(1, 5), range(6, 11), (11, 12)),
        (6, (1, 2), (3, 4, 5), (6,)),
        (24, range(1, 9), range(12, 21), range(21, 25)),
        (3, (1,), (2,), (3,)),
        (2, (1,), (1,), (2,)),
        (1, (1,), (), (1,)),
    ],
)
def test_every_statement_equals_a_slow_loop_over_the_layers_it_names(layers, early, middle, last):
    curves = random_curves(layers)
    profiles = layer_profiles(*tables(curves))
    rest = [layer for layer in range(1, layers + 1) if layer not in early]
    most = math.log(TOKENS)

    def difference(name, change=lambda value: value):
        return slow_mean(curves[name], early, change) - slow_mean(curves[name], rest, change)

    expected = {
        breadth_early: difference("entropy.all") / most,
        broad_heads_early: difference("entropy.all", lambda value: value / most > BROAD),
        begin_early: difference("attention.cls"),
        separators_middle: slow_mean(curves["attention.sep"], middle),
        begin_broader_last: slow_mean(curves["entropy.cls"], [layers]) - slow_mean(curves["entropy.all"], [layers]),
        punctuation_last: slow_mean(curves["attention.punctuation"], last),
    }
    for statement, value in expected.items():
        found = statement(profiles, SEED)
        assert found.value.item() == pytest.approx(value, abs=1e-12, nan_ok=True), statement.__name__
        assert math.isnan(value) or found.low < value < found.high


def test_curves_equal_slow_means_over_heads():
    curves = random_curves(4)
    profiles = layer_profiles(*tables(curves))
    assert profiles.layers == 4
    for document in range(DOCUMENTS):
        for layer in range(4):
            entropies = curves["entropy.all"][document, layer] / math.log(TOKENS)
            assert profiles.curves[BREADTH][document, layer] == pytest.approx(sum(entropies) / HEADS)
            assert profiles.curves[BROAD_HEADS][document, layer] == sum(entropies > BROAD) / HEADS
            for name in SHOWN:
                mean = sum(curves[name][document, layer]) / HEADS
                assert profiles.curves[name][document, layer] == pytest.approx(mean)


def test_the_order_of_documents_and_rows_does_not_change_a_bit():
    documents, uniform = tables(random_curves(12))
    shuffled = layer_profiles(documents.sample(frac=1, random_state=1), uniform[::-1])
    profiles = layer_profiles(documents, uniform)
    for statement in STATEMENTS:
        assert statement(shuffled, SEED) == statement(profiles, SEED)


def test_breadth_is_relative_to_what_each_document_could_reach():
    documents, uniform = tables(random_curves(3))
    longer = layer_profiles(documents, uniform.assign(**{"entropy.all": uniform["entropy.all"] * [2, 1, 1, 1, 1, 1]}))
    plain = layer_profiles(documents, uniform)
    np.testing.assert_allclose(longer.curves[BREADTH][0], plain.curves[BREADTH][0] / 2)
    np.testing.assert_array_equal(longer.curves[BREADTH][1:], plain.curves[BREADTH][1:])


def test_a_model_without_a_begin_token_says_nothing_about_it():
    curves = random_curves(6)
    profiles = layer_profiles(*tables({name: curves[name] for name in SHOWN if "cls" not in name}))
    assert np.isnan(begin_early(profiles, SEED).value)
    assert np.isnan(begin_broader_last(profiles, SEED).value)
    assert separators_middle(profiles, SEED).n == DOCUMENTS


def test_rows_of_two_corpora_are_refused():
    documents, uniform = tables(random_curves(2))
    with pytest.raises(AssertionError, match="one corpus"):
        layer_profiles(pd.concat([documents, documents.assign(corpus="other")]), uniform)


def test_relations_in_the_middle_are_counted_against_chance():
    found, chance = relations_middle([3, 4, 9, 10, 6], 12, SEED)
    assert (found.value.item(), chance, found.n.item()) == (3 / 5, 6 / 12, 5)


@pytest.mark.parametrize(("layers", "expected"), [(12, range(4, 10)), (6, (2, 3, 4)), (24, range(8, 19))])
def test_a_range_of_layers_keeps_its_relative_depth(layers, expected):
    assert (np.flatnonzero(in_depth(layers, 4, 9)) + 1).tolist() == list(expected)


@pytest.mark.parametrize(("layers", "first"), [(1, 1), (2, 1), (5, 1), (6, 2), (12, 4), (24, 8)])
def test_the_lowest_third_has_at_least_one_layer(layers, first):
    assert lowest_third(layers).sum() == first
    assert lowest_third(layers)[0]
