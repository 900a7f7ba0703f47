"""A run whose time is limited, whose text stays behind, or whose batches another process makes is the same run."""

import shutil
from contextlib import nullcontext

import numpy as np
import pytest

from generator.errors import CorpusError, ResultsError
from generator.topics.learning.run.pretrain import run as pretraining
from generator.topics.learning.run.pretrain.data.packed import PACKED, pack, unpack
from generator.topics.learning.run.pretrain.data.vocabulary import Pieces
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.learning.run.pretrain.state import RUN, STATE
from tests.cli.command import fieldguide
from tests.reports import Silence, Telling
from tests.topics.learning.run.curve.conftest import settings as write_settings
from tests.topics.learning.run.pretrain.novels import same, tiny, write

SETTINGS = tiny(first_steps=5, first_tokens=16, save_seconds=1e9)
PREPARED = (RUN, "tokenizer", PACKED)
"""All that a run needs of its training text."""


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return write(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def finished(text, tmp_path_factory):
    """A run in one go."""
    out = tmp_path_factory.mktemp("run") / "out"
    pretrain(SETTINGS, text, out, Silence())
    return out


class Clock(Silence):
    """A clock on which a step takes a minute, and nothing else any time."""

    def __init__(self):
        self.now = 1e6

    def monotonic(self):
        return self.now

    def bar(self, title, total):
        return nullcontext(self._advance)

    def _advance(self, done):
        self.now += 60 * done if done == 1 else 0


def test_a_run_stops_after_the_step_at_which_its_time_is_over_and_ends_as_one_in_one_go(
    finished, text, tmp_path, monkeypatch
):
    out, told = tmp_path / "out", []
    notes: list[str] = []
    for minutes in (0, 4, 0, 2.5, 9, None):
        clock = Clock()
        clock.note = notes.append
        monkeypatch.setattr(pretraining, "time", clock)
        told.append(pretrain(SETTINGS, text, out, clock, minutes=minutes))
    monkeypatch.undo()
    assert told[:-1] == [None] * 5
    assert told[-1] == out / "checkpoints" / f"step-{SETTINGS.steps:07d}"
    stops = [note for note in notes if note.startswith("Stopped")]
    assert stops == [
        f"Stopped {out} after step {step} of 24; the same command goes on with it." for step in (0, 4, 4, 7, 16)
    ]
    same(out, finished)


def test_a_finished_run_has_no_use_for_time(finished, text):
    before = (finished / STATE).stat().st_mtime_ns
    assert pretrain(SETTINGS, text, finished, Silence(), minutes=0) is not None
    assert (finished / STATE).stat().st_mtime_ns == before


def test_batches_that_another_process_makes_are_the_same_also_where_a_run_goes_on(
    finished, text, tmp_path, monkeypatch
):
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    out = tmp_path / "out"
    monkeypatch.setattr(pretraining, "time", clock := Clock())
    assert pretrain(SETTINGS, text, out, clock, minutes=9) is None
    monkeypatch.undo()
    pretrain(tiny(first_steps=5, first_tokens=16, save_seconds=1e9, ahead=3), text, out, Silence())
    same(out, finished)


def test_a_process_that_finds_too_little_text_says_so_in_one_sentence(text, tmp_path):
    with pytest.raises(CorpusError) as error:
        pretrain(tiny(batch=100_000, ahead=2), text, tmp_path / "out", Silence())
    assert str(error.value).startswith("Expected training text for a batch of 100000 inputs, found enough for ")
    assert "\n" not in str(error.value)


@pytest.fixture(scope="module")
def prepared(text, tmp_path_factory):
    """A run that was prepared and not begun, and the held-out text alone."""
    root = tmp_path_factory.mktemp("prepared")
    report = Telling()
    assert pretrain(SETTINGS, text, root / "whole", report, minutes=0) is None
    assert any("Training a vocabulary" in note for note in report.notes)
    assert not (root / "whole" / STATE).exists()
    for name in PREPARED:
        place = root / "whole" / name
        (shutil.copytree if place.is_dir() else shutil.copy)(place, _made(root / "out") / name)
    shutil.copy(text / "valid.jsonl", _made(root / "text"))
    return root


def _made(folder):
    folder.mkdir(exist_ok=True)
    return folder


def test_three_files_take_the_place_of_the_training_text(prepared, finished, tmp_path):
    out = shutil.copytree(prepared / "out", tmp_path / "out")
    report = Telling()
    pretrain(SETTINGS, prepared / "text", out, report)
    assert not any("Training a vocabulary" in note for note in report.notes)
    same(out, finished)


def test_a_prepared_run_is_still_one_of_its_text(prepared, tmp_path):
    out = shutil.copytree(prepared / "out", tmp_path / "out")
    other = write(tmp_path / "other", train=7)
    with pytest.raises(ResultsError, match="found other settings or other text"):
        pretrain(SETTINGS, other, out, Silence())


def test_without_its_vocabulary_a_prepared_run_asks_for_the_text(prepared, tmp_path):
    out = shutil.copytree(prepared / "out", tmp_path / "out")
    shutil.rmtree(out / "tokenizer")
    with pytest.raises(CorpusError, match=r"^Expected one of train\.txt"):
        pretrain(SETTINGS, prepared / "text", out, Silence())


@pytest.mark.parametrize("left", [0.5, 0], ids=["cut short", "garbage"])
def test_pieces_that_are_damaged_are_named_and_made_again_once_deleted(prepared, text, finished, tmp_path, left):
    out = shutil.copytree(prepared / "out", tmp_path / "out")
    whole = (out / PACKED).read_bytes()
    (out / PACKED).write_bytes(whole[: int(len(whole) * left)] or b"nothing")
    with pytest.raises(ResultsError) as error:
        pretrain(SETTINGS, text, out, Silence())
    assert str(error.value).startswith(f"Expected the pieces of a text in {out / PACKED}, found a damaged file (")
    assert "\n" not in str(error.value)
    (out / PACKED).unlink()
    pretrain(SETTINGS, text, out, Silence())
    same(out, finished)


@pytest.mark.parametrize("largest", [200, 40_000, 70_000])
def test_packing_keeps_every_number(tmp_path, largest):
    draw = np.random.default_rng(0)
    lengths, documents = draw.integers(1, 300, 50), np.array([20, 30])
    text = Pieces(
        draw.integers(0, largest + 1, lengths.sum()).astype(np.int32),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.concatenate([[0], np.cumsum(documents)]),
    )
    pack(tmp_path, "a checksum", text)
    checksum, found = unpack(tmp_path)
    assert checksum == "a checksum"
    for name in ("ids", "sentences", "documents"):
        one, other = getattr(text, name), getattr(found, name)
        assert (one.tolist(), one.dtype) == (other.tolist(), other.dtype)


def test_the_command_prepares_stops_and_goes_on(text, tmp_path):
    config, out = write_settings(tmp_path / "run.toml", steps=400, checkpoints=2), tmp_path / "out"
    words = ("pretrain", "--config", config, "--texts", text, "--out", out, "--no-analyse")
    code, printed, heard = fieldguide(*words, "--minutes", 0)
    assert (code, printed) == (0, "")
    assert f"Stopped {out} after step 0 of 400" in heard
    code, printed, heard = fieldguide(*words, "--minutes", -1)
    assert (code, printed) == (2, "")
    assert "--minutes" in heard
