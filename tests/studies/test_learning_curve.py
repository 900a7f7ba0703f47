"""The step at which a curve has come far enough, and its rank correlation with frequency."""

import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from generator.studies.learning_curve import HALF, earlier_when_frequent, reached

STEPS = (0, 20, 40, 60, 80)


@pytest.mark.parametrize(
    ("curve", "share", "start", "step"),
    [
        ([0, 1, 2, 3, 4], 0.9, None, 80),
        ([0, 1, 2, 3, 4], HALF, None, 40),
        ([4, 3, 2, 1, 0], HALF, None, 40),
        ([2, 3, 3, 3, 4], HALF, None, 20),
        ([2, 3, 3, 3, 4], HALF, 0, 0),
        ([0, 5, 1, 1, 4], 0.9, None, 20),
    ],
)
def test_the_first_step_that_made_enough_of_the_change(curve, share, start, step):
    assert reached(STEPS, np.array(curve, float), share, start) == step


@pytest.mark.parametrize("curve", [[3, 4, 5, 4, 3], [0, 1, math.nan, 3, 4]])
def test_a_curve_without_a_change_or_with_a_gap_reaches_nothing(curve):
    assert math.isnan(reached(STEPS, np.array(curve, float)))


def test_types_that_are_learned_in_the_order_of_their_frequency_correlate_perfectly():
    learned_at = np.repeat([1, 2, 3, 4], 3)
    curves = (np.arange(5) >= learned_at[:, None]).astype(float)
    counts = np.repeat([400, 300, 200, 100], 3)
    found = earlier_when_frequent(STEPS, curves, counts, seed=0)
    assert (found.value, found.n) == (pytest.approx(-1), 12)
    assert found.high == pytest.approx(-1)
    assert earlier_when_frequent(STEPS, curves, -counts, seed=0).value == pytest.approx(1)


def test_noise_gives_an_interval_around_nothing():
    rng = np.random.default_rng(0)
    curves = (np.arange(5) >= rng.integers(1, 5, (60, 1))).astype(float)
    found = earlier_when_frequent(STEPS, curves, rng.integers(1, 999, 60), seed=0)
    assert found.low < 0 < found.high


def test_ties_correlate_as_they_do_elsewhere():
    rng = np.random.default_rng(1)
    curves = (np.arange(5) >= rng.integers(1, 5, (30, 1))).astype(float)
    counts = rng.integers(1, 9, 30)
    expected = spearmanr(counts, [reached(STEPS, curve) for curve in curves]).statistic
    assert earlier_when_frequent(STEPS, curves, counts, seed=0).value == pytest.approx(expected, abs=1e-12)


def test_two_types_have_no_correlation():
    assert math.isnan(earlier_when_frequent(STEPS, np.eye(5)[2:4].cumsum(1), np.array([1, 2]), seed=0).value)
