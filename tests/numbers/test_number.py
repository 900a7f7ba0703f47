"""Numbers and how their intervals combine, against plain arithmetic and loops."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, norm, pearsonr, rankdata, sem, spearmanr, t

from generator.numbers.correlation import partial_rank_correlation, rank_correlation
from generator.numbers.number import UNDEFINED, Number, apart, difference, mean_in, mean_of, one_minus
from generator.numbers.resampling import DRAWS, bootstrap, mean_over, proportion, sample_counts, with_width

CURVE = Number(
    value=np.array([0.2, 0.6, 0.4]),
    low=np.array([0.1, 0.3, 0.35]),
    high=np.array([0.3, 0.7, 0.9]),
    n=np.array([30, 20, 10]),
)


@pytest.mark.parametrize(("right", "n"), [(0, 10), (7, 10), (27, 32), (10, 10), (62, 62)])
def test_a_proportion_has_wilsons_interval(right, n):
    z, share = norm.ppf(0.975), right / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    np.testing.assert_allclose(proportion(right, n), [share, middle - half, middle + half, n], atol=1e-12)


@pytest.mark.parametrize(("right", "n"), [(0, 1), (1, 1), (0, 5), (3, 4), (4, 4), (1, 9), (8, 9), (9, 9)])
def test_a_proportion_of_fewer_than_ten_has_the_exact_interval(right, n):
    exact = binomtest(right, n).proportion_ci(method="exact")
    np.testing.assert_allclose(proportion(right, n), [right / n, exact.low, exact.high, n], atol=1e-12)


@pytest.mark.parametrize("n", [1, 9, 10, 36])
def test_shares_that_never_differ_are_as_wide_as_the_interval_of_a_proportion(n):
    found = with_width(Number(np.ones(1), np.ones(1), np.ones(1), np.array([n])), [0])
    assert found.low[0] == pytest.approx(proportion(n, n).low)


def test_a_proportion_of_nothing_is_undefined():
    assert proportion(0, 0) is UNDEFINED


def test_a_difference_is_as_wide_as_both():
    found = difference(Number(0.7, 0.6, 0.9, 20), Number(0.5, 0.45, 0.6, 10))
    np.testing.assert_allclose(found, [0.2, 0.0, 0.45, 10], atol=1e-12)


def test_one_minus_each_end_is_one_minus_the_other():
    found = one_minus(CURVE)
    for at in range(3):
        one = CURVE.at(at)
        assert found.at(at) == pytest.approx((1 - one.value, 1 - one.high, 1 - one.low, one.n))
        assert one_minus(found).at(at) == pytest.approx(one)


@pytest.mark.parametrize("ends", [(0.1, 0.2, 0.3, 0.4), (0.1, 0.3, 0.3, 0.4), (0.1, 0.5, 0.2, 0.3)])
def test_intervals_are_apart_where_no_value_lies_in_both(ends):
    one, other = (Number(low, low, high, 9) for low, high in (ends[:2], ends[2:]))
    both = [value for value in np.linspace(0, 1, 101).round(2) if all(a <= value <= b for _, a, b, _ in (one, other))]
    assert apart(one, other) == apart(other, one) == (not both)
    assert not apart(one, UNDEFINED)


def test_the_mean_of_some_layers_is_their_mean_end_by_end():
    found = mean_of(CURVE, np.array([True, False, True]))
    np.testing.assert_allclose(found, [0.3, 0.225, 0.6, 10], atol=1e-12)


def test_the_mean_of_undefined_layers_or_of_none_is_undefined():
    gap = CURVE._replace(value=np.array([0.2, np.nan, 0.4]))
    assert mean_of(gap, np.array([True, False, True])).value == pytest.approx(0.3)
    for curve, chosen in ((gap, np.ones(3, bool)), (CURVE, np.zeros(3, bool))):
        assert mean_of(curve, chosen) is UNDEFINED


def test_a_mean_over_heads_leaves_out_the_undefined():
    assert mean_over(np.array([0.1, np.nan, 0.4, 0.7])) == mean_over(np.array([0.1, 0.4, 0.7]))
    assert mean_over(np.array([np.nan])) is UNDEFINED


@pytest.mark.parametrize("n", [2, 4, 6, 30])
def test_a_mean_over_a_handful_has_student_s_interval(n):
    values = np.random.default_rng(n).normal(0.3, 0.2, n)
    expected = t.interval(0.95, n - 1, loc=values.mean(), scale=sem(values))
    np.testing.assert_allclose(mean_over(values)[:3], [values.mean(), *expected], atol=1e-12)


@pytest.mark.parametrize(("n", "bootstrapped"), [(4, 0.8), (6, 0.87)])
def test_the_interval_of_a_mean_over_a_handful_holds_as_often_as_it_says(n, bootstrapped):
    drawn = np.random.default_rng(7).normal(0.3, 0.2, (2000, n))
    for interval, often in ((mean_over, 0.95), (lambda values: bootstrap(values, seed=1), bootstrapped)):
        found = [interval(values) for values in drawn]
        assert np.mean([one.low <= 0.3 <= one.high for one in found]) == pytest.approx(often, abs=0.02)


@pytest.mark.parametrize(
    ("within", "ends"),
    [
        ((0, 1), (0, 0.6838)),
        ((-0.35, 0.68), (-0.35, 0.68)),
        ((-0.36, 0.69), (-0.3504, 0.6838)),
        ((), (-0.3504, 0.6838)),
    ],
)
def test_a_mean_lies_where_its_parts_can_lie(within, ends):
    assert mean_over(np.array([0.0, 0.1, 0.4]), *within)[1:3] == pytest.approx(ends, abs=1e-4)


def test_the_mean_of_one_head_has_no_interval():
    value, low, high, n = mean_over(np.array([0.4]), 0)
    assert (value, n) == (0.4, 1)
    assert math.isnan(low)
    assert math.isnan(high)


def test_a_rank_correlation_equals_scipys_and_its_interval_a_loop():
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 6, 15).astype(float), rng.random(15)
    first[3], second[7] = np.nan, np.nan
    found = rank_correlation(first, second, 9)
    kept = [i for i in range(15) if i not in {3, 7}]
    a, b = first[kept], second[kept]
    drawn = np.random.default_rng(9).integers(0, 13, (DRAWS, 13))
    slow = [spearmanr(a[draw], b[draw]).statistic for draw in drawn]
    expected = [spearmanr(a, b).statistic, *np.quantile(slow, [0.025, 0.975]), 13]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("first", "second"), [([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3]), ([1, 2, np.nan], [1, 2, 3])], ids=str
)
def test_a_rank_correlation_of_too_little_is_undefined(first, second):
    found = rank_correlation(np.array(first, float), np.array(second, float), 0)
    assert np.isnan(found[:3]).all()
    assert found.n == (~np.isnan(first)).sum()


def slow_partial(first, second, held):
    """What is left of both ranks after a fit by least squares, correlated."""
    fit = np.column_stack([np.ones(len(first)), *map(rankdata, held)])
    left = [rankdata(side) - fit @ np.linalg.lstsq(fit, rankdata(side), rcond=None)[0] for side in (first, second)]
    return pearsonr(*left).statistic


@pytest.mark.parametrize("held", [0, 1, 2])
def test_a_partial_rank_correlation_equals_that_of_what_a_fit_leaves_and_its_interval_a_loop(held):
    rng = np.random.default_rng(4)
    fixed = rng.integers(0, 4, (held, 40)).astype(float)
    first, second = (rng.random(40) + fixed.sum(0) for _ in range(2))
    found = partial_rank_correlation(first, second, fixed, 9)
    draws = [np.repeat(np.arange(40), times.astype(int)) for times in sample_counts(40, 9)]
    slow = [slow_partial(first[at], second[at], fixed[:, at]) for at in draws]
    expected = [slow_partial(first, second, fixed), *np.quantile(slow, [0.025, 0.975]), 40]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_what_is_constant_holds_nothing_fixed():
    rng = np.random.default_rng(5)
    first, second, held = rng.random((3, 20))
    found = partial_rank_correlation(first, second, np.stack([held, np.full(20, 7.0)]), 1)
    assert found == partial_rank_correlation(first, second, held[None], 1)


@pytest.mark.parametrize(
    ("first", "second", "held"),
    [
        ([1, 2, 3], [3, 1, 2], [[1, 0, 0]]),
        ([1, 1, 1, 1], [1, 2, 3, 4], [[1, 0, 0, 1]]),
        ([1, 2, 3, 4], [3, 1, 2, 4], [[2, 4, 6, 8]]),
        ([], [], np.zeros((1, 0))),
    ],
    ids=["too few", "constant", "nothing left", "none"],
)
def test_a_partial_rank_correlation_of_too_little_is_undefined(first, second, held):
    found = partial_rank_correlation(*(np.array(side, float) for side in (first, second, held)), 0)
    assert np.isnan(found[:3]).all()
    assert found.n == len(first)


def test_the_mean_in_layers_keeps_draws_apart():
    means = np.arange(12.0).reshape(2, 3, 2)
    np.testing.assert_array_equal(mean_in(means, np.array([True, False, True])), [2.5, 8.5])
    assert np.isnan(mean_in(means, np.zeros(3, bool))).all()
