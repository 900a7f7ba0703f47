"""Scores equal their textbook formulas, and the table is made of stored predictions."""

import json
import math

import numpy as np
import pytest

from generator.corpora.tasks import LabelledTexts, find_task, read_task
from generator.errors import ResultsError
from generator.experiments.disable.scores import resampled
from generator.experiments.finetune.scores import METRICS, score
from generator.experiments.finetune.table import run_weights, score_table
from generator.experiments.finetune.train import PREDICTIONS
from generator.numbers.resampling import DRAWS, sample_counts
from generator.results.tables import FACTS
from tests.experiments.reviews import write_tasks


def _cells(predicted, gold):
    pairs = list(zip(predicted, gold, strict=True))
    return [sum((said, true) == cell for said, true in pairs) for cell in ((1, 1), (1, 0), (0, 1), (0, 0))]


def _accuracy(predicted, gold):
    return sum(said == true for said, true in zip(predicted, gold, strict=True)) / len(gold)


def _f1(predicted, gold):
    hits, wrong, missed, _ = _cells(predicted, gold)
    return 2 * hits / (2 * hits + wrong + missed)


def _matthews(predicted, gold):
    hits, wrong, missed, rest = _cells(predicted, gold)
    return (hits * rest - wrong * missed) / math.sqrt(
        (hits + wrong) * (hits + missed) * (rest + wrong) * (rest + missed)
    )


def _pearson(predicted, gold):
    x, y = sum(predicted) / len(predicted), sum(gold) / len(gold)
    top = sum((a - x) * (b - y) for a, b in zip(predicted, gold, strict=True))
    return top / math.sqrt(sum((a - x) ** 2 for a in predicted) * sum((b - y) ** 2 for b in gold))


def _ranks(values):
    """1-based; equal values share the mean of their ranks."""
    return [sum(other < one for other in values) + (sum(other == one for other in values) + 1) / 2 for one in values]


def _spearman(predicted, gold):
    return _pearson(_ranks(predicted), _ranks(gold))


SLOW = {"accuracy": _accuracy, "f1": _f1, "matthews": _matthews, "pearson": _pearson, "spearman": _spearman}


def answers(metric, examples=40, seed=3):
    """Predictions that are right more often than not, of less than half of class 1, and what is true."""
    rng = np.random.default_rng(seed)
    if metric in ("pearson", "spearman"):
        gold = rng.integers(0, 11, examples) / 2
        return gold**2 + rng.normal(0, 3, examples).round(), gold
    gold = (rng.random(examples) < 0.4).astype(int)
    return np.where(rng.random(examples) < 0.7, gold, 1 - gold), gold


@pytest.mark.parametrize("metric", METRICS)
def test_a_score_equals_its_formula(metric):
    predicted, gold = answers(metric)
    expected = SLOW[metric](predicted.tolist(), gold.tolist())
    assert score(metric, predicted, gold) == pytest.approx(expected, abs=1e-12)
    assert 0 < expected < 1


def test_f1_is_that_of_class_1():
    predicted, gold = answers("f1")
    assert score("f1", predicted, gold) != pytest.approx(score("f1", 1 - predicted, 1 - gold))


def test_saying_the_same_of_everything_scores_nothing_or_is_not_defined():
    gold = np.array([0, 1, 1, 0, 1])
    assert score("f1", np.zeros(5), gold) == 0
    assert score("matthews", np.ones(5), gold) == 0
    assert math.isnan(score("pearson", np.ones(5), gold))
    assert math.isnan(score("spearman", np.ones(5), gold))


def put(folder, kind, seed, gold, said):
    place = folder / kind / f"seed-{seed}"
    place.mkdir(parents=True)
    names = [one.id for one in gold.examples]
    content = {"dev_sha256": gold.sha256, "predicted": dict(zip(names, said, strict=True))}
    (place / PREDICTIONS).write_text(json.dumps(content), encoding="utf-8")


def stored(folder, kind, seed):
    """[example]"""
    content = json.loads((folder / kind / f"seed-{seed}" / PREDICTIONS).read_text("utf-8"))
    return np.array(list(content["predicted"].values()))


