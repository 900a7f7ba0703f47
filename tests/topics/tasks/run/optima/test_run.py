"""The command `optima`, from a tiny encoder to stored numbers: starts, lines, going on, and what it refuses."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from generator.experiments.code import code_of
from generator.results.manifest import Manifest
from generator.topics.tasks.run.optima.lines import between
from tests.topics.tasks.run.optima.small import ends, run

HEAD = "classifier."


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives a folder with an encoder, tasks, and what the command made of them."""
    folder = tmp_path_factory.mktemp("optima")
    ends(folder)
    return folder


@pytest.fixture
def numbers(root: Path) -> pd.DataFrame:
    """Gives what was stored, by name."""
    return pd.read_parquet(root / "results" / "bert@optima.rte" / "facts.parquet").set_index("name")


def made(root: Path, *parts: str) -> Path:
    return root.joinpath("out", "bert@optima", "rte", *parts)


def tuned(root: Path, start: str, order: int) -> Path:
    return made(root, "runs", start, "rte", "pretrained", f"seed-{order}")


def test_starts_differ_in_the_head_alone_or_in_all(root: Path) -> None:
    first, second, random, other = (
        load_file(made(root, "starts", name) / "model.safetensors")
        for name in ("pretrained-0", "pretrained-1", "random-0", "random-1")
    )
    matrices = [name for name in first if name.endswith("weight") and "LayerNorm" not in name]
    assert {name for name in first if not torch.equal(first[name], second[name])} == {f"{HEAD}weight"}
    assert {name for name in matrices if torch.equal(random[name], other[name])} == set()
    assert {name for name in matrices if torch.equal(first[name], random[name])} == set()


def test_trainings_of_one_start_differ_in_their_order(root: Path) -> None:
    names = [path.parent.parent.parent.name for path in sorted(made(root, "runs").rglob("seed-*"))]
    assert names == ["pretrained-0", "pretrained-0", "pretrained-1", "random-0", "random-0", "random-1"]
    one, two = (load_file(tuned(root, "random-0", order) / "model.safetensors") for order in (0, 1))
    assert not torch.equal(one[f"{HEAD}weight"], two[f"{HEAD}weight"])


def losses(root: Path, weights: dict[str, torch.Tensor], split: str) -> list[float]:
    """The loss of each example, which transformers' own model reads alone, without padding."""
    model = AutoModelForSequenceClassification.from_pretrained(tuned(root, "random-0", 0)).eval()
    model.load_state_dict(weights)
    tokenizer = AutoTokenizer.from_pretrained(root / "bert")
    lines = (root / "data" / "RTE" / f"{split}.tsv").read_text().splitlines()[1:]
    found = []
    for _, first, second, label in (line.split("\t") for line in lines):
        with torch.inference_mode():
            shares = model(**tokenizer(first, second, return_tensors="pt")).logits.softmax(-1)[0]
        found.append(-float(shares[int(label != "entailment")].log()))
    return found


@pytest.mark.parametrize("split", ["train", "dev"])
def test_a_line_is_read_again_by_hand(root: Path, numbers: pd.DataFrame, split: str) -> None:
    ends = [load_file(tuned(root, start, 0) / "model.safetensors") for start in ("random-0", "random-1")]
    for tenths in (0, 3, 10):
        weights = {
            name: torch.from_numpy(
                ((10 - tenths) * one.numpy().astype(float) + tenths * ends[1][name].numpy().astype(float)) / 10
            ).float()
            for name, one in ends[0].items()
        }
        told = numbers.loc[f"line.{split}.random.other.1.{tenths}"]
        found = losses(root, weights, split)
        assert told["value"] == pytest.approx(sum(found) / len(found), abs=1e-5)
        assert told["n"] == len(found)


def test_what_is_no_weight_is_that_of_the_first() -> None:
    first, second = ({"a": torch.tensor([at]), "b": torch.tensor([float(at)])} for at in (1, 5))
    assert between(first, second, 0.25) == {"a": torch.tensor([1]), "b": torch.tensor([2.0])}


def test_a_manifest_says_what_makes_the_numbers_again(root: Path) -> None:
    manifest = Manifest.read(root / "results" / "bert@optima.rte")
    assert manifest.command == (
        f"fieldguide optima {root / 'bert'} --task rte --data DIR --epochs 1 --batch 4 --rate 0.02 --seeds 2 "
        "--precision float32"
    )
    assert manifest.studies == {"optima": code_of("optima.rte")}
    assert {name: manifest.settings[name] for name in ("seeds", "read", "rate")} == {
        "seeds": 2,
        "read": 40,
        "rate": 0.02,
    }


def test_a_second_command_trains_and_reads_nothing_that_is_there(root: Path, numbers: pd.DataFrame) -> None:
    lost = made(root, "lines", "random-0.0-random-1.0.npz")
    before = {path: path.stat().st_mtime_ns for path in made(root).rglob("*") if path.is_file() and path != lost}
    lost.unlink()
    assert run(root).exit == 0
    assert lost.is_file()
    after = {path: path.stat().st_mtime_ns for path in before}
    changed = {path.name for path in before if after[path] != before[path]}
    assert changed <= {".lock"}
    again = pd.read_parquet(root / "results" / "bert@optima.rte" / "facts.parquet").set_index("name")
    pd.testing.assert_frame_equal(again, numbers)


@pytest.mark.parametrize(
    ("words", "task", "found"),
    [
        ((), "stsb", "Expected a task whose answers are labels, found --task stsb; give another."),
        (("--seeds", "1"), "rte", "Expected two --seeds or more, found 1: one training has none beside it."),
        (("--examples", "1"), "rte", "found 1 in all; give more."),
        (("--epochs", "2"), "rte", "found other settings or other text; give another --out."),
        (("--batch", "0"), "rte", "Expected another value of --batch, found 0"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(
    root: Path, words: tuple[str, ...], task: str, found: str
) -> None:
    code, said, error = run(root, *words, task=task)
    assert (code, said) == (1, "")
    assert found in " ".join(error.split())


@pytest.mark.parametrize("damage", ["cut", "other"])
def test_kept_losses_that_cannot_be_read_are_named(root: Path, tmp_path: Path, damage: str) -> None:
    shutil.copytree(root, tmp_path / "root")
    path = made(tmp_path / "root", "lines", "random-0.0-random-1.0.npz")
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:100])
    else:
        with path.open("wb") as file:
            np.savez(file, np.zeros((3, 9)), np.zeros((30, 9)))
    code, _, error = run(tmp_path / "root")
    assert code == 1
    assert path.name in error
    assert "delete it and give the same command again." in " ".join(error.split())
