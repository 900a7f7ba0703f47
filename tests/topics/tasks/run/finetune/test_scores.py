"""Scores equal their textbook formulas, and the table is made of stored predictions."""

import math

import numpy as np
import pytest

from generator.corpora.tasks import LabelledTexts, find_task, read_task
from generator.errors import ResultsError
from generator.results.tables import FACTS
from generator.topics.tasks.run.disable.scores import resampled
from generator.topics.tasks.run.finetune.table import score_table
from generator.topics.tasks.run.finetune.train import PREDICTIONS
from tests.experiments.reviews import write_tasks
from tests.topics.tasks.run.finetune.answers import MADE, NAMED, accuracy, put, stored


def _cells(predicted, gold):
    pairs = list(zip(predicted, gold, strict=True))
    return [sum((said, true) == cell for said, true in pairs) for cell in ((1, 1), (1, 0), (0, 1), (0, 0))]


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
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values
    ]


def _spearman(predicted, gold):
    return _pearson(_ranks(predicted), _ranks(gold))


SLOW = {"accuracy": accuracy, "f1": _f1, "matthews": _matthews, "pearson": _pearson, "spearman": _spearman}


def answers(metric, examples=40, seed=3):
    """Predictions that are right more often than not, of less than half of class 1, and what is true."""
    rng = np.random.default_rng(seed)
    if metric in ("pearson", "spearman"):
        gold = rng.integers(0, 11, examples) / 2
        return gold**2 + rng.normal(0, 3, examples).round(), gold
    gold = (rng.random(examples) < 0.4).astype(int)
    return np.where(rng.random(examples) < 0.7, gold, 1 - gold), gold


def score(metric, predicted, gold):
    """Of the examples themselves, each of which counts once."""
    return resampled(metric, predicted[None], gold, np.ones((1, len(gold))))[0, 0]


@pytest.mark.parametrize("metric", SLOW)
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


def test_the_table_holds_each_seed_their_mean_the_majority_and_differences(runs):
    folder, gold = runs
    table = score_table("tiny", gold.task, folder, gold)
    assert set(table.columns) == set(FACTS.names)
    assert set(table[["model", "corpus", "study", "layer", "n"]].itertuples(index=False, name=None)) == {
        ("tiny", "sst2", "scores", 0, 30)
    }, "n counts examples, which all seeds share"
    true = [example.label for example in gold.examples]
    expected = {"majority": max(true.count(0), true.count(1)) / len(true)}
    for kind, seeds in MADE.items():
        each = [accuracy(stored(folder, kind, seed), true) for seed in range(seeds)]
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


def test_the_mean_score_of_a_regression_is_not_defined_for_its_baseline(tmp_path):
    gold = read_task(find_task("stsb"), write_tasks(tmp_path / "data", dev=30), "dev")
    labels = [example.label for example in gold.examples]
    put(tmp_path / "stsb", "pretrained", 0, gold, [label + number % 3 for number, label in enumerate(labels)])
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
