"""Intervals that hold for several numbers together, against loops over draws and against the truth."""

import math

import numpy as np
import pytest

from generator.numbers.number import Number, exact
from generator.numbers.resampling import LEVEL, bootstrap, interval, sample_counts
from generator.numbers.simultaneous import lowest, simultaneous, widened
from tests.numbers.slow import quantile

SEED = 11


def test_simultaneous_intervals_equal_loops_over_draws():
    """In each draw the number furthest off, in standard deviations of its own, sets the width of all."""
    rng = np.random.default_rng(3)
    value = rng.normal(size=(2, 3))
    draws = value + rng.normal(size=(300, 2, 3)) * [0, 1, 5]  # the first column never moves
    low, high = simultaneous(value, draws)
    places = [(row, column) for row in (0, 1) for column in (1, 2)]
    deviation = {}
    for at in places:
        of_number = [draw[at] for draw in draws]
        mean = math.fsum(of_number) / len(of_number)
        deviation[at] = math.sqrt(math.fsum((one - mean) ** 2 for one in of_number) / len(of_number))
    factor = quantile([max(abs(draw[at] - value[at]) / deviation[at] for at in places) for draw in draws], LEVEL)
    for at in places:
        assert (low[at], high[at]) == pytest.approx(
            (value[at] - factor * deviation[at], value[at] + factor * deviation[at])
        )
    np.testing.assert_array_equal(low[:, 0], value[:, 0])
    np.testing.assert_array_equal(high[:, 0], value[:, 0])


def test_simultaneous_intervals_hold_all_numbers_in_95_of_100_draws():
    rng = np.random.default_rng(0)
    value = rng.normal(size=(4, 5))
    draws = value + rng.normal(size=(2000, 4, 5)) * np.arange(5)
    low, high = simultaneous(value, draws)
    assert 0.94 < ((draws >= low) & (draws <= high)).all(axis=(1, 2)).mean() <= 0.951


def test_what_is_undefined_or_moves_by_rounding_alone_widens_no_other_interval():
    rng = np.random.default_rng(1)
    draws = rng.normal(size=(500, 3)) * [1, 1e-10, 1]
    draws[:, 2] = np.nan
    low, high = simultaneous(np.array([0.0, 1e-8, np.nan]), draws, rounding=1e-9)
    alone = simultaneous(np.zeros(1), draws[:, :1])
    assert (low[0], high[0]) == (alone[0][0], alone[1][0])
    assert low[1] == high[1] == 1e-8
    assert np.isnan([low[2], high[2]]).all()


def test_the_lowest_has_the_least_of_the_ends_that_hold_for_all():
    rng = np.random.default_rng(4)
    value = np.array([0.3, 0.1, 0.2])
    draws = value + rng.normal(size=(400, 3)) * [0.3, 0.05, 0.01]
    low, high = simultaneous(value, draws)
    found = lowest(value, draws, 7)
    assert found == (0.1, min(low), min(high), 7)
    assert low.argmin() == 0
    assert found.low < np.quantile(draws[:, 0], 0.025)


def test_the_lowest_of_one_document_has_no_interval():
    found = lowest(np.array([0.3, 0.1]), np.array([[0.2, 0.1], [0.4, 0.0]]), 1)
    assert (found.value, found.n) == (0.1, 1)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert not math.isnan(lowest(np.array([0.3, 0.1]), np.array([[0.2, 0.1], [0.4, 0.0]]), 2).low)


def test_the_truth_is_below_the_least_of_many_equal_numbers_as_often_as_5_in_100_and_not_more():
    """Twelve layers that change nothing: the least of twelve estimates lies low, the interval still holds 0.

    Ends of single intervals leave it out far more often.
    """
    rng = np.random.default_rng(6)
    counts = sample_counts(100, SEED)
    missed = np.zeros(2)
    for _ in range(300):
        rows = rng.normal(size=(100, 12))
        value, draws = rows.mean(0), counts @ rows / 100
        found = lowest(value, draws, 100)
        ends = [min(end) for end in zip(*(interval(column) for column in draws.T), strict=True)]
        missed += not found.low <= 0 <= found.high, not ends[0] <= 0 <= ends[1]
    assert missed[0] <= 0.06 * 300
    assert missed[1] >= 0.2 * 300


def test_widened_intervals_of_independent_numbers_hold_together():
    """Six tasks of 200 examples: single intervals all hold in three of four studies, widened ones in nearly all."""
    rng = np.random.default_rng(7)
    several, held = 6, np.zeros(2)
    for _ in range(400):
        found = bootstrap(rng.normal(size=(200, several)), SEED)
        wide = [widened(found.at(at), several) for at in range(several)]
        held += all(one.low <= 0 <= one.high for one in wide), bool(((found.low <= 0) & (found.high >= 0)).all())
    assert held[0] >= 0.92 * 400
    assert held[1] <= 0.8 * 400


def test_an_interval_of_one_number_stays_and_no_width_stays_none():
    assert widened(Number(0.5, 0.25, 1.0, 7), 1) == pytest.approx((0.5, 0.25, 1.0, 7))
    assert widened(exact(0.5, 7), 9) == exact(0.5, 7)
