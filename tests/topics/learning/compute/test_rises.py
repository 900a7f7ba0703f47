"""When mean curves make half of their change: births at known steps, every number against loops over single draws."""

import math

import numpy as np
import pytest

from generator.numbers.resampling import DRAWS
from generator.topics.learning.compute.curve import HALF, reached
from generator.topics.learning.compute.rises import CELLS, order, rise

STEPS = (0, 10, 20, 40, 80, 160, 320)
SEED = 5


def curves_of(births, documents, noise, seed=0, size=1.0):
    """`[document, step, ...]`: 0 before the birth, `size` from it on, and noise; `births` are steps."""
    rng = np.random.default_rng(seed)
    born = np.greater_equal.outer(np.asarray(STEPS), births)
    return size * born + rng.normal(0, noise, (documents, *born.shape))


def slow_step(curve):
    """Its place by a loop; the curve is of one draw, and rises."""
    for place, value in enumerate(curve):
        if value - curve[0] >= HALF * (curve[-1] - curve[0]):
            return place
    raise AssertionError


def slow_draws(documents, seed):
    """The documents of every draw, with their counts."""
    n = len(documents)
    for counts in np.random.default_rng(seed).multinomial(n, [1 / n] * n, size=DRAWS):
        yield [(int(count), document) for count, document in zip(counts, documents, strict=True)]


def slow_mean(weighted):
    """Mean curve of `(count, curve)`."""
    total = sum(count for count, _ in weighted)
    return [math.fsum(count * curve[at] for count, curve in weighted) / total for at in range(len(STEPS))]


def slow_quantiles(values):
    """2.5 and 97.5 %, the next value outwards."""
    ordered = sorted(values)
    return ordered[math.floor(0.025 * (len(ordered) - 1))], ordered[math.ceil(0.975 * (len(ordered) - 1))]


def slow_places(curves, seed):
    """Place of the mean curve, and those of all draws, of curves `[document][step]`; None without a change."""
    mean = slow_mean([(1, curve) for curve in curves])
    sign = 1 if mean[-1] > mean[0] else -1
    places, changes = [], []
    for weighted in slow_draws(curves, seed):
        curve = [sign * value for value in slow_mean(weighted)]
        changes.append(curve[-1] - curve[0])
        places.append(slow_step(curve) if changes[-1] > 0 else len(STEPS) - 1)
    if np.quantile(changes, 0.025) <= 0:
        return None
    return slow_step([sign * value for value in mean]), places


def test_every_number_equals_a_loop():
    births = np.array([[10, 40, 160], [80, 999, 20]])
    sizes = np.array([[1, -1, 3], [-2, 1, 0.2]])
    values = curves_of(births, 9, 0.4, size=sizes)
    values[4, 2, 0, 0] = values[1:3, :, 1, 2] = np.nan
    found = rise(STEPS, values, SEED)
    without = 0
    for place in np.ndindex(births.shape):
        rows = [row[:, *place].tolist() for row in values]
        rows = sorted(row for row in rows if not any(map(math.isnan, row)))
        mean = slow_mean([(1, row) for row in rows])
        assert found.n[place] == len(rows)
        assert (found.start[place], found.end[place]) == (pytest.approx(mean[0]), pytest.approx(mean[-1]))
        slow = slow_places(rows, SEED)
        if slow is None:
            assert np.isnan([found.step[place], found.low[place], found.high[place]]).all()
            without += 1
            continue
        low, high = slow_quantiles(slow[1])
        expected = tuple(STEPS[at] for at in (slow[0], low, high))
        assert (found.step[place], found.low[place], found.high[place]) == expected
    assert 0 < without < births.size
    assert found.n.tolist() == [[8, 9, 9], [9, 9, 7]]


