"""Two models of one name are told apart or refused: the results of one never replace those of the other."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import generator
from generator.errors import ResultsError, SettingsError
from generator.results.manifest import Manifest
from generator.results.store import Results, find
from generator.results.writing import write
from tests.attention.archives import TOKENS, saved
from tests.cli.command import fieldguide, write_corpus
from tests.experiments.reviews import write_tasks
from tests.measures.maps import identity
from tests.results.samples import contents, manifest, tables

SAID = "Expected no results of another model called bert in {folder}, found those of other weights; give this one"


@pytest.fixture
def root(checkpoint, tmp_path: Path) -> Path:
    """Two folders called bert with tiny encoders of other weights, a text, tasks, and checkpoints of one of the two."""
    shutil.copytree(checkpoint("bert"), tmp_path / "mine" / "bert")
    other = Path(shutil.copytree(checkpoint("bert"), tmp_path / "theirs" / "bert"))
    raw = bytearray((other / "model.safetensors").read_bytes())
    raw[-1] ^= 1
    (other / "model.safetensors").write_bytes(raw)
    write_corpus(tmp_path / "twelve.txt", 12)
    write_tasks(tmp_path / "data")
    for step, model in enumerate(("mine", "theirs")):
        shutil.copytree(tmp_path / model / "bert", tmp_path / "run" / f"step-{step}")
    saved(tmp_path / "maps.npz", {"a": (np.tile(identity(3), (2, 4, 1, 1)), TOKENS)})
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("analyze", "theirs/bert", "--corpus", "twelve.txt", "--no-studies"),
        ("analyze", "--maps", "maps.npz", "--name", "bert"),
        ("finetune", "theirs/bert", "--task", "rte", "--data", "data"),
        ("disable", "theirs/bert", "--task", "rte", "--data", "data"),
        ("compare", "theirs/bert", "mine/bert", "--name", "other", "--corpus", "twelve.txt"),
        ("seeds", "theirs/bert", "run/step-0", "--corpus", "twelve.txt"),
        ("seeds", "run/step-0", "run/step-1", "--of", "theirs/bert", "--corpus", "twelve.txt"),
        ("curve", "run", "--name", "bert", "--corpus", "twelve.txt"),
        ("curve", "run", "--name", "bert", "--task", "rte", "--data", "data"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_model_of_the_same_name_and_other_weights_is_refused(root: Path, monkeypatch, words: tuple[str, ...]):
    monkeypatch.chdir(root)
    folder = write(Path("results"), manifest("bert", model="bert"), tables())
    before = contents(Path("results"))
    outcome = fieldguide(*words, "--results", "results")
    assert (outcome.exit, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1].startswith(f"Error: {SAID.format(folder=folder)}")
    assert contents(Path("results")) == before


def test_with_force_it_replaces_what_is_there(root: Path):
    write(root / "results", manifest("bert", model="bert"), tables())
    words = ("--corpus", root / "twelve.txt", "--no-studies", "--results", root / "results")
    assert fieldguide("analyze", root / "theirs" / "bert", *words, "--force").exit == 0
    assert Manifest.read(root / "results" / "bert").weights_sha256 != manifest().weights_sha256
    again = fieldguide("analyze", root / "theirs" / "bert", *words)
    assert again.exit == 0, "of the same weights they are up to date"


def test_an_experiment_does_not_replace_that_of_another_model(root: Path):
    folder = write(root / "results", manifest("bert", model="bert", experiment="disable.rte"), tables())
    words = ("--task", "rte", "--data", root / "data", "--results", root / "results")
    outcome = fieldguide("finetune", root / "mine" / "bert", *words, "--epochs", "1", "--out", root / "tuned")
    assert outcome.exit == 0, "another experiment is in no one's way"
    outcome = fieldguide("disable", root / "mine" / "bert", *words, "--out", root / "tuned")
    assert outcome.err.splitlines()[-1].startswith(f"Error: {SAID.format(folder=folder)}")


def test_checkpoints_of_another_training_are_not_replaced(root: Path):
    place = root / "work" / "small"
    write(place, replace(manifest(), model="step-000000000", slug="step-000000000"), tables())
    listed = root / "list.txt"
    listed.write_text("".join(f"{step} {root / 'run' / f'step-{step}'}\n" for step in range(2)))
    words = ("--name", "small", "--corpus", root / "twelve.txt", "--results", root / "results", "--work", root / "work")
    line = fieldguide("curve", listed, *words).err.splitlines()[-1]
    assert line.startswith("Error: Expected no results of another model called step-000000000 in ")


def test_a_model_is_not_compared_with_another_of_its_name(root: Path):
    outcome = fieldguide(
        *("compare", root / "mine" / "bert", root / "theirs" / "bert", "--corpus", root / "twelve.txt"),
        *("--results", root / "results"),
    )
    sentence = "Error: Expected two models of different names, found 'bert' twice; name one with --name.\n"
    assert (outcome.exit, outcome.err) == (1, sentence)


def test_results_of_two_models_of_one_name_are_not_taken_for_one(tmp_path: Path):
    """Of the same weights the first place wins."""
    for place, weights in (("here", "0" * 64), ("there", "1" * 64)):
        write(tmp_path / place, manifest(weights_sha256=weights), tables())
    places = tmp_path / "here", tmp_path / "there"
    first, second = (place / "tiny" for place in places)
    sentence = f"Expected one model called tiny, found other weights in {first} than in {second}"
    (tmp_path / "fieldguide.toml").write_text('results = "here"\nalso = ["there"]\n')
    outcome = fieldguide("claims", "--config", tmp_path / "fieldguide.toml")
    assert (outcome.exit, outcome.err) == (1, f"Error: {sentence}; keep one of the two.\n")
    with pytest.raises(ResultsError, match="Expected one model called tiny"):
        generator.load_results(*places)
    problems: list[str] = []
    assert [one.folder for one in find(places, problems)] == [places[0] / "tiny"]
    assert problems == [f"{sentence}; keep one of the two."]


def test_a_figure_of_several_models_does_not_hold_two_of_one_name(tmp_path: Path):
    both = [Results.open(write(tmp_path / place, manifest(), tables())) for place in ("here", "there")]
    with pytest.raises(SettingsError, match="Expected results of different models, found Tiny twice; leave one"):
        generator.figure("evidence", both, claim="C07")


def test_from_python_too_another_name_makes_room_for_the_second(root: Path):
    few = generator.Analysis(corpora=(str(root / "twelve.txt"),), documents=4, studies=False)
    words = {"settings": few, "results": root / "results"}
    first = generator.analyze(str(root / "mine" / "bert"), **words)
    with pytest.raises(ResultsError, match="give this one another name with --name"):
        generator.analyze(str(root / "theirs" / "bert"), **words)
    second = generator.analyze(str(root / "theirs" / "bert"), name="their bert", **words)
    assert [one.manifest.model for one in (first, second)] == ["bert", "their bert"]
    assert set(generator.load_results(root / "results")) == {"bert", "their_bert"}
