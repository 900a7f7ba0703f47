"""A full disk, and run files that are cut short or damaged, are one sentence each; what was saved before stays."""

import os
import re
import shutil
from pathlib import Path

import pytest

from generator.config import ModelChoice
from generator.errors import ResultsError
from generator.models.source import locate
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.tasks.run.finetune.run import run_finetune
from generator.topics.tasks.run.finetune.train import finetune
from tests.experiments.reviews import tiny as tuning
from tests.reports import Silence
from tests.results.disks import small_disk
from tests.results.samples import contents
from tests.runs.workshop import furnish
from tests.topics.learning.run.pretrain.novels import Interrupting, InterruptionError, same
from tests.topics.learning.run.pretrain.novels import tiny as training

STEPS = {"steps": 12, "checkpoints": 3, "first_checkpoint": 4}
CUT, GARBAGE = (lambda body: body[: len(body) // 2]), (lambda body: os.urandom(len(body)))


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return furnish(tmp_path_factory.mktemp("workshop"))


def pretrain_in(root, out, report=None):
    return pretrain(training(**STEPS), root / "novels", out, report or Silence())


def finetune_in(root, out, report=None, **changes):
    return finetune(locate(str(root / "bert")), tuning(**changes), root / "data", out, report or Silence())


RUNS = {"pretrain": (pretrain_in, 9), "finetune": (finetune_in, 6)}


@pytest.fixture(scope="module")
def stopped(root, tmp_path_factory):
    """Runs that were stopped in the middle, and their whole counterparts."""
    place = tmp_path_factory.mktemp("stopped")
    for name, (run, after) in RUNS.items():
        with pytest.raises(InterruptionError):
            run(root, place / name, Interrupting(after))
        run(root, place / f"{name}-whole")
    return place


FILES = {
    "state.pt": ("pretrain", "state.pt", "Expected the state of a run in "),
    "log.jsonl": ("pretrain", "log.jsonl", "Expected "),
    "run.json": ("pretrain", "run.json", "Expected JSON that describes a run in "),
    "run.json of a tuning": ("finetune", "run.json", "Expected JSON that describes a run in "),
    "weights of a tuning": ("finetune", "model.safetensors", "Expected the state of a run in "),
    "optimiser of a tuning": ("finetune", "optimizer.pt", "Expected the state of a run in "),
    "random numbers of a tuning": ("finetune", "rng_state.pth", "Expected the state of a run in "),
}


@pytest.mark.parametrize("damage", [CUT, GARBAGE], ids=["cut short", "garbage"])
@pytest.mark.parametrize("file", FILES)
def test_a_run_file_that_is_cut_short_or_damaged_is_one_sentence_and_all_else_stays(
    root, stopped, tmp_path, file, damage
):
    """Once the file is sound again, the run is one that was stopped; that it goes on is tested once."""
    name, at, says = FILES[file]
    out = Path(shutil.copytree(stopped / name, tmp_path / "out"))
    (path,) = out.rglob(at)
    path.write_bytes(damage(path.read_bytes()))
    before = contents(out)
    with pytest.raises(ResultsError) as error:
        RUNS[name][0](root, out)
    message = str(error.value)
    assert message.startswith(says)
    assert str(path) in message or path.parent.name in message
    assert "\n" not in message
    assert contents(out) == before


@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_was_refused_ends_as_one_that_was_not_stopped_once_its_file_is_sound(root, stopped, tmp_path, name):
    out = Path(shutil.copytree(stopped / name, tmp_path / "out"))
    (path,) = out.rglob("run.json")
    sound = path.read_bytes()
    path.write_bytes(CUT(sound))
    with pytest.raises(ResultsError):
        RUNS[name][0](root, out)
    path.write_bytes(sound)
    RUNS[name][0](root, out)
    if name == "pretrain":
        same(out, stopped / "pretrain-whole")
    else:
        assert contents(out) == contents(stopped / "finetune-whole")


@pytest.mark.parametrize("damage", [CUT, GARBAGE], ids=["cut short", "garbage"])
@pytest.mark.parametrize("file", ["run.json", "predictions.json"])
def test_a_damaged_file_of_a_finished_tuning_is_one_sentence(root, stopped, tmp_path, file, damage):
    """The other kinds of the same task are read as well when scores are stored."""
    out = Path(shutil.copytree(stopped / "finetune-whole", tmp_path / "out"))
    (path,) = out.rglob(file)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ResultsError, match=f"^Expected .* {path}, found[^\n]*$"):
        run_finetune(
            ModelChoice(str(root / "bert")), tuning(start="random"), root / "data", out, tmp_path / "results", Silence()
        )


@pytest.mark.parametrize("name", RUNS)
def test_a_full_disk_is_one_sentence_and_the_run_goes_on_when_there_is_room(root, stopped, tmp_path, name):
    run, _ = RUNS[name]
    size = sum(map(len, contents(stopped / name).values())) // 1024
    refused = 0
    for spare in (40, 120, 250, 400):
        with small_disk(tmp_path / f"disk-{spare}", kilobytes=size + spare) as disk:
            out = Path(shutil.copytree(stopped / name, disk / "out"))
            said = _refusal(lambda out=out: run(root, out))
            if said:
                refused += 1
                assert re.match("Expected to write to [^\n]* goes on from what was saved before[^\n]*$", said)
            kept = Path(shutil.copytree(out, tmp_path / f"kept-{spare}"))
        run(root, kept)
        if name == "pretrain":
            same(kept, stopped / "pretrain-whole")
        else:
            whole = contents(stopped / "finetune-whole")
            assert {path: body for path, body in contents(kept).items() if "/." not in path} == whole
    assert refused, "a disk on which everything fits shows nothing"


def _refusal(run):
    """What is said where it ends in a sentence of ours; any other error is none that a user should see."""
    try:
        run()
    except ResultsError as error:
        return str(error)
    return ""
