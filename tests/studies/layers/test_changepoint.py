"""The best division into contiguous parts, against a loop over all of them."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

from generator.studies.layers.changepoint import best, divisions, errors, standardise


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