MADE = {"pretrained": 3, "random": 2, "pretrained-frozen": 1}
"""Folder -> runs; how often a run of it is right is made up, too."""
NAMED = {"pretrained": "pretrained.fine-tuned", "random": "random.fine-tuned", "pretrained-frozen": "pretrained.frozen"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Made-up predictions of two seeds or more, of a random start, and of one run of a frozen encoder."""
    folder = tmp_path_factory.mktemp("runs")
    gold = read_task(find_task("sst2"), write_tasks(folder / "data", dev=30), "dev")
    rng = np.random.default_rng(0)
    labels = np.array([one.label for one in gold.examples])
    for kind, seeds in MADE.items():
        for seed in range(seeds):
            wrong = rng.random(30) < 0.2 + 0.1 * seed
            put(folder / "sst2", kind, seed, gold, np.where(wrong, 1 - labels, labels).astype(int).tolist())
    return folder / "sst2", gold


def test_the_table_holds_each_seed_their_mean_the_majority_and_differences(runs):
    folder, gold = runs
    table = score_table("tiny", gold.task, folder, gold)
    assert set(table.columns) == set(FACTS.names)
    assert set(table[["model", "corpus", "study", "layer", "n"]].itertuples(index=False, name=None)) == {
        ("tiny", "sst2", "scores", 0, 30)
    }, "n counts examples, which all seeds share"
    true = [one.label for one in gold.examples]
    expected = {"majority": max(true.count(0), true.count(1)) / len(true)}
    for kind, seeds in MADE.items():
        each = [_accuracy(stored(folder, kind, seed), true) for seed in range(seeds)]
        expected |= {f"{NAMED[kind]}.seed{seed}": one for seed, one in enumerate(each)}
        expected[NAMED[kind]] = sum(each) / seeds
        expected[f"{NAMED[kind]}.lead"] = sum(each) / seeds - expected["majority"]
    tuned = "pretrained.fine-tuned"
    for other in ("random.fine-tuned", "pretrained.frozen"):
        expected[f"{tuned}.minus.{other}"] = expected[tuned] - expected[other]
    expected = {f"accuracy.{name}": value for name, value in expected.items()}
    assert dict(table.set_index("name")["value"]) == pytest.approx(expected)
    assert (table["low"] < table["value"]).all()
    assert (table["value"] < table["high"]).all()


def slow_draws(folder, gold, kind, seed):
    """`[draw, run]` by a loop: every run is scored on the examples as often as they are drawn."""
    labels = np.array([one.label for one in gold.examples])
    said = [stored(folder, kind, run) for run in range(MADE[kind])]
    draws = []
    for times in np.random.default_rng(seed).multinomial(30, np.full(30, 1 / 30), size=DRAWS):
        drawn = np.repeat(np.arange(30), times)
        draws.append([_accuracy(one[drawn], labels[drawn]) for one in said])
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
    labels = np.array([one.label for one in gold.examples])
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
        both = (draws * run_weights(5, np.random.default_rng(study))[1:]).sum(1), draws.mean(1)
        for at, one in enumerate(both):
            low, high = np.quantile(one, [0.025, 0.975])
            held[at] += low <= 0.7 <= high
    assert held[0] > 0.85 * 200
    assert held[1] < 0.7 * 200


def test_weights_of_runs_add_up_and_vary_as_means_of_new_runs_do():
    scores = np.array([0.2, 0.5, 0.3, 0.9])
    weights = run_weights(4, np.random.default_rng(0))
    assert weights.shape == (1 + DRAWS, 4)
    assert weights.sum(1) == pytest.approx(1)
    assert weights[0] == pytest.approx(0.25)
    assert (weights @ scores).var() == pytest.approx(scores.var(ddof=1) / 4, rel=0.1)
    assert set(run_weights(1, np.random.default_rng(0)).ravel()) == {1.0}


def test_the_mean_score_of_a_regression_is_not_defined_for_its_baseline(tmp_path):
    gold = read_task(find_task("stsb"), write_tasks(tmp_path / "data", dev=30), "dev")
    labels = [one.label for one in gold.examples]
    put(tmp_path / "stsb", "pretrained", 0, gold, [one + number % 3 for number, one in enumerate(labels)])
    table = score_table("tiny", gold.task, tmp_path / "stsb", gold).set_index("name")
    assert table.loc["spearman.majority", ["value", "low", "high"]].isna().all()
    assert table.loc["pearson.majority", ["value", "low", "high"]].isna().all()
    row = table.loc["spearman.pretrained.fine-tuned"]
    assert -1 <= row["low"] < row["value"] < row["high"] <= 1
    led = table.loc["spearman.pretrained.fine-tuned.lead"]
    assert list(led[["value", "low", "high"]]) == list(row[["value", "low", "high"]]), "its correlation counts as 0"


def test_a_part_of_the_examples_can_be_scored(runs):
    folder, gold = runs
    part = LabelledTexts(gold.task, gold.sha256, gold.examples[::3])
    assert set(score_table("tiny", gold.task, folder, part)["n"]) == {10}


def test_what_cannot_be_scored_is_said(runs, tmp_path):
    folder, gold = runs
    with pytest.raises(ResultsError, match="found none; run: fieldguide finetune"):
        score_table("tiny", gold.task, tmp_path, gold)
    with pytest.raises(ResultsError, match="found those of another file; give"):
        score_table("tiny", gold.task, folder, LabelledTexts(gold.task, "0" * 64, gold.examples))
    place = tmp_path / "random" / "seed-0"
    place.mkdir(parents=True)
    (place / PREDICTIONS).write_text("{")
    with pytest.raises(ResultsError, match=r"delete .* and run again"):
        score_table("tiny", gold.task, tmp_path, gold)
