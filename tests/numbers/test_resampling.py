"""The bootstrap over documents, against a loop that draws the same documents and sorts their means."""

import math

import numpy as np
import pytest

from generator.numbers.resampling import (
    DRAWS,
    LEVEL,
    TOGETHER,
    Resampled,
    bootstrap,
    bootstrap_ratio,
    interval,
    resample,
    resample_ratio,
    sample_counts,
)
from tests.numbers.slow import quantile

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
    return value, quantile(means, tail), quantile(means, 1 - tail), len(defined)


def test_every_number_equals_the_slow_derivation(rows):
    found = bootstrap(rows, SEED)
    for at in np.ndindex(rows.shape[1:]):
        expected = _slow(rows[(slice(None), *at)].tolist(), SEED)
        np.testing.assert_allclose([field[at] for field in found], expected, rtol=0, atol=1e-12)


def test_a_number_alone_has_the_interval_it_has_among_others(rows):
    together, alone = bootstrap(rows, SEED), bootstrap(rows[:, 0, 1], SEED)
    for whole, single in zip(together, alone, strict=True):
        np.testing.assert_allclose(whole[0, 1], single, rtol=0, atol=1e-12)


@pytest.mark.parametrize("numbers", [TOGETHER - 1, TOGETHER, TOGETHER + 1, 2 * TOGETHER + 1])
@pytest.mark.parametrize("documents", [9, TOGETHER + 1])
def test_of_many_numbers_each_is_what_it_is_alone(numbers, documents):
    many = np.random.default_rng(1).random((documents, numbers))
    many[3, -1] = np.nan
    found = bootstrap(many, SEED)
    for at in (0, TOGETHER - 2, numbers - 1):
        alone = bootstrap(many[:, at], SEED)
        single = [field.item() for field in alone]
        np.testing.assert_allclose([field[at] for field in found], single, rtol=0, atol=1e-12)


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
        expected = part[:, column].sum() / whole.sum(), quantile(shares, tail), quantile(shares, 1 - tail), 7
        np.testing.assert_allclose([field[column] for field in found], expected, rtol=0, atol=1e-12)


def test_a_ratio_without_a_whole_is_undefined():
    found = bootstrap_ratio(np.zeros((3, 1)), np.zeros(3), SEED)
    assert np.isnan(found.value).all()
    assert found.n.item() == 0


def test_draws_are_of_as_many_documents_and_the_same_for_one_seed():
    counts = sample_counts(9, 4)
    assert counts.shape == (DRAWS, 9)
    assert set(counts.sum(1)) == {9}
    again = np.random.default_rng(4).multinomial(9, np.full(9, 1 / 9), size=DRAWS)
    np.testing.assert_array_equal(counts, again)
    counts += 1  # is seen by nobody else
    np.testing.assert_array_equal(sample_counts(9, 4), again)
    assert (again != sample_counts(9, 5)).any()


def test_the_interval_of_draws_is_their_percentiles_and_undefined_of_none():
    draws = np.random.default_rng(2).normal(size=200)
    draws[7] = np.nan
    kept = [draw for draw in draws.tolist() if not math.isnan(draw)]
    tail = (1 - LEVEL) / 2
    assert interval(draws) == pytest.approx((quantile(kept, tail), quantile(kept, 1 - tail)))
    assert all(map(math.isnan, interval(np.full(3, np.nan))))


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


def test_a_difference_and_a_ratio_count_what_the_first_counts():
    first, second = (Resampled(np.ones(2), np.ones((DRAWS, 2)), np.array([n, n])) for n in (5, 7))
    assert (first.minus(second).n == first.over(second).n).all()
    assert (second.minus(first).n == 7).all()
    assert (first.minus(second).n == 5).all()


def test_a_number_that_no_draw_defines_has_no_interval_and_gives_no_warning() -> None:
    draws = np.full((DRAWS, 2), np.nan)
    draws[1:, 1] = 0.5
    found = Resampled(np.array([np.nan, 0.5]), draws, np.array([5, 5])).estimate()
    assert np.isnan(found.low).tolist() == [True, False]
    assert found.high[1] == 0.5
