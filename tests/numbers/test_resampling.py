"""The bootstrap over documents, against a loop that draws the same documents and sorts their means."""

import math

import numpy as np
import pytest

from generator.numbers.resampling import (
    DRAWS,
    LEVEL,
    bootstrap,
    bootstrap_ratio,
    interval,
    resample,
    resample_ratio,
    sample_counts,
)
from generator.numbers.simultaneous import lowest, simultaneous, widened

SEED = 11


@pytest.fixture(scope="module")
def rows():
    """Nine documents, `[2, 3]` numbers each; some undefined, one number defined in a single document, one in none."""
    values = np.random.default_rng(0).random((9, 2, 3))
    values[2:5, 0, 1] = np.nan
    values[1:, 1, 0] = np.nan
    values[:, 1, 2] = np.nan
    return values


def _slow(values, seed):
    """Value, low, high and n of one number: draw as many documents as there are, with replacement, 1000 times."""
    rng = np.random.default_rng(seed)
    documents = len(values)
    means = []
    for drawn in rng.multinomial(documents, [1 / documents] * documents, size=DRAWS):
        sample = [value for value, times in zip(values, drawn, strict=True) for _ in range(times)]
        sample = [value for value in sample if not math.isnan(value)]
        if sample:
            means.append(math.fsum(sample) / len(sample))
    defined = [value for value in values if not math.isnan(value)]
    value = math.fsum(defined) / len(defined) if defined else math.nan
    if len(defined) < 2:
        return value, math.nan, math.nan, len(defined)
    tail = (1 - LEVEL) / 2
    return value, _quantile(means, tail), _quantile(means, 1 - tail), len(defined)


