"""Phases: planted ones are found, flat and noisy profiles promise nothing, depth is scaled, and the best
division is that of a loop over all of them.
"""

import math
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from generator.numbers.resampling import DRAWS, LEVEL
from generator.topics.layers.derived.phases import (
    QUANTITIES,
    SYNTAX,
    best,
    divisions,
    errors,
    expected_boundaries,
    find_phases,
    rarest,
    signatures,
    standardise,
)
from generator.topics.layers.derived.profiles import BREADTH, layer_profiles
from tests.topics.layers.compute.curves import noisy, tables

SEED = 3
IN_STORE = ("entropy.all", *QUANTITIES[1:])


def slow_error(profile, cuts):
    edges = [0, *cuts, len(profile[0])]
    return math.fsum(
        (value - sum(curve[start:end]) / (end - start)) ** 2
        for curve in profile
        for start, end in pairwise(edges)
        for value in curve[start:end]
    )


@pytest.mark.parametrize(("layers", "parts"), [(3, 3), (6, 3), (12, 3), (12, 2), (5, 4)])
def test_every_division_is_tried_once(layers, parts):
    found = [tuple(cuts) for cuts in divisions(layers, parts).tolist()]
    assert found == list(combinations(range(1, layers), parts - 1))
    assert len(found) == math.comb(layers - 1, parts - 1)


@pytest.mark.parametrize("seed", range(3))
def test_errors_equal_a_slow_loop(seed):
    profile = np.random.default_rng(seed).normal(size=(3, 9))
    cuts = divisions(9, 3)
    np.testing.assert_allclose(errors(profile, cuts), [slow_error(profile, c) for c in cuts.tolist()], atol=1e-10)
    np.testing.assert_allclose(errors(np.stack([profile, 2 * profile]), cuts)[1], 4 * errors(profile, cuts))


@pytest.mark.parametrize("cuts", [(1, 2), (3, 10), (4, 5), (10, 11)])
def test_steps_are_found_exactly(cuts):
    """The reversed curve has its steps at the mirrored places: a flipped axis fails."""
    curve = np.searchsorted(cuts, np.arange(1, 13))[None] * 1.0
    every = divisions(12, 3)
    assert [tuple(found) for found in every[best(curve, every)].tolist()] == [cuts]
    assert [tuple(found) for found in every[best(curve[:, ::-1], every)].tolist()] == [(12 - cuts[1], 12 - cuts[0])]


def test_a_flat_curve_prefers_no_division():
    every = divisions(7, 3)
    assert best(np.zeros((2, 7)), every).all()


def test_standardised_curves_weigh_the_same_and_flat_ones_nothing():
    curves = np.stack([np.arange(5.0), 1000 * np.arange(5.0) + 7, np.full(5, 0.1)])
    found = standardise(curves)
    np.testing.assert_allclose(found[0], found[1])
    np.testing.assert_allclose((found.mean(-1), found.std(-1)), [[0, 0, 0], [1, 1, 0]], atol=1e-12)
    assert (found[2] == 0).all()


def planted(layers=12, cuts=(3, 10), noise=0.0, documents=20, highs=(0, 0, 1, 2)):
    """Each quantity of IN_STORE is high in one phase: breadth and [CLS] in the first, and so on."""
    phase = np.searchsorted(cuts, np.arange(1, layers + 1))
    return layer_profiles(
        *tables(
            {
                name: noisy(np.where(phase == high, 0.6, 0.1), noise, documents, seed=at)
                for at, (name, high) in enumerate(zip(IN_STORE, highs, strict=True))
            }
        )
    )


@pytest.mark.parametrize(("layers", "cuts"), [(12, (3, 10)), (12, (1, 2)), (6, (2, 5)), (24, (6, 20)), (3, (1, 2))])
@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_planted_phases_are_found_exactly(layers, cuts, noise):
    found = find_phases(planted(layers, cuts, noise), SEED)
    assert found.boundaries == found.low == found.high == cuts
    assert found.explained > 0.98
    assert found.explained >= found.shuffled - 1e-12
    assert found.n == 20


def test_layers_in_reverse_have_mirrored_boundaries():
    rng = np.random.default_rng(0)
    steps = np.repeat(rng.uniform(0.1, 0.9, (4, 3)), (2, 7, 3), axis=1)
    documents, uniform = tables({name: noisy(curve, 0.01) for name, curve in zip(IN_STORE, steps, strict=True)})
    turned = documents.assign(layer=13 - documents["layer"])
    assert find_phases(layer_profiles(documents, uniform), SEED).boundaries == (2, 9)
    assert find_phases(layer_profiles(turned, uniform), SEED).boundaries == (3, 10)


