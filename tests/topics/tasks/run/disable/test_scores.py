"""Resampled scores against those of repeated examples; simultaneous intervals against loops and by simulation."""

import numpy as np
import pytest

from generator.numbers.resampling import sample_counts
from generator.topics.tasks.run.disable.scores import MEAN, changes, resampled
from tests.topics.tasks.run.disable.scored import METRICS, score

EXAMPLES = 23


def cases(metric):
    """Predictions of several conditions, and what is right; some do not vary at all."""
    rng = np.random.default_rng(1)
    if metric in ("pearson", "spearman"):
        gold = np.round(rng.normal(size=EXAMPLES), 1)
        noisy = gold + rng.normal(size=(3, EXAMPLES))
        return np.vstack([noisy, np.round(noisy[:1]), -noisy[:1] + 1000, np.full((1, EXAMPLES), 0.1)]), gold
    classes = 3 if metric in ("accuracy", "matthews") else 2
    gold = rng.integers(classes, size=EXAMPLES).astype(float)
    noisy = np.where(rng.random((3, EXAMPLES)) < 0.4, rng.integers(classes, size=(3, EXAMPLES)), gold)
    return np.vstack([noisy, gold[None], np.zeros((1, EXAMPLES)), np.ones((1, EXAMPLES))]), gold


@pytest.mark.filterwarnings("ignore:A single label was found")
@pytest.mark.parametrize("metric", METRICS)
def test_a_resampled_score_is_the_score_of_the_drawn_examples(metric):
    predicted, gold = cases(metric)
    counts = np.vstack([np.ones(EXAMPLES), sample_counts(EXAMPLES, 5)[:40], 7 * np.eye(EXAMPLES)[:2]])
    found = resampled(metric, predicted, gold, counts)
    assert found.shape == (len(counts), len(predicted))
    for draw, count in enumerate(counts.astype(int)):
        rows = np.repeat(np.arange(EXAMPLES), count)
        for condition, one in enumerate(predicted):
            expected = score(metric, one[rows], gold[rows])
            np.testing.assert_allclose(found[draw, condition], expected, atol=1e-9)


def test_a_mean_is_resampled_as_a_mean():
    outcomes = np.array([[1.0, 2.0, 6.0]])
    assert resampled(MEAN, outcomes, np.zeros(3), np.array([[1.0, 1, 1], [0, 3, 0]])).tolist() == [[3.0], [2.0]]


def test_intervals_equal_loops_over_draws():
    rng = np.random.default_rng(2)
    draws = rng.normal(size=(400, 3)) * [1, 2, 0] + [0.5, -1, 0.25]
    value = np.array([0.4, -1.1, 0.25])
    found = changes(draws, value)
    deviations = [np.sqrt(np.mean([(draw - draws[:, at].mean()) ** 2 for draw in draws[:, at]])) for at in (0, 1)]
    largest = [max(abs(draw[at] - value[at]) / deviations[at] for at in (0, 1)) for draw in draws]
    factor = np.quantile(largest, 0.95)
    for at in (0, 1):
        np.testing.assert_allclose(found.low[at], np.quantile(draws[:, at], 0.025))
        np.testing.assert_allclose(found.high[at], np.quantile(draws[:, at], 0.975))
        np.testing.assert_allclose(found.family_low[at], value[at] - factor * deviations[at])
        np.testing.assert_allclose(found.family_high[at], value[at] + factor * deviations[at])
    unmoved = (found.low[2], found.high[2], found.family_low[2], found.family_high[2])
    assert unmoved == (0.25, 0.25, 0.25, 0.25)


def test_rounding_is_no_change():
    found = changes(
        np.full((50, 2), [1e-17, 0.1]) + np.array([[0, 1e-3]]) * np.arange(50)[:, None], np.array([1e-17, 0.1])
    )
    assert [float(part[0]) for part in found] == [0.0] * 5


def test_what_is_undefined_stays_so_and_touches_nothing_else():
    rng = np.random.default_rng(3)
    draws = rng.normal(size=(200, 2))
    alone = changes(draws[:, :1], np.zeros(1))
    beside = changes(np.where([False, True], np.nan, draws), np.array([0.0, np.nan]))
    assert [float(part[0]) for part in alone] == [float(part[0]) for part in beside]
    assert all(np.isnan(part[1]) for part in beside)


def test_among_heads_that_change_nothing_on_average_hardly_ever_one_is_said_to_be_better_without():
    """Of 200 repetitions with 40 heads each, 5 % may be wrong; pointwise intervals are wrong in most."""
    rng = np.random.default_rng(4)
    examples, heads, repetitions = 150, 40, 200
    counts = sample_counts(examples, 0)
    wrong = np.zeros(2)
    for _ in range(repetitions):
        flips = rng.random((heads, examples))
        delta = np.where(flips < 0.05, 1.0, np.where(flips > 0.95, -1.0, 0.0))
        found = changes(resampled(MEAN, delta, np.zeros(examples), counts), delta.mean(1))
        wrong += (found.family_low > 0).any(), (found.low > 0).any()
    assert wrong[0] <= 0.06 * repetitions
    assert wrong[1] >= 0.4 * repetitions


def test_a_head_whose_removal_helps_is_found():
    rng = np.random.default_rng(5)
    delta = np.zeros((30, 200))
    delta[:29] = rng.choice([-1, 0, 1], p=[0.05, 0.9, 0.05], size=(29, 200))
    delta[29, :40] = 1
    found = changes(resampled(MEAN, delta, np.zeros(200), sample_counts(200, 0)), delta.mean(1))
    assert found.family_low[29] > 0
