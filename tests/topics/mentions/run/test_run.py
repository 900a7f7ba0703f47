"""The command `spans`, from a tiny model and made-up rows to results that join the model's own."""

import json
import shutil

import pandas as pd
import pytest

from generator.experiments.code import code_of
from generator.results.manifest import Manifest
from generator.topics.mentions.records import SPANS
from tests.cli.command import fieldguide
from tests.encoders import write as write_encoder
from tests.topics.mentions.run import made

TINY = ("--epochs", "1", "--batch", "8", "--rate", "0.002", "--max-tokens", "128")


def spans(root):
    """Put an encoder and two files of GAP into a folder, and train two heads."""
    write_encoder("bert", root / "bert")
    made.write(root / "train.tsv", made.rows("train", 30))
    made.write(root / "test.tsv", made.rows("test", 18))
    code, said, errors = run(root, "--seeds", "2")
    assert (code, said.strip()) == (0, str(root / "results" / "bert@spans")), errors


def run(root, *more, train="train.tsv", test="test.tsv"):
    where = ("--out", root / "heads", "--results", root / "results")
    return fieldguide("spans", root / "bert", "--train", root / train, "--corpus", root / test, *where, *TINY, *more)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    root = tmp_path_factory.mktemp("spans")
    spans(root)
    return root


def stored(root):
    return pd.read_parquet(root / "results" / "bert@spans" / "facts.parquet").set_index("name")


def test_all_numbers_are_stored_and_are_those_of_the_picks(place):
    rows, picks = stored(place), []
    for seed in range(2):
        picks += json.loads((place / "heads" / "bert" / "spans" / f"seed-{seed}.json").read_text())["picks"].values()
    assert rows["value"]["crossed"] == pytest.approx(sum(end < start for start, end, _, _ in picks) / len(picks))
    assert (rows["n"]["crossed"], rows["value"]["trained"], rows["value"]["cut"]) == (12, 20, 0)
    assert {*rows["corpus"]} == {"test.tsv"}
    declared = {one.name for one in SPANS.quantities if not one.where}
    assert declared <= {name.replace("seed1", "seed{seed}") for name in rows.index}
    assert rows.loc[["exact.nearest", "exact.given"], "value"].tolist() == [0.5, 0.5]


def test_the_manifest_says_what_makes_the_numbers_again(place):
    manifest = Manifest.read(place / "results" / "bert@spans")
    assert manifest.command == (
        f"fieldguide spans {place / 'bert'} --train train.tsv --corpus test.tsv --seeds 2 --epochs 1 --batch 8 "
        "--max-tokens 128 --rate 0.002"
    )
    assert manifest.studies == {"spans": code_of("spans")}
    assert [one.name for one in manifest.corpora] == ["train.tsv", "test.tsv"]
    assert (manifest.settings["train"], manifest.settings["seeds"]) == ("train.tsv", 2)


def test_a_command_given_again_trains_nothing_and_another_seed_is_added(place, tmp_path):
    root = tmp_path / "again"
    shutil.copytree(place, root)
    folder = root / "heads" / "bert" / "spans"
    before = {path.name: path.read_bytes() for path in folder.glob("seed-*.json")}
    (folder / "seed-1.json").unlink()
    was = (folder / "seed-0.json").stat().st_mtime_ns
    assert run(root, "--seeds", "2")[0] == 0
    assert {path.name: path.read_bytes() for path in folder.glob("seed-*.json")} == before
    assert (folder / "seed-0.json").stat().st_mtime_ns == was
    assert stored(root).drop(columns="model").equals(stored(place).drop(columns="model"))
    assert run(root, "--seeds", "3")[0] == 0
    assert "crossed.seed2" in stored(root).index


@pytest.mark.parametrize(
    ("files", "more", "said"),
    [
        ({"test": "train.tsv"}, (), "Expected no passage of train.tsv among those that are trained on, found 30"),
        ({"test": "other.txt"}, (), "Expected text whose mentions are linked, such as a file of GAP, found none"),
        ({"test": "none.tsv"}, (), "none.tsv"),
        ({}, ("--epochs", "3"), "found other settings"),
        ({}, ("--seeds", "0"), "Expected another value of --seeds, found 0"),
        ({}, ("--out", "test.tsv"), "Expected"),
    ],
)
def test_bad_input_is_told_in_one_sentence(place, monkeypatch, files, more, said):
    monkeypatch.chdir(place)
    (place / "other.txt").write_text("One.\n\nTwo.\n")
    code, _, errors = run(place, *more, **files)
    assert code == 1
    assert said in errors
    assert errors.startswith("Error: Expected")
    assert errors.count("\n") == 1