@pytest.mark.parametrize("size", [1, -1])
def test_births_are_found_where_they_are(size):
    """Each place of the trailing axes has its own, so that no axis can take another's place."""
    births = np.array([[10, 20, 40], [80, 160, 320]])
    found = rise(STEPS, curves_of(births, 40, 0.3, size=size), SEED)
    np.testing.assert_array_equal(found.step, births)
    np.testing.assert_array_equal((found.low, found.high), (births, births))
    np.testing.assert_allclose(found.start, 0, atol=0.2)
    np.testing.assert_allclose(found.end, size, atol=0.2)
    assert found.n.dtype.kind == "i"


def test_a_birth_between_two_checkpoints_is_given_the_later_one():
    assert rise(STEPS, curves_of(11, 20, 0.1), SEED).step == 20


def test_documents_that_differ_in_their_births_widen_the_interval():
    early, late = curves_of(20, 15, 0.02), curves_of(160, 16, 0.02, seed=1)
    found = rise(STEPS, np.concatenate([early, late]), SEED)
    assert (found.low, found.step, found.high) == (20, 160, 160)


def test_noise_has_no_change_but_for_one_in_twenty():
    rng = np.random.default_rng(1)
    found = rise(STEPS, rng.normal(0, 1, (40, len(STEPS), 20, 20)), SEED)
    assert 0.9 < np.isnan(found.step).mean() < 0.98
    np.testing.assert_array_equal(np.isnan(found.step), np.isnan(found.low))
    np.testing.assert_array_equal(np.isnan(found.step), np.isnan(found.high))
    assert np.isfinite([found.start, found.end]).all()


@pytest.mark.parametrize("level", [0, 0.1, 1 / 3])
def test_what_stands_still_has_no_change(level):
    """However far documents are from each other."""
    still = np.broadcast_to(level * np.arange(7)[:, None, None], (7, len(STEPS), 30))
    assert np.isnan(rise(STEPS, still, SEED).step).all()


def test_a_curve_that_goes_too_far_and_comes_back_has_made_its_change():
    curve = np.array([0.0, 5, 9, 1, 1, 3, 4])
    values = curve + np.random.default_rng(0).normal(0, 0.1, (20, 1))
    assert rise(STEPS, values, SEED).step == reached(STEPS, curve) == 10
    assert rise(STEPS, -values, SEED).step == 10
    there = np.array([0.0, -5, -9, 0, 1, 3, 4])
    assert rise(STEPS, values - curve + there, SEED).step == 160


def test_half_to_the_last_digit_is_half():
    """0.3 - 0.1 is not twice 0.3 - 0.2 in floating point."""
    for unit in (0.1, 0.7, 1.1, 1e-7):
        rising = unit * np.array([1, 1, 1, 2, 3, 3, 3])
        for curve in (rising, rising[::-1]):
            found = rise(STEPS, np.stack([curve] * 3), SEED)
            assert (found.low, found.step, found.high) == (40, 40, 40)


def test_neither_the_order_of_documents_nor_one_that_defines_nothing_changes_a_number():
    values = curves_of(np.array([10, 40, 80, 160]), 12, 0.8)
    values[3, :, 1] = np.nan
    shuffled = values[np.random.default_rng(2).permutation(12)]
    more = np.concatenate([np.full((2, *values.shape[1:]), np.nan), shuffled])
    for other in (shuffled, more):
        for one, two in zip(rise(STEPS, values, SEED), rise(STEPS, other, SEED), strict=True):
            np.testing.assert_array_equal(one, two)


def test_other_columns_change_nothing_and_more_of_them_than_are_drawn_at_once_do_no_harm():
    columns = CELLS // (DRAWS * len(STEPS)) + 5
    values = curves_of(np.resize(STEPS[1:], columns), 6, 0.5)
    values[0, :, ::7] = np.nan
    together = rise(STEPS, values, SEED)
    for at in (0, 1, 8, columns - 1):
        alone = rise(STEPS, values[..., at], SEED)
        assert alone.step.shape == ()
        for one, two in zip(alone, together, strict=True):
            np.testing.assert_allclose(one, two[at], rtol=1e-12)