def test_planted_phases_explain_more_than_layers_in_random_order():
    found = find_phases(planted(noise=0.02), SEED)
    assert found.shuffled < 0.8
    assert found.p < 0.01


def test_a_profile_of_noise_gives_a_wide_interval():
    flat = {name: noisy(np.full(12, 0.3), 0.05, seed=at) for at, name in enumerate(IN_STORE)}
    found = find_phases(layer_profiles(*tables(flat)), SEED)
    assert found.high[0] - found.low[0] >= 3
    assert found.high[1] - found.low[1] >= 3
    assert found.p > 0.05


@pytest.mark.parametrize("layers", range(3, 9))
def test_no_smaller_share_of_all_orders_explains_as_much_than_what_leaves_three_parts_together(layers):
    """Parts that differ so much that only orders in which each stays together explain all."""
    orders = [*permutations(range(layers))]
    shares = []
    for cuts in divisions(layers, 3):
        part = np.searchsorted(cuts, range(layers), side="right")
        together = sum(sum(1 for one, other in pairwise(order) if part[one] != part[other]) == 2 for order in orders)
        shares.append(together / len(orders))
    assert rarest(layers) == pytest.approx(min(shares))


def test_an_exactly_flat_profile_says_so_and_allows_every_boundary():
    flat = {name: noisy(np.full(12, 0.3), 0) for name in IN_STORE}
    profiles = layer_profiles(*tables(flat))
    found = find_phases(profiles, SEED)
    assert (found.low, found.high) == ((1, 2), (10, 11))
    assert math.isnan(found.explained)
    assert "every boundary is as good" in found.note
    assert [(mark.quantity, mark.expected) for mark in signatures(profiles, (3, 10), SEED)] == [("", False)] * 3


@pytest.mark.parametrize("noise", [0.8, 1.0, 1.2])
def test_boundary_explained_share_and_interval_equal_a_slow_derivation(noise):
    profiles = planted(5, (2, 3), noise=noise, documents=8)
    rows = np.stack([profiles.curves[name] for name in QUANTITIES])
    cuts = divisions(5, 3).tolist()

    def slow_standard(weights):
        standard = []
        for curves in rows:
            curve = [sum(w * v for w, v in zip(weights, column, strict=True)) / 8 for column in curves.T.tolist()]
            middle = sum(curve) / 5
            spread = math.sqrt(sum((value - middle) ** 2 for value in curve) / 5)
            standard.append([(value - middle) / spread for value in curve])
        return standard

    found = find_phases(profiles, SEED)
    whole = slow_standard([1] * 8)
    found_errors = [slow_error(whole, cut) for cut in cuts]
    assert found.boundaries == tuple(cuts[int(np.argmin(found_errors))])
    assert found.explained == pytest.approx(1 - min(found_errors) / np.square(whole).sum())
    draws = np.random.default_rng(SEED).multinomial(8, [1 / 8] * 8, size=DRAWS)
    drawn = sorted_columns(
        [cuts[int(np.argmin([slow_error(s, c) for c in cuts]))] for s in map(slow_standard, draws.tolist())]
    )
    tail = (1 - LEVEL) / 2
    assert found.low == tuple(column[math.floor(tail * (DRAWS - 1))] for column in drawn)
    assert found.high == tuple(column[math.ceil((1 - tail) * (DRAWS - 1))] for column in drawn)
    assert found.low < found.high


def test_the_baseline_is_that_of_all_orders_of_the_layers():
    profiles = planted(5, (2, 3), noise=0.3, documents=8)
    whole = standardise(np.stack([profiles.curves[name].mean(0) for name in QUANTITIES]))
    total, cuts = np.square(whole).sum(), divisions(5, 3).tolist()
    by_order = [
        1 - min(slow_error([curve[list(order)].tolist() for curve in whole], cut) for cut in cuts) / total
        for order in permutations(range(5))
    ]
    found = find_phases(profiles, SEED)
    assert found.shuffled == pytest.approx(np.mean(by_order), abs=0.02)
    assert found.p == pytest.approx(np.mean(np.array(by_order) >= found.explained - 1e-9), abs=0.04)
    assert 0.05 < found.p < 0.95


def sorted_columns(rows):
    return [sorted(column) for column in zip(*rows, strict=True)]


