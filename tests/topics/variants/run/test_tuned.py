"""The command `variants --task`: scores of fine-tuned trainings against lists, and what it refuses in one sentence."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from generator.corpora.tasks import find_task, read_task
from generator.experiments.code import code_of
from generator.numbers.resampling import sample_counts, unit_weights
from generator.results.manifest import Manifest
from generator.topics.variants.records import TUNED
from generator.topics.variants.run.groups import Variant
from generator.topics.variants.run.tuned import SEED, scored
from tests.experiments.reviews import write_tasks
from tests.topics.variants.run.trained import tune

VARIANTS = (Variant("with", {}, (0, 2)), Variant("without", {}, (1,)))
RUNS = ("bert-0", "no-next-0", "bert-1")


@pytest.fixture(scope="module")
def results(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives what the command stored on RTE."""
    folder = tmp_path_factory.mktemp("results")
    code, said, error = tune(root, *RUNS, results=folder)
    assert (code, said.strip()) == (0, str(folder / "bert-0@variants.rte")), error
    return folder / "bert-0@variants.rte"


def correlation(x: list[float], y: list[float]) -> float:
    """Spearman's, by ranks in which equal values share the mean."""

    def ranks(values: list[float]) -> np.ndarray:
        return np.array([sum(a < b for a in values) + (sum(a == b for a in values) + 1) / 2 for b in values])

    a, b = ranks(x), ranks(y)
    return float(
        ((a - a.mean()) * (b - b.mean())).sum() / np.sqrt(((a - a.mean()) ** 2).sum() * ((b - b.mean()) ** 2).sum())
    )


@pytest.mark.parametrize("task", ["rte", "stsb"])
def test_scores_are_those_of_lists_and_draws_take_examples_and_seeds(tmp_path: Path, task: str) -> None:
    dev = read_task(find_task(task), write_tasks(tmp_path, dev=30), "dev")
    gold = [example.label for example in dev.examples]
    rng = np.random.default_rng(4)
    right = np.array(gold) + rng.normal(0, 1.0, (3, 2, 30)) if task == "stsb" else None
    wrong = rng.random((3, 2, 30)) < np.array([0.1, 0.4, 0.2])[:, None, None]
    predicted = np.where(wrong, 1 - np.array(gold), gold) if right is None else right
    found = scored(predicted, dev, VARIANTS)

    def score(said: np.ndarray, counts: np.ndarray) -> float:
        drawn = [at for at, times in enumerate(counts) for _ in range(int(times))]
        ours, theirs = [float(said[at]) for at in drawn], [gold[at] for at in drawn]
        if task == "stsb":
            return correlation(ours, theirs)
        return sum(a == b for a, b in zip(ours, theirs, strict=True)) / len(drawn)

    once = np.ones(30)
    each = [[score(predicted[at, seed], once) for seed in (0, 1)] for at in range(3)]
    means = [sum(seeds) / 2 for seeds in each]
    assert [found[f"score.{name}"].value for name in ("1.1", "2.1", "1.2")] == pytest.approx(means)
    assert found["score.1"].value == pytest.approx((means[0] + means[2]) / 2)
    assert found["score.2.minus"].value == pytest.approx(means[1] - (means[0] + means[2]) / 2)
    assert found["score.apart"].value == pytest.approx(abs(means[0] - means[2]))
    assert found["score.1.2.seed1"].value == pytest.approx(each[2][1])
    weights = [unit_weights(2, np.random.default_rng([SEED, at])) for at in range(3)]
    draws = []
    for number, counts in enumerate(sample_counts(30, SEED), start=1):
        drawn = [
            sum(weights[at][number, seed] * score(predicted[at, seed], counts) for seed in (0, 1)) for at in range(3)
        ]
        draws.append(drawn[1] - (drawn[0] + drawn[2]) / 2)
    change = found["score.2.minus"]
    assert (change.low, change.high) == pytest.approx(tuple(np.quantile(draws, (0.025, 0.975))))
    common = max(gold.count(label) for label in {*gold}) / 30
    assert found["score.2.1.lead"].value == pytest.approx(means[1] - (0 if task == "stsb" else common))
    assert ("score.majority" in found) is (task == "rte")
    assert {number.n for name, number in found.items() if not name.endswith(("apart", "counts"))} == {30}
    for name in found:
        TUNED.quantity(name)


def test_scores_are_those_of_the_predictions_that_were_left(root: Path, results: Path) -> None:
    rows = pd.read_parquet(results / "facts.parquet").set_index("name")["value"]
    dev = read_task(find_task("rte"), root / "data", "dev")
    for name, place in (("bert-0", "1.1"), ("bert-1", "1.2"), ("no-next-0", "2.1")):
        for seed in (0, 1):
            left = root / "tuned" / name / "rte" / "pretrained" / f"seed-{seed}" / "predictions.json"
            said = json.loads(left.read_text())["predicted"]
            right = [said[example.id] == example.label for example in dev.examples]
            assert rows[f"score.{place}.seed{seed}"] == pytest.approx(sum(right) / len(right))


def test_manifest_says_what_was_compared_and_how_to_do_it_again(root: Path, results: Path) -> None:
    manifest = Manifest.read(results)
    told = {one["name"]: one for one in manifest.settings["variants"]}
    assert {name: one["settings"] for name, one in told.items()} == {
        "bert": {"next_sentence": True},
        "no-next": {"next_sentence": False},
    }
    assert manifest.command == (
        "fieldguide variants bert-0 no-next-0 bert-1 --task rte --data DIR --seeds 2 --rate 0.002 --max-tokens 128"
    )
    assert manifest.studies == {"variants": code_of("variants.rte")}
    assert code_of("variants.rte") != code_of("variants")


def test_the_same_command_trains_nothing_again(root: Path, results: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (root / "tuned").rglob("*.safetensors")}
    assert tune(root, *RUNS, results=tmp_path).exit == 0
    assert {path: path.stat().st_mtime_ns for path in (root / "tuned").rglob("*.safetensors")} == before
    assert (tmp_path / results.name / "facts.parquet").read_bytes() == (results / "facts.parquet").read_bytes()


@pytest.mark.parametrize(
    ("words", "task", "said"),
    [
        (("bert-0", "bert-1"), "rte", "differ only in their seed; compare these with `fieldguide"),
        (("bert-0", "no-next-0", "--text", "text"), "rte", "leave out --text, --corpus and --seed."),
        (("bert-0", "no-next-0", "--seed", "3"), "rte", "leave out --text, --corpus and --seed."),
        (("bert-0", "no-next-0"), "nothing", "Expected"),
        (("bert-0", "no-next-0"), "", "give its folder with --text"),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_one_sentence(
    root: Path, tmp_path: Path, words: tuple[str, ...], task: str, said: str
) -> None:
    code, _, error = tune(root, *words, task=task, results=tmp_path)
    assert code
    assert said in " ".join(error.split())
    assert not [*tmp_path.glob("*@*")]
