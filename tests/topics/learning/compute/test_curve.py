"""The step at which a curve has come far enough, and from which on it stays there."""

import math

import numpy as np
import pytest

from generator.topics.learning.compute.curve import held, reached, undone

STEPS = (0, 20, 40, 60, 80)


@pytest.mark.parametrize(
    ("curve", "step"),
    [
        ([0, 1, 2, 3, 4], 80),
        ([4, 3, 2, 1, 0], 80),
        ([2, 3.7, 3.9, 3, 4], 40),
        ([0, 5, 1, 1, 4], 20),
        ([0, 4, 9, 6, 4], 20),
        ([0, -9, -4, -2, 4], 80),
        ([4, -5, 3, 3, 0], 20),
        ([4, 9, 3, 0, 0], 60),
        ([0.7, 0.7, 0.97, 1, 1], 40),
        ([1e-7, 9e-7, 1.0e-6, 1.1e-6, 1.1e-6], 40),
    ],
)
def test_the_first_step_that_made_enough_of_the_change(curve, step):
    assert reached(STEPS, np.array(curve, float)) == step


@pytest.mark.parametrize("curve", [[3, 4, 5, 4, 3], [0, 1, math.nan, 3, 4], [0, 1, 2, 3, math.inf]])
def test_a_curve_without_a_change_or_with_a_gap_reaches_nothing(curve):
    assert math.isnan(reached(STEPS, np.array(curve, float)))
    assert math.isnan(held(STEPS, np.array(curve, float)))
    assert not undone(np.array(curve, float))


@pytest.mark.parametrize(
    ("curve", "step", "back"),
    [
        ([0, 1, 2, 3, 4], 80, False),
        ([0, 5, 1, 1, 4], 80, True),
        ([0, 5, 2, 4, 4], 60, False),
        ([4, -5, 3, 0, 0], 60, True),
        ([4, 0, 0, 0, 0], 20, False),
        ([0, 9, 8, 7, 6], 20, False),
        ([0, -9, 4, 4, 4], 40, False),
        ([0.7, 0.7, 0.97, 1, 1], 40, False),
    ],
)
def test_the_step_from_which_on_a_change_is_kept_and_whether_it_was_undone(curve, step, back):
    for turned in (np.array(curve, float), 7 - np.array(curve, float)):
        assert held(STEPS, turned) == step
        assert undone(turned) is back
    assert reached(STEPS, np.array(curve, float)) <= step
