"""Scores equal their textbook formulas, and the table is made of stored predictions."""

import json
import math

import numpy as np
import pytest

from generator.corpora.tasks import LabelledTexts, find_task, read_task
from generator.errors import ResultsError
from generator.experiments.finetune import PREDICTIONS
from generator.experiments.finetune_table import score_table
from generator.experiments.scores import METRICS, score
from generator.results.intervals import DRAWS
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


def put(folder, kind, seed, gold, said, constant):
    place = folder / kind / f"seed-{seed}"
    place.mkdir(parents=True)
    names = [one.id for one in gold.examples]
    content = {"dev_sha256": gold.sha256, "constant": constant, "predicted": dict(zip(names, said, strict=True))}
    (place / PREDICTIONS).write_text(json.dumps(content), encoding="utf-8")


def stored(folder, kind, seed):
    """[example]"""
    content = json.loads((folder / kind / f"seed-{seed}" / PREDICTIONS).read_text("utf-8"))
    return np.array(list(content["predicted"].values()))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Made-up predictions of two seeds, of a random start, and of a frozen encoder."""
    folder = tmp_path_factory.mktemp("runs")
    gold = read_task(find_task("sst2"), write_tasks(folder / "data", dev=30), "dev")
    rng = np.random.default_rng(0)
    for kind, seeds in (("pretrained", 2), ("random", 1), ("pretrained-frozen", 1)):
        for seed in range(seeds):
            put(folder / "sst2", kind, seed, gold, (rng.random(30) < 0.5).astype(int).tolist(), 0.0)
    return folder / "sst2", gold


def test_the_table_holds_each_seed_their_mean_and_the_majority(runs):
    folder, gold = runs
    table = score_table("tiny", gold.task, folder, gold)
    assert set(table.columns) == set(FACTS.names)
    assert set(table[["model", "corpus", "study", "layer", "n"]].itertuples(index=False, name=None)) == {
        ("tiny", "sst2", "scores", 0, 30)
    }
    values = table.set_index("name")["value"]
    true = [one.label for one in gold.examples]

    def expected(kind, seed):
        return _accuracy(stored(folder, kind, seed), true)

    one, two = expected("pretrained", 0), expected("pretrained", 1)
    assert dict(values) == pytest.approx(
        {
            "accuracy.pretrained.fine-tuned": (one + two) / 2,
            "accuracy.pretrained.fine-tuned.seed0": one,
            "accuracy.pretrained.fine-tuned.seed1": two,
            "accuracy.random.fine-tuned": expected("random", 0),
            "accuracy.random.fine-tuned.seed0": expected("random", 0),
            "accuracy.pretrained.frozen": expected("pretrained-frozen", 0),
            "accuracy.pretrained.frozen.seed0": expected("pretrained-frozen", 0),
            "accuracy.majority": true.count(0) / len(true),
        }
    )
    assert (table["low"] < table["value"]).all()
    assert (table["value"] < table["high"]).all()


def test_an_interval_is_over_examples_and_that_of_a_mean_over_seeds_on_each_draw(runs):
    """A slow loop: every seed is scored on the examples as often as they are drawn."""
    folder, gold = runs
    labels = np.array([one.label for one in gold.examples])
    said = [stored(folder, "pretrained", seed) for seed in (0, 1)]
    draws = []
    for times in np.random.default_rng(5).multinomial(30, np.full(30, 1 / 30), size=DRAWS):
        drawn = np.repeat(np.arange(30), times)
        draws.append([_accuracy(one[drawn], labels[drawn]) for one in said])
    table = score_table("tiny", gold.task, folder, gold, seed=5).set_index("name")
    for name, values in zip(("", ".seed0", ".seed1"), (np.mean(draws, axis=1), *np.transpose(draws)), strict=True):
        row = table.loc[f"accuracy.pretrained.fine-tuned{name}"]
        assert (row["low"], row["high"]) == pytest.approx(np.quantile(values, [0.025, 0.975]))


def test_the_mean_score_of_a_regression_is_not_defined_for_its_baseline(tmp_path):
    gold = read_task(find_task("stsb"), write_tasks(tmp_path / "data", dev=30), "dev")
    labels = [one.label for one in gold.examples]
    put(tmp_path / "stsb", "pretrained", 0, gold, [one + number % 3 for number, one in enumerate(labels)], 2.5)
    table = score_table("tiny", gold.task, tmp_path / "stsb", gold).set_index("name")
    assert table.loc["spearman.majority", ["value", "low", "high"]].isna().all()
    assert table.loc["pearson.majority", ["value", "low", "high"]].isna().all()
    row = table.loc["spearman.pretrained.fine-tuned"]
    assert -1 <= row["low"] < row["value"] < row["high"] <= 1


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
