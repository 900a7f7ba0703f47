"""Two processes, each on its share of every batch, train the model that one does; the main one alone writes.

All that needs two processes runs in one start of this file, `python -m` with its name.
"""

import json
import os
import shutil
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from generator.errors import FieldguideError, ModelError, SettingsError
from generator.topics.learning.run.pretrain.data.masking import Masking, make_batch
from generator.topics.learning.run.pretrain.data.pairs import make_pairs
from generator.topics.learning.run.pretrain.data.vocabulary import Pieces
from generator.topics.learning.run.pretrain.model import new_model
from generator.topics.learning.run.pretrain.parallel import Objective, Processes, find_processes
from generator.topics.learning.run.pretrain.run import pretrain
from tests.limits import SECONDS
from tests.ready import Ready
from tests.reports import Silence, Telling
from tests.topics.learning.run.pretrain.novels import lines, same, tiny, weights, write

CPU = torch.device("cpu")
UNEVEN = {"batch": 5, "save_seconds": 1e9}
"""One process reads three of five inputs."""
SETTINGS = {
    "both": tiny(**UNEVEN, dropout=0.0, first_steps=7, first_tokens=16),
    "masked": tiny(**UNEVEN, dropout=0.0, next_sentence=False, steps=8),
    "dropped": tiny(**UNEVEN, steps=12),
}
"""Without dropout, which every process draws for itself, two give what one does."""
TAKEN_UP = 5
"""A kept step at which a run is copied, as if it had been killed there; between two lines of the log."""
ROUNDING = 1e-4