def _quantile(values, share):
    """The value below which a share of the sorted values lies, interpolated between neighbours."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def test_every_number_equals_the_slow_derivation(rows):
    found = bootstrap(rows, SEED)
    for at in np.ndindex(rows.shape[1:]):
        expected = _slow(rows[(slice(None), *at)].tolist(), SEED)
        np.testing.assert_allclose([field[at] for field in found], expected, rtol=0, atol=1e-12)


def test_a_number_alone_has_the_interval_it_has_among_others(rows):
    together, alone = bootstrap(rows, SEED), bootstrap(rows[:, 0, 1], SEED)
    for whole, single in zip(together, alone, strict=True):
        np.testing.assert_allclose(whole[0, 1], single, rtol=0, atol=1e-12)


def test_shapes_are_those_of_one_document_and_the_input_is_unchanged(rows):
    before = rows.copy()
    assert {field.shape for field in bootstrap(rows, SEED)} == {rows.shape[1:]}
    np.testing.assert_array_equal(rows, before)


def test_the_mean_lies_in_its_interval(rows):
    value, low, high, n = bootstrap(rows, SEED)
    several = n > 1
    assert several.any()
    assert (low[several] <= value[several]).all()
    assert (value[several] <= high[several]).all()


def test_the_same_seed_gives_the_same_numbers(rows):
    for first, second in zip(bootstrap(rows, SEED), bootstrap(rows, SEED), strict=True):
        np.testing.assert_array_equal(first, second)


def test_another_seed_moves_the_interval_but_not_the_value(rows):
    first, second = bootstrap(rows, SEED), bootstrap(rows, SEED + 1)
    np.testing.assert_array_equal(first.value, second.value)
    np.testing.assert_array_equal(first.n, second.n)
    assert (first.low[0] != second.low[0]).all()


def test_one_document_has_a_value_and_no_interval():
    value, low, high, n = bootstrap(np.array([[3.0, 5.0]]), SEED)
    np.testing.assert_array_equal(value, [3.0, 5.0])
    assert np.isnan([low, high]).all()
    np.testing.assert_array_equal(n, [1, 1])


def test_a_number_defined_in_one_document_has_no_interval(rows):
    found = bootstrap(rows, SEED)
    assert found.value[1, 0] == rows[0, 1, 0]
    assert np.isnan([found.low[1, 0], found.high[1, 0]]).all()
    assert found.n[1, 0] == 1


def test_a_number_defined_nowhere_is_undefined_and_not_zero(rows):
    found = bootstrap(rows, SEED)
    assert np.isnan([found.value[1, 2], found.low[1, 2], found.high[1, 2]]).all()
    assert found.n[1, 2] == 0


def test_documents_that_agree_leave_no_width():
    found = bootstrap(np.full(20, 0.25), SEED)
    assert found.low == found.value == found.high == 0.25


def test_undefined_documents_are_left_out_of_the_mean():
    found = bootstrap(np.array([1.0, np.nan, 4.0, np.nan]), SEED)
    assert found.value == (1 + 4) / 2
    assert found.n == 2
    assert found.low == 1
    assert found.high == 4


@pytest.mark.parametrize("draw", ["normal", "exponential"])
def test_the_interval_covers_the_truth_about_as_often_as_it_says(draw):
    """3000 simulated studies of 40 documents; the percentile bootstrap is known to cover a little too little."""
    rng = np.random.default_rng(5)
    studies = getattr(rng, draw)(1.0, size=(40, 3000))
    _, low, high, _ = bootstrap(studies, SEED)
    covered = ((low <= 1) & (high >= 1)).mean()
    assert LEVEL - 0.05 < covered < LEVEL + 0.02


def test_four_times_the_documents_halve_the_interval():
    rng = np.random.default_rng(6)
    widths = []
    for documents in (50, 200):
        _, low, high, _ = bootstrap(rng.normal(size=(documents, 500)), SEED)
        widths.append((high - low).mean())
    assert widths[0] / widths[1] == pytest.approx(2, rel=0.05)


def test_a_ratio_of_sums_equals_a_loop_over_the_same_draws():
    """Documents of different length: long ones weigh more, and each is drawn whole."""
    rng = np.random.default_rng(1)
    whole = rng.integers(1, 9, 7)
    part = rng.integers(0, whole[:, None] + 1, (7, 2))
    found = bootstrap_ratio(part, whole, SEED)
    draws = np.random.default_rng(SEED).multinomial(7, [1 / 7] * 7, size=DRAWS)
    for column in range(2):
        shares = [
            sum(part[at, column] * times for at, times in enumerate(drawn))
            / sum(whole[at] * times for at, times in enumerate(drawn))
            for drawn in draws
        ]
        tail = (1 - LEVEL) / 2
        expected = part[:, column].sum() / whole.sum(), _quantile(shares, tail), _quantile(shares, 1 - tail), 7
        np.testing.assert_allclose([field[column] for field in found], expected, rtol=0, atol=1e-12)


def test_a_ratio_without_a_whole_is_undefined():
    found = bootstrap_ratio(np.zeros((3, 1)), np.zeros(3), SEED)
    assert np.isnan(found.value).all()
    assert found.n.item() == 0


def test_draws_are_of_as_many_documents_and_the_same_for_one_seed():
    counts = sample_counts(9, 4)
    assert counts.shape == (DRAWS, 9)
    assert set(counts.sum(1)) == {9}
    np.testing.assert_array_equal(counts, sample_counts(9, 4))
    assert (counts != sample_counts(9, 5)).any()


def test_the_interval_of_draws_is_their_percentiles_and_undefined_of_none():
    draws = np.random.default_rng(2).normal(size=200)
    draws[7] = np.nan
    kept = [draw for draw in draws.tolist() if not math.isnan(draw)]
    tail = (1 - LEVEL) / 2
    assert interval(draws) == pytest.approx((_quantile(kept, tail), _quantile(kept, 1 - tail)))
    assert all(map(math.isnan, interval(np.full(3, np.nan))))


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
    factor = _quantile([max(abs(draw[at] - value[at]) / deviation[at] for at in places) for draw in draws], LEVEL)
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
        ends = [widened(*one, several) for one in zip(*(part.tolist() for part in found[:3]), strict=True)]
        held += all(low <= 0 <= high for low, high in ends), bool(((found.low <= 0) & (found.high >= 0)).all())
    assert held[0] >= 0.92 * 400
    assert held[1] <= 0.8 * 400


def test_an_interval_of_one_number_stays_and_no_width_stays_none():
    assert widened(0.5, 0.25, 1.0, 1) == pytest.approx((0.25, 1.0))
    assert widened(0.5, 0.5, 0.5, 9) == (0.5, 0.5)


def test_numbers_of_one_resampling_are_combined_draw_by_draw(rows):
    """A difference, a ratio and a mean equal those that a loop takes in each draw, and have their intervals."""
    parts, totals = np.random.default_rng(1).random((2, 9, 3)) + 0.5
    first, second = resample_ratio(parts, totals, SEED), resample(totals, SEED)
    times = np.random.default_rng(SEED).multinomial(9, [1 / 9] * 9, size=DRAWS)
    found = {
        "minus": first.minus(second),
        "over": first.over(second),
        "mean": first.mean(np.array([True, False, True])),
    }
    expected = {name: [] for name in found}
    for drawn in [np.ones(9), *times]:
        ratio, mean = (drawn @ parts) / (drawn @ totals), drawn @ totals / 9
        expected["minus"].append(ratio - mean)
        expected["over"].append(ratio / mean)
        expected["mean"].append((ratio[0] + ratio[2]) / 2)
    for name, one in found.items():
        values = np.array(expected[name])
        np.testing.assert_allclose(one.value, values[0])
        np.testing.assert_allclose(one.draws, values[1:])
        tail = (1 - LEVEL) / 2
        ends = np.quantile(values[1:], [tail, 1 - tail], axis=0)
        np.testing.assert_allclose(one.estimate()[1:3], ends)
        assert (one.estimate().n == 9).all()
