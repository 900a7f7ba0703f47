"""Rank correlation of the step at which types are learned with their frequency."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from generator.errors import ResultsError
from generator.topics.learning.compute.curve import NEARLY_ALL, earlier_when_frequent, held, reached, type_correlations

STEPS = (0, 20, 40, 60, 80)


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


def slow_steps(curve):
    """By loops: the first step, the step from which on, and whether the change is undone between them."""
    made = [(value - curve[0]) / (curve[-1] - curve[0]) for value in curve]
    first = next(at for at in range(len(STEPS)) if made[at] >= NEARLY_ALL)
    kept = next(at for at in range(len(STEPS)) if all(share >= NEARLY_ALL for share in made[at:]))
    return STEPS[first], STEPS[kept], any(share < 0.5 for share in made[first:])


def tables_of(received, loss, counts, corpus="text"):
    """`types` at every checkpoint; arrays are `[type, step]`."""
    tokens = [f"token{at}" for at in range(len(counts))]
    return [
        pd.DataFrame(
            {
                "model": f"step-{step}",
                "corpus": corpus,
                "token": tokens,
                "count": np.asarray(counts, np.int32),
                "received": received[:, at],
                "loss": loss[:, at],
            }
        )
        for at, step in enumerate(STEPS)
    ]


@pytest.fixture(scope="module")
def noisy():
    """Twenty types; attention rises a little, losses fall, and every fifth has none."""
    rng = np.random.default_rng(4)
    received = rng.normal(1, 0.3, (20, 5)) + np.minimum(np.linspace(0, 2, 5), 1)
    loss = rng.normal(9, 0.3, (20, 5)) - np.minimum(np.linspace(0, 8, 5), 4)
    loss[::5] = np.nan
    return received, loss, rng.integers(10, 30, 20)


def test_frequent_types_that_are_learned_early_correlate_below_nothing():
    """Attention changes in the order of frequency, losses in the opposite order."""
    counts = np.array([800, 400, 200, 100] * 3)
    learned = np.array([1, 2, 3, 4] * 3)
    received = (np.arange(5) >= learned[:, None]).astype(float)
    loss = 9.0 - (np.arange(5) >= 5 - learned[:, None])
    found = type_correlations(STEPS, tables_of(received, loss, counts), seed=0).set_index("name")
    assert found["value"].to_dict() == pytest.approx(
        {
            "attention.spearman": -1,
            "attention.first.spearman": -1,
            "attention.held.spearman": -1,
            "attention.undone": 0,
            "loss.spearman": 1,
            "loss.first.spearman": 1,
            "loss.held.spearman": 1,
            "loss.undone": 0,
            "loss.not_falling": 0,
        }
    )
    assert set(found["n"]) == {12}


def test_every_correlation_equals_one_by_loops_and_the_logarithm_changes_nothing(noisy):
    received, loss, counts = noisy
    found = type_correlations(STEPS, tables_of(*noisy), seed=0)
    assert list(found.columns) == ["corpus", "study", "name", "value", "low", "high", "n"]
    assert (set(found["corpus"]), set(found["study"]), str(found["n"].dtype)) == ({"text"}, {"types"}, "int32")
    found = found.set_index("name")
    known = ~np.isnan(loss).any(axis=1)
    for name, curves, frequency in (("attention", received, counts), ("loss", loss[known], counts[known])):
        steps = [slow_steps(curve) for curve in curves]
        kept = [at for at, (_, _, back) in enumerate(steps) if not back]
        assert (found["value"][f"{name}.undone"], found["n"][f"{name}.undone"]) == (len(steps) - len(kept), len(steps))
        whole = range(len(steps))
        for of, place, types in (("spearman", 0, kept), ("first.spearman", 0, whole), ("held.spearman", 1, whole)):
            row = found.loc[f"{name}.{of}"]
            expected = spearmanr(np.log(frequency[types]), [steps[at][place] for at in types]).statistic
            assert row["value"] == pytest.approx(expected, abs=1e-12)
            assert row["low"] < expected < row["high"]
            assert row["n"] == len(types)
    assert found["value"]["attention.undone"] > 0
    assert found["value"]["attention.first.spearman"] != found["value"]["attention.held.spearman"]


def test_a_loss_that_does_not_fall_is_left_out_and_counted(noisy):
    received, loss, counts = noisy
    worse = loss.copy()
    worse[[1, 2]] = loss[[1, 2], ::-1]
    worse[3] = 7
    found = type_correlations(STEPS, tables_of(received, worse, counts), seed=0).set_index("name")
    kept = [at for at in range(20) if at % 5 and at > 3]
    expected = type_correlations(STEPS, tables_of(received[kept], loss[kept], counts[kept]), seed=0).set_index("name")
    assert found["value"]["loss.spearman"] == expected["value"]["loss.spearman"]
    assert found["n"]["loss.spearman"] == len(kept) == 13
    assert (found["value"]["loss.not_falling"], found["n"]["loss.not_falling"]) == (3, 16)
    assert found["n"]["attention.undone"] == 20


def test_types_are_joined_by_token_and_corpora_stay_apart(noisy):
    received, loss, counts = noisy
    first = tables_of(*noisy, corpus="b")
    second = tables_of(received[::-1] * np.linspace(1, 2, 20)[:, None], loss, counts, corpus="a")
    shuffled = [
        pd.concat(pair, ignore_index=True).sample(frac=1, random_state=at)
        for at, pair in enumerate(zip(first, second, strict=True))
    ]
    found = type_correlations(STEPS, shuffled, seed=0)
    alone = [type_correlations(STEPS, tables, seed=0) for tables in (second, first)]
    pd.testing.assert_frame_equal(found, pd.concat(alone, ignore_index=True), check_exact=True)
    missing = [*shuffled[:4], first[4]]
    pd.testing.assert_frame_equal(type_correlations(STEPS, missing, seed=0), alone[1], check_exact=True)


def test_a_model_without_a_head_has_correlations_of_attention_alone(noisy):
    received, loss, counts = noisy
    found = type_correlations(STEPS, tables_of(received, np.full_like(loss, np.nan), counts), seed=0)
    assert found["name"].tolist() == [
        f"attention.{of}" for of in ("spearman", "first.spearman", "held.spearman", "undone")
    ]


def test_types_without_a_change_have_no_correlation(noisy):
    _, loss, counts = noisy
    found = type_correlations(STEPS, tables_of(np.ones_like(loss), loss, counts), seed=0).set_index("name")
    assert found["n"]["attention.spearman"] == 0
    assert np.isnan(found.loc["attention.spearman", ["value", "low", "high"]].astype(float)).all()


def test_checkpoints_that_read_another_text_are_refused(noisy):
    tables = tables_of(*noisy)
    other = [*tables[:3], tables[3].assign(count=tables[3]["count"] + 1), tables[4]]
    with pytest.raises(ResultsError, match=r"^Expected .* of text .* found others at step 60 .*; analyse .*\.$"):
        type_correlations(STEPS, other, seed=0)
    with pytest.raises(ResultsError, match="step 80"):
        type_correlations(STEPS, [*tables[:4], tables[4][1:]], seed=0)


def test_noise_draws_the_two_steps_apart_where_rare_types_change_less():
    """All types are learned at one time, but for chance; the change of a type grows with its frequency."""
    rng = np.random.default_rng(0)
    size = np.minimum(rng.exponential(0.25, (300, 1)), 1)
    counts = 10 * np.exp(5 * size[:, 0])
    learned = 1 / (1 + np.exp(-(np.arange(24) - rng.normal(12, 1, (300, 1)))))
    correlations = {}
    for noise in (1e-6, 0.3):
        curves = (0.5 + 5 * size) * learned + rng.normal(0, noise, learned.shape)
        correlations[noise] = [
            earlier_when_frequent(range(24), curves, counts, seed=0, step_of=step_of) for step_of in (reached, held)
        ]
    first, last = correlations[1e-6]
    assert first == last
    assert first.low < 0 < first.high
    first, last = correlations[0.3]
    assert last.high < 0 < first.value
    assert first.value > last.value + 0.3
