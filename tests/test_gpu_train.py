"""A training for a GPU, at tiny size on a CPU: stopped, killed and gone on with, up to its curve and its scores."""

import multiprocessing
import os
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from generator.results.store import Results, find
from generator.topics.learning.run.pretrain.settings import read_pretraining
from generator.topics.learning.run.pretrain.state import STATE, checkpoint_folder, read_log
from tests import gpu_train
from tests.cli.command import write_corpus
from tests.experiments.reviews import write_tasks
from tests.limits import SECONDS
from tests.topics.learning.run.curve.conftest import settings
from tests.topics.learning.run.pretrain.novels import write

STEPS = [0, 4, 32]
SAID = "said.txt"


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    """A command for a run of three kept models."""
    root = tmp_path_factory.mktemp("gpu")
    config, text = settings(root / "run.toml"), write(root / "text")
    twelve, data = write_corpus(root / "twelve.txt", 12), write_tasks(root / "data")
    rest = ("--config", config, "--corpus", twelve, "--task", "rte", "--data", data, "--name", "tiny")
    return [str(word) for word in (root / "out", "--texts", text, *rest)]


def forked(said, of, *given):
    """Runs in a process that has loaded the program: what it begins need not load it again. It prints into a file."""
    gpu_train.START = "fork"
    with said.open("a", encoding="utf-8") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    sys.exit(of(*given))


@pytest.fixture(scope="module")
def begin(tmp_path_factory):
    """Begins a function of this module in such a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKENIZERS_PARALLELISM", "false")
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.test_gpu_train"])

        def begun(of, *given):
            process = context.Process(target=forked, args=(tmp_path_factory.getbasetemp() / SAID, of, *given))
            process.start()
            return process

        yield begun


def wait_for(found):
    """Until a function finds something."""
    end = time.monotonic() + SECONDS
    while not found() and time.monotonic() < end:
        time.sleep(0.01)
    assert found()


@pytest.fixture(scope="module")
def done(words, begin):
    """A first piece that only prepares, one that is killed, one that does the rest and one that finds nothing to do."""
    out = Path(words[0])

    def ended(minutes):
        process = begin(gpu_train.main, [*words, "--minutes", str(minutes)])
        process.join(SECONDS)
        return process.exitcode

    codes = [ended(0)]
    assert not (out / "run" / STATE).exists()
    killed = begin(gpu_train.main, [*words, "--minutes", "60"])
    wait_for((checkpoint_folder(out / "run", STEPS[1]) / "model.safetensors").exists)
    killed.kill()
    killed.join(SECONDS)
    codes += [ended(60)]
    stored = {path: path.stat().st_mtime_ns for path in (out / "results").rglob("*.parquet")}
    codes += [ended(60)]
    assert stored == {path: path.stat().st_mtime_ns for path in (out / "results").rglob("*.parquet")}
    return out, codes


def test_pieces_end_with_the_code_of_what_is_left(done, tmp_path_factory):
    said = (tmp_path_factory.getbasetemp() / SAID).read_text(encoding="utf-8")
    assert done[1] == [gpu_train.LEFT, gpu_train.DONE, gpu_train.DONE], said
    lines = said.splitlines()
    assert lines.count("Training a vocabulary of 60 pieces.") == 1, "the pieces that go on find it"
    assert f"Time is over; the same command goes on with {done[0]}." in lines
    assert lines[-1] == f"Done: {done[0]}."


def test_every_kept_model_is_measured_and_the_curve_and_the_scores_are_of_these(done):
    out, _ = done
    assert [line["step"] for line in read_log(out / "run") if line["kind"] == "evaluation"] == STEPS
    assert [int(path.name[5:]) for path in sorted((out / "run" / "results").iterdir())] == STEPS
    (model,) = find([out / "results"])  # its experiments have joined it
    assert set(model.table("rises")["model"]) == {"tiny"}
    curve, tuned = (Results.open(out / "results" / f"tiny@{name}").table("curves") for name in ("curve", "curve.rte"))
    assert set(curve[curve["study"] == "measure"]["step"]) == set(STEPS)
    assert set(tuned[tuned["study"] == "tuning"]["step"]) == set(STEPS)


def hold(path):
    """Holds a lock, and so shows that it runs."""
    with FileLock(path):
        Path(f"{path}.held").touch()
        time.sleep(SECONDS)


def begin_holding(path):
    """Begins a piece of work, and waits for it."""
    gpu_train._begin(hold, path).join()


def test_a_piece_of_work_ends_with_the_process_that_began_it(begin, tmp_path):
    path = str(tmp_path / "lock")
    process = begin(begin_holding, path)
    wait_for(Path(f"{path}.held").exists)
    with pytest.raises(Timeout):
        FileLock(path).acquire(timeout=0)
    process.kill()
    FileLock(path).acquire(timeout=SECONDS / 2).lock.release()


WRONG = (("--config", "none.toml"), ("--task", "none"), ("--task", "mrpc"), ("--rate", "-1"), ("--corpus", "none.txt"))


@pytest.mark.parametrize("more", WRONG, ids=" ".join)
def test_what_cannot_be_read_is_one_sentence_before_anything_begins(words, more, capsys, monkeypatch):
    monkeypatch.setattr(gpu_train, "work", None)
    assert gpu_train.main([*words, "--minutes", "1", *more]) == gpu_train.FAILED
    said = capsys.readouterr().err
    assert said.startswith("Error: Expected ")
    assert len(said.splitlines()) == 1


def test_the_large_model_reads_a_thousand_million_tokens_and_keeps_thirty_models():
    plan = read_pretraining(gpu_train.CONFIG)
    assert len(plan.kept) == 30
    assert plan.steps * plan.batch * plan.max_tokens * (1 - plan.short / 2) > 1e9
    assert (plan.precision, plan.next_sentence, plan.hidden) == ("bfloat16", True, 512)