def two_processes(text, root):
    """Runs in both: trains, and writes what it was told into a file of its own."""
    torch.set_num_threads(1)
    report, told, ends = Telling(), [], []

    def kept(step, folder):
        told.append(step)
        torch.manual_seed(step)
        if step == TAKEN_UP and folder.parts[-3] == "dropped":
            shutil.copytree(root / "dropped", root / "copied")

    for name, settings in SETTINGS.items():
        pretrain(settings, text, root / name, report, kept)
    for minutes in (0, None):  # both stop at once where the main one does
        pretrain(SETTINGS["dropped"], text, root / "copied", report, minutes=minutes)

    def refuse(step, folder):
        raise ModelError("Expected nothing; found a model.")

    failing = tiny(steps=6, rate=1e38, **UNEVEN)
    for settings, listener in ((tiny(vocabulary=5000), None), (failing, None), (tiny(), refuse)):
        try:
            pretrain(settings, text, root / f"failed-{len(ends)}", report, listener)
        except FieldguideError as error:
            ends.append(str(error))
        except SystemExit as end:
            ends.append(end.code)
    seen = {"notes": report.notes, "told": told, "ends": ends}
    (root / f"seen-{os.environ['RANK']}.json").write_text(json.dumps(seen))


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return write(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def two(text, tmp_path_factory):
    """The folder of what two processes left; each finds the variables that `torchrun` sets."""
    root = tmp_path_factory.mktemp("two")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        together = {
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(free.getsockname()[1]),
            "TOKENIZERS_PARALLELISM": "false",
        }
    together |= dict.fromkeys(("WORLD_SIZE", "LOCAL_WORLD_SIZE"), "2")
    together |= {"GLOO_SOCKET_IFNAME": "lo"} if sys.platform == "linux" else {}
    with ExitStack() as begun:
        running = []
        for rank in ("0", "1"):
            with pytest.MonkeyPatch.context() as variables:
                for name, value in (together | dict.fromkeys(("RANK", "LOCAL_RANK"), rank)).items():
                    variables.setenv(name, value)
                ready = begun.enter_context(Ready())
            running.append(
                ready.run(root / f"process-{rank}", "tests.topics.learning.run.pretrain.test_parallel", text, root)
            )
        assert [(one.wait(SECONDS), one.err) for one in running] == [(0, ""), (0, "")]
    return root


@pytest.fixture(scope="module")
def seen(two):
    return [json.loads((two / f"seen-{rank}.json").read_text()) for rank in (0, 1)]


def last_model(out):
    return load_file(sorted((out / "checkpoints").iterdir())[-1] / "model.safetensors")


@pytest.mark.parametrize("name", ["both", "masked"])
def test_two_processes_end_with_the_weights_and_the_log_of_one(two, text, tmp_path, name):
    pretrain(SETTINGS[name], text, tmp_path / "one", Silence())
    first = load_file(tmp_path / "one/checkpoints/step-0000000/model.safetensors")
    one, both = last_model(tmp_path / "one"), last_model(two / name)
    assert one.keys() == both.keys()
    way, apart = (np.sqrt(sum(np.sum((one[key] - other[key]) ** 2) for key in one)) for other in (first, both))
    assert apart < ROUNDING * way
    for key in one:  # the bias of keys has no gradient but rounding, so it stays near 0
        np.testing.assert_allclose(both[key], one[key], rtol=ROUNDING, atol=1e-6, err_msg=key)
    for line, shared in zip(lines(tmp_path / "one"), lines(two / name), strict=True):
        assert shared.pop("kind") == line.pop("kind")
        assert shared.pop("attention", {}).keys() == line.pop("attention", {}).keys()  # of weights that agree
        assert shared == pytest.approx(line, rel=ROUNDING)


def test_two_processes_leave_the_head_of_next_sentences_as_it_was_where_it_is_not_trained(two):
    first = load_file(two / "masked/checkpoints/step-0000000/model.safetensors")
    last = last_model(two / "masked")
    for name in ("cls.seq_relationship.weight", "bert.pooler.dense.weight"):
        assert np.array_equal(last[name], first[name])


def test_two_processes_that_are_killed_go_on_as_if_they_had_not_been_dropout_too(two):
    assert len(weights(two / "copied")) == len(SETTINGS["dropped"].kept)
    same(two / "copied", two / "dropped")


def test_the_main_process_alone_reports_and_tells_of_kept_models(seen):
    assert seen[0]["told"] == [step for settings in SETTINGS.values() for step in settings.kept]
    assert any("Going on with" in note for note in seen[0]["notes"])
    assert (seen[1]["told"], seen[1]["notes"]) == ([], [])


def test_an_error_ends_all_processes_and_the_main_one_says_it(seen):
    little, rate, refused = seen[0]["ends"]
    assert "5000 word pieces" in little
    assert "a finite loss" in rate
    assert refused == "Expected nothing; found a model."
    assert seen[1]["ends"] == [0, 0, 0]


def batch_of(inputs):
    rng = np.random.default_rng(0)
    starts = np.concatenate([[0], np.cumsum(rng.integers(1, 9, 200))])
    pieces = Pieces(rng.integers(5, 60, starts[-1]), starts, np.array([0, 100, 200]))
    pairs = make_pairs(pieces, 24, 0.5, rng)
    return make_batch(pairs, np.arange(inputs), Masking(0.3), 60, rng)


@pytest.mark.parametrize("count", [2, 3, 7])
def test_shares_hold_each_input_once_with_its_own_targets(count):
    batch = batch_of(7)
    parts = [batch.part(index, count) for index in range(count)]
    assert sum(part.tokens for part in parts) == batch.tokens
    assert sum(len(part.targets) for part in parts) == len(batch.targets)
    for row in range(7):
        part, place = parts[row % count], row // count
        for name in ("ids", "attended", "segments", "chosen", "unrelated"):
            assert torch.equal(getattr(part, name)[place], getattr(batch, name)[row])
        before, own = (batch.chosen[:row].sum(), batch.chosen[row].sum())
        mine = part.chosen[:place].sum()
        assert torch.equal(part.targets[mine : mine + own], batch.targets[before : before + own])


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("next_sentence", [True, False])
def test_the_mean_of_the_gradients_of_shares_is_the_gradient_of_the_batch(count, next_sentence):
    settings = tiny(dropout=0.0, initial_spread=0.3, next_sentence=next_sentence)
    model, batch = new_model(settings, CPU).double(), batch_of(7)

    def gradient(count, index):
        model.zero_grad()
        part, *shares = Processes(count, index, CPU).share(batch)
        assert (shares == [1.0, 1.0]) == (count == 1)
        loss, parts = Objective(model, next_sentence)(part, *shares)
        loss.backward()
        return torch.cat([p.grad.ravel() for p in model.parameters() if p.grad is not None]), parts

    whole, losses = gradient(1, 0)
    found = [gradient(count, index) for index in range(count)]
    assert torch.allclose(sum(g for g, _ in found) / count, whole, rtol=1e-5, atol=1e-7)  # losses are float32
    assert torch.allclose(sum(parts for _, parts in found) / count, losses, rtol=1e-5)


def test_more_processes_than_inputs_are_refused(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "9")
    with pytest.raises(SettingsError, match="9 processes, found 4;"):
        find_processes(tiny(batch=4))


if __name__ == "__main__":
    two_processes(Path(sys.argv[1]), Path(sys.argv[2]))
