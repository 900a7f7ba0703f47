"""Runs of fine-tuning repeat themselves, survive being killed, and are not mixed with others."""

import re
import signal
import time

import pytest
import torch

from generator.errors import CorpusError, ModelError, ResultsError, SettingsError
from generator.topics.tasks.run.finetune.settings import make_finetuning
from generator.topics.tasks.run.finetune.train import PREDICTIONS, finetune, seed_folder
from tests.experiments.reviews import encoder, run, tiny, unsaved, write_tasks
from tests.limits import SECONDS
from tests.reports import Silence
from tests.topics.learning.run.pretrain.novels import Interrupting, InterruptionError
from tests.topics.tasks.run.finetune.stored import weights


@pytest.fixture(scope="module")
def finished(place, tmp_path_factory):
    """An uninterrupted run."""
    return run(place, unsaved(), tmp_path_factory.mktemp("runs"))


def files(runs):
    """The bytes of all that the seeds left, by name."""
    return {str(path.relative_to(runs)): path.read_bytes() for path in sorted(runs.rglob("seed-*/*"))}


def test_the_same_seed_gives_the_same_files_and_another_seed_others(place, finished, tmp_path):
    again = run(place, unsaved(seeds=2), tmp_path)
    found = files(again)
    assert {name: found[name] for name in files(finished)} == files(finished)
    head, other = weights(again)["classifier.weight"], weights(again, 1)["classifier.weight"]
    assert not torch.allclose(head, other, atol=1e-3)


def drafts(out):
    return sorted(out.rglob(".seed-*/checkpoint-*"))


def test_a_run_interrupted_again_and_again_ends_as_one_that_was_not(place, finished, tmp_path):
    for calls in (4, 3, 6):
        with pytest.raises(InterruptionError):
            run(place, tiny(), tmp_path, Interrupting(calls))
    assert [path.name for path in drafts(tmp_path)] == ["checkpoint-11"]
    assert files(run(place, unsaved(), tmp_path)) == files(finished)
    assert not drafts(tmp_path)


def test_a_checkpoint_that_was_cut_short_is_passed_over(place, finished, tmp_path):
    with pytest.raises(InterruptionError):
        run(place, tiny(), tmp_path, Interrupting(6))
    (whole,) = drafts(tmp_path)
    cut = whole.with_name("checkpoint-9")
    cut.mkdir()
    (cut / "model.safetensors").write_bytes(b"half")
    (cut / "trainer_state.json").write_text('{"epoch": 0.')
    assert files(run(place, unsaved(), tmp_path)) == files(finished)


def test_a_run_killed_in_another_process_is_taken_up(place, finished, tmp_path, ready):
    process = ready.run(tmp_path / "said", "tests.experiments.killed", "finetune", place, tmp_path / "out")
    end = time.monotonic() + SECONDS
    while not drafts(tmp_path / "out") and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    assert process.kill() == -signal.SIGKILL, process.err
    assert drafts(tmp_path / "out")
    assert files(run(place, unsaved(), tmp_path / "out")) == files(finished)


def test_finished_seeds_are_left_alone_and_more_can_be_added(place, tmp_path):
    runs = run(place, unsaved(epochs=1), tmp_path)
    before = (seed_folder(runs, 0) / PREDICTIONS).stat().st_mtime_ns
    assert run(place, unsaved(epochs=1, seeds=2), tmp_path) == runs == tmp_path / "bert" / "rte" / "pretrained"
    assert (seed_folder(runs, 0) / PREDICTIONS).stat().st_mtime_ns == before
    assert sorted(path.name for path in runs.iterdir()) == ["run.json", "seed-0", "seed-1"]


def refusal(kind, call, *arguments, **options):
    with pytest.raises(kind) as caught:
        call(*arguments, **options)
    message = str(caught.value)
    assert re.fullmatch(r"Expected [^\n]+, found:? [^\n]+; [^\n]+\.?", message), message
    return message


def test_runs_of_other_settings_data_or_weights_are_not_mixed(place, finished, tmp_path):
    out = finished.parents[2]
    assert "other settings" in refusal(ResultsError, run, place, tiny(batch=8), out)
    moved = tmp_path / "place"
    write_tasks(moved / "data", dev=10)
    encoder(moved)
    refusal(ResultsError, run, moved, tiny(), out)
    write_tasks(moved / "data")
    encoder(moved, initializer_range=0.5)
    refusal(ResultsError, run, moved, tiny(), out)


def test_bad_input_is_refused_in_a_sentence(place, tmp_path):
    assert "'wnli'" in refusal(CorpusError, run, place, tiny(task="wnli"), tmp_path)
    assert "QNLI" in refusal(CorpusError, run, place, tiny(task="qnli"), tmp_path)
    (tmp_path / "file").write_text("")
    refusal(ResultsError, run, place, tiny(), tmp_path / "file")
    t5 = encoder(tmp_path, "t5")
    assert "decoder" in refusal(ModelError, finetune, t5, tiny(), place / "data", tmp_path / "out", Silence())
    assert "--rate" in refusal(SettingsError, make_finetuning, task="rte", rate=-1)
    assert "--max-tokens" in refusal(SettingsError, make_finetuning, task="rte", max_tokens=2)
    assert "--start" in refusal(SettingsError, make_finetuning, task="rte", start="elsewhere")


@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_rate_that_leaves_no_numbers_is_said(place, tmp_path):
    assert "train it again at a lower --rate" in refusal(ModelError, run, place, tiny(rate=1e30), tmp_path)
