"""The step at which a curve has come far enough, and from which on it stays there."""

import math

import numpy as np
import pytest

from generator.studies.learning.curve import HALF, held, reached, undone

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
        ([0, 4, 9, 6, 4], 0.9, None, 20),
        ([0, -9, -4, -2, 4], 0.9, None, 80),
        ([4, -5, 3, 3, 0], 0.9, None, 20),
        ([4, 9, 3, 0, 0], 0.9, None, 60),
        ([4, 9, 3, 2, 4], 0.9, 0, 0),
        ([0.1, 0.1, 0.2, 0.3, 0.3], HALF, None, 40),
        ([1e-7, 9e-7, 1.0e-6, 1.1e-6, 1.1e-6], 0.9, None, 40),
        ([0, 1, 2, 3, 4], 1, None, 80),
    ],
)
def test_the_first_step_that_made_enough_of_the_change(curve, share, start, step):
    assert reached(STEPS, np.array(curve, float), share, start) == step


@pytest.mark.parametrize("curve", [[3, 4, 5, 4, 3], [0, 1, math.nan, 3, 4], [0, 1, 2, 3, math.inf]])
def test_a_curve_without_a_change_or_with_a_gap_reaches_nothing(curve):
    assert math.isnan(reached(STEPS, np.array(curve, float)))
    assert math.isnan(held(STEPS, np.array(curve, float)))
    assert not undone(np.array(curve, float))


@pytest.mark.parametrize(
    ("curve", "share", "step", "back"),
    [
        ([0, 1, 2, 3, 4], 0.9, 80, False),
        ([0, 5, 1, 1, 4], 0.9, 80, True),
        ([0, 5, 2, 4, 4], 0.9, 60, False),
        ([4, -5, 3, 0, 0], 0.9, 60, True),
        ([4, 0, 0, 0, 0], HALF, 20, False),
        ([0, 9, 8, 7, 6], 0.9, 20, False),
        ([0, -9, 4, 4, 4], 0.9, 40, False),
        ([0.1, 0.1, 0.2, 0.3, 0.3], HALF, 40, False),
    ],
)
def test_the_step_from_which_on_a_change_is_kept_and_whether_it_was_undone(curve, share, step, back):
    for turned in (np.array(curve, float), 7 - np.array(curve, float)):
        assert held(STEPS, turned, share) == step
        assert undone(turned, share) is back
    assert reached(STEPS, np.array(curve, float), share) <= step
