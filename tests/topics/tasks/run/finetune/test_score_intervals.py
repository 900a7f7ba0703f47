"""Intervals of scores resample examples and seeds together, and cover what varies between trainings."""

import math

import numpy as np
import pytest

from generator.numbers.resampling import DRAWS, sample_counts, unit_weights
from generator.topics.tasks.run.disable.scores import resampled
from generator.topics.tasks.run.finetune.table import score_table
from tests.topics.tasks.run.finetune.answers import MADE, NAMED, accuracy, stored


def slow_draws(folder, gold, kind, seed):
    """`[draw, run]` by a loop: every run is scored on the examples as often as they are drawn."""
    labels = np.array([example.label for example in gold.examples])
    said = [stored(folder, kind, run) for run in range(MADE[kind])]
    draws = []
    for times in np.random.default_rng(seed).multinomial(30, np.full(30, 1 / 30), size=DRAWS):
        drawn = np.repeat(np.arange(30), times)
        draws.append([accuracy(one[drawn], labels[drawn]) for one in said])
    return np.array(draws)


def slow_mean(draws, name, seed):
    """`[draw]` of the mean over runs, by a loop: the drawn runs' mean, drawn out from that of all on the same examples.

    A mean of k drawn runs varies by (k - 1) / k of what a mean of k new ones does.
    """
    runs = draws.shape[1]
    if runs == 1:
        return draws[:, 0]
    found = []
    drawn = np.random.default_rng([seed, *name.encode()]).multinomial(runs, np.full(runs, 1 / runs), size=DRAWS)
    for scores, times in zip(draws, drawn, strict=True):
        whole = sum(scores) / runs
        sample = [score for score, count in zip(scores, times, strict=True) for _ in range(count)]
        found.append(whole + (sum(sample) / runs - whole) / math.sqrt((runs - 1) / runs))
    return np.array(found)


def test_intervals_resample_examples_and_seeds_and_pair_what_is_compared(runs):
    folder, gold = runs
    table = score_table("tiny", gold.task, folder, gold, seed=5).set_index("name")
    labels = np.array([example.label for example in gold.examples])
    answer = float(np.bincount(labels.astype(int)).argmax())
    times = np.random.default_rng(5).multinomial(30, np.full(30, 1 / 30), size=DRAWS)
    majority = np.array([((labels == answer) * count).sum() / 30 for count in times])
    expected, means = {"majority": majority}, {}
    for kind, name in NAMED.items():
        draws = slow_draws(folder, gold, kind, 5)
        means[name] = slow_mean(draws, name, 5)
        expected |= {name: means[name], f"{name}.lead": means[name] - majority}
        expected |= {f"{name}.seed{run}": one for run, one in enumerate(draws.T)}
    tuned = "pretrained.fine-tuned"
    for other in ("random.fine-tuned", "pretrained.frozen"):
        expected[f"{tuned}.minus.{other}"] = means[tuned] - means[other]
    assert len(expected) == len(table)
    for name, draws in expected.items():
        row = table.loc[f"accuracy.{name}"]
        assert (row["low"], row["high"]) == pytest.approx(np.quantile(draws, [0.025, 0.975])), name


def test_an_interval_covers_what_varies_between_trainings():
    """Five trainings that differ, 200 simulated studies: without resampling seeds, most intervals miss the mean."""
    rng = np.random.default_rng(1)
    held = np.zeros(2)
    for study in range(200):
        skill = rng.normal(0.7, 0.06, 5)
        right = rng.random((5, 300)) < skill[:, None]
        counts = sample_counts(300, study)
        draws = resampled("accuracy", right.astype(float), np.ones(300), counts)
        both = (draws * unit_weights(5, np.random.default_rng(study))[1:]).sum(1), draws.mean(1)
        for at, one in enumerate(both):
            low, high = np.quantile(one, [0.025, 0.975])
            held[at] += low <= 0.7 <= high
    assert held[0] > 0.85 * 200
    assert held[1] < 0.7 * 200


def test_weights_of_runs_add_up_and_vary_as_means_of_new_runs_do():
    scores = np.array([0.2, 0.5, 0.3, 0.9])
    weights = unit_weights(4, np.random.default_rng(0))
    assert weights.shape == (1 + DRAWS, 4)
    assert weights.sum(1) == pytest.approx(1)
    assert weights[0] == pytest.approx(0.25)
    assert (weights @ scores).var() == pytest.approx(scores.var(ddof=1) / 4, rel=0.1)
    assert set(unit_weights(1, np.random.default_rng(0)).ravel()) == {1.0}