def test_the_order_of_documents_does_not_change_a_bit():
    rng = np.random.default_rng(0)
    documents, uniform = tables({name: rng.uniform(0.1, 0.9, (15, 8, 2)) for name in IN_STORE})
    shuffled = layer_profiles(documents.sample(frac=1, random_state=2), uniform[::-1])
    profiles = layer_profiles(documents, uniform)
    assert find_phases(shuffled, SEED) == find_phases(profiles, SEED)
    assert signatures(shuffled, (2, 5), SEED) == signatures(profiles, (2, 5), SEED)


def test_quantities_weigh_the_same_whatever_their_scale():
    """A tiny change of one quantity moves the boundary as much as a large change of another."""
    curves = {name: noisy(np.full(6, 0.3), 0) for name in IN_STORE}
    curves["attention.sep"] = noisy(np.where(np.arange(6) < 2, 1e-4, 0), 0)
    curves["attention.cls"] = noisy(np.where(np.arange(6) < 5, 1.0, 0), 0)
    assert find_phases(layer_profiles(*tables(curves)), SEED).boundaries == (2, 5)


@pytest.mark.parametrize("layers", [1, 2])
def test_fewer_than_three_layers_have_no_phases(layers):
    profiles = layer_profiles(*tables({name: noisy(np.arange(layers) * 1.0, 0) for name in IN_STORE}))
    found = find_phases(profiles, SEED)
    assert found.boundaries == found.low == found.expected == ()
    assert found.note == f"Three phases need at least 3 layers; this model has {layers}."
    assert signatures(profiles, found.boundaries, SEED) == []


def test_a_single_document_has_no_interval():
    found = find_phases(planted(documents=1), SEED)
    assert found.boundaries == (3, 10)
    assert np.isnan(found.low + found.high).all()


def test_a_quantity_that_no_document_defines_is_left_out():
    curves = {name: noisy(np.arange(6) / 6, 0.01) for name in IN_STORE if name != "attention.cls"}
    found = find_phases(layer_profiles(*tables(curves)), SEED)
    assert found.quantities == (BREADTH, "attention.sep", "attention.punctuation")


def test_a_document_that_does_not_define_a_quantity_does_not_count_for_it():
    """Only the separators change over layers."""
    steps = np.repeat([0.1, 0.6, 0.3], (1, 2, 3))
    documents, uniform = tables({name: noisy(steps if "sep" in name else np.ones(6), 0) for name in IN_STORE})
    documents.loc[documents["document"] == "d000", "attention.sep"] = np.nan
    assert find_phases(layer_profiles(documents, uniform), SEED).boundaries == (1, 3)


def test_each_planted_phase_is_marked_by_the_quantity_that_is_high_in_it():
    found = signatures(planted(noise=0.02, highs=(0, 2, 1, 2)), (3, 10), SEED)
    assert [(mark.first, mark.last) for mark in found] == [(1, 3), (4, 10), (11, 12)]
    assert [mark.quantity for mark in found[:2]] == [BREADTH, "attention.sep"]
    assert [mark.expected for mark in found[:2]] == [True, True]
    assert [mark.support for mark in found[:2]] == [1, 1]
    assert signatures(planted(highs=(1, 1, 2, 0)), (3, 10), SEED)[0].quantity == "attention.punctuation"
    assert not signatures(planted(highs=(1, 1, 2, 0)), (3, 10), SEED)[0].expected


def test_syntax_is_one_more_curve():
    high = np.where((np.arange(12) >= 3) & (np.arange(12) < 9), 1.0, 0.0)
    curves = {name: noisy(np.full(12, 0.3), 0) for name in IN_STORE}
    profiles = layer_profiles(*tables(curves))
    found = find_phases(profiles, SEED, syntax=high)
    assert found.boundaries == (3, 9)
    assert found.quantities == (*QUANTITIES, SYNTAX)
    marks = signatures(profiles, (3, 9), SEED, syntax=high)
    assert (marks[1].quantity, marks[1].expected, marks[1].support) == (SYNTAX, True, 1)


@pytest.mark.parametrize("layers", range(3, 49))
def test_expected_boundaries_keep_their_depth_and_leave_no_phase_empty(layers):
    first, second = expected_boundaries(layers)
    assert 1 <= first < second < layers
    assert abs(first - layers * 3 / 12) <= 0.5 or first == 1
    assert abs(second - layers * 10 / 12) <= 0.5 or second == layers - 1


def test_expected_boundaries_of_bert_are_those_of_the_text():
    assert expected_boundaries(12) == (3, 10)