def test_the_seed_decides_the_draws():
    values = curves_of(np.full(200, 40), 8, 1.0)
    one, two, again = (rise(STEPS, values, seed) for seed in (1, 2, 1))
    np.testing.assert_array_equal(one.low, again.low)
    np.testing.assert_array_equal(one.start, two.start)
    assert (one.low != two.low).any()


def test_fewer_than_two_documents_have_no_step():
    values = curves_of(np.array([10, 20]), 2, 0.0)
    values[0, :, 0] = np.nan
    found = rise(STEPS, values, SEED)
    assert found.n.tolist() == [1, 2]
    np.testing.assert_array_equal(found.step, [np.nan, 20])
    np.testing.assert_array_equal(found.end, [1, 1])
    for empty in (values[:0], np.full_like(values, np.nan)):
        found = rise(STEPS, empty, SEED)
        assert found.n.tolist() == [0, 0]
        assert np.isnan(found[:5]).all()


def test_a_single_checkpoint_has_seen_no_change():
    assert np.isnan(rise([0], np.ones((4, 1, 2)), SEED).step).all()
    assert np.isnan(order([0], np.ones((4, 1)), np.ones((4, 1)), SEED).value)


@pytest.mark.parametrize(("first", "second", "expected"), [(20, 80, 2), (80, 20, -2), (40, 40, 0)])
def test_the_order_of_two_births_is_in_doublings(first, second, expected):
    found = order(STEPS, curves_of(first, 20, 0.1), curves_of(second, 20, 0.1, seed=1, size=-1), SEED)
    assert (found.value, found.low, found.high, found.n) == (expected, expected, expected, 20)


def test_two_curves_are_drawn_with_the_same_documents():
    """In every document the second is born twice as late, so that it is in every draw, whatever documents it has."""
    births = np.repeat([10, 40, 160], 5)
    first, second = ((np.asarray(STEPS) >= factor * births[:, None]).astype(float) for factor in (1, 2))
    alone = rise(STEPS, first, SEED)
    assert alone.low < alone.high
    found = order(STEPS, first, second, SEED)
    assert (found.value, found.low, found.high) == (1, 1, 1)
    apart = order(STEPS, first, second[np.random.default_rng(0).permutation(15)], SEED)
    assert apart.low < apart.high


def test_the_order_equals_a_loop():
    first, second = curves_of(20, 8, 0.5), curves_of(80, 8, 0.5, seed=1, size=-1)
    second[6, 2] = np.nan
    found = order(STEPS, first, second, SEED)
    pairs = sorted([*one, *two] for one, two in zip(first.tolist(), second.tolist(), strict=True) if two[2] == two[2])
    (a, drawn_a), (b, drawn_b) = (
        slow_places([pair[at : at + len(STEPS)] for pair in pairs], SEED) for at in (0, len(STEPS))
    )
    low, high = slow_quantiles([math.log2(STEPS[y] / STEPS[x]) for x, y in zip(drawn_a, drawn_b, strict=True)])
    assert found.value == pytest.approx(math.log2(STEPS[b] / STEPS[a]))
    assert (found.low, found.high, found.n) == (pytest.approx(low), pytest.approx(high), 7)
    assert low < high


def test_without_a_change_there_is_no_order_and_pairs_may_come_in_any_order():
    first = curves_of(np.array([20, 40]), 10, 0.6)
    second = curves_of(np.array([80, 999]), 10, 0.6, seed=1)
    second[:, 0, 1] = second[:, -1, 1]
    found = order(STEPS, first, second, SEED)
    assert np.isnan([found.value[1], found.low[1], found.high[1]]).all()
    assert found.value[0] > 0
    shuffled = np.random.default_rng(3).permutation(10)
    for one, two in zip(found, order(STEPS, first[shuffled], second[shuffled], SEED), strict=True):
        np.testing.assert_array_equal(one, two)


def test_steps_ascend():
    with pytest.raises(AssertionError, match="ascend"):
        rise([0, 20, 10], np.ones((2, 3)), SEED)
