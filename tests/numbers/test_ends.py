"""Where the ends of an interval come from, at the least number of units and just above it, each by hand."""

import math

import numpy as np
import pytest
from scipy.stats import t

from generator.numbers.number import Number, mean_of
from generator.numbers.resampling import DRAWS, LEVEL, Resampled, estimated, jackknife, outwards


def test_a_mean_over_layers_rests_on_the_fewest_of_their_documents():
    chosen = np.array([True, True, False])
    n = np.array([[7, 4], [5, 9], [1, 1]])
    values = np.arange(6.0).reshape(3, 2)
    found = Resampled(values, np.stack([values] * DRAWS), n).mean(chosen)
    assert found.value.tolist() == [1.0, 2.0]
    assert found.n.tolist() == [5, 4]
    grid = Number(values[:, 0], values[:, 0], values[:, 0], n[:, 0])
    assert mean_of(grid, chosen) == Number(1.0, 1.0, 1.0, 5)


@pytest.mark.parametrize("groups", [2, 3, 10])
def test_half_of_a_jackknife_is_students_t_of_one_less_than_its_groups(groups):
    without = np.linspace(0.0, 1.0, groups) ** 2
    spread = sum((one - without.mean()) ** 2 for one in without)
    error = math.sqrt((groups - 1) / groups * spread)  # Efron and Tibshirani 1993, equation 11.5
    assert jackknife(without) == pytest.approx(t.ppf((1 + LEVEL) / 2, groups - 1) * error, rel=1e-12)


def test_a_jackknife_of_one_group_has_no_width():
    assert np.isnan(jackknife(np.ones((1, 3)))).tolist() == [True] * 3


def test_intervals_of_steps_end_at_steps_that_were_drawn_and_never_inside():
    drawn = np.array([10.0, 20.0, 30.0, 40.0])  # the percentiles lie between the outer two on each side
    assert outwards(drawn) == (10.0, 40.0)
    low, high = outwards(np.arange(1000.0))
    assert (low, high) == (24.0, 975.0)
    assert low <= np.quantile(np.arange(1000.0), 0.025) <= low + 1
    assert high - 1 <= np.quantile(np.arange(1000.0), 0.975) <= high


def test_draws_that_are_ranges_end_at_the_lowest_of_the_low_and_the_highest_of_the_high():
    lowest, highest = np.array([3.0, 5.0, 4.0, 6.0]), np.array([9.0, 7.0, 11.0, 8.0])
    assert outwards(lowest, highest) == (3.0, 11.0)


@pytest.mark.parametrize(("n", "known"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_statistic_of_one_unit_has_a_value_and_no_interval(n, known):
    found = estimated(2.0, np.array([1.0, 3.0]), n)
    assert (found.value, found.n) == (2.0, n)
    assert (not math.isnan(found.low), not math.isnan(found.high)) == (known, known)


def test_a_statistic_without_draws_has_no_interval():
    found = estimated(2.0, np.empty(0), 9)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
