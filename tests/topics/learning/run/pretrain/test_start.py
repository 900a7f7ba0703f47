"""A run that is killed ends as one that is not, and what it leaves are models that anyone can load."""

import json
import time

import pytest
import torch
from transformers import AutoModel, AutoTokenizer, BertForPreTraining

from generator.models.load import load
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.learning.run.pretrain.state import LOG, STATE, read_log
from tests.limits import SECONDS
from tests.reports import Silence
from tests.topics.learning.run.pretrain.novels import Interrupting, InterruptionError, lines, same, tiny, write


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return write(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def finished(text, tmp_path_factory):
    """An uninterrupted run."""
    out = tmp_path_factory.mktemp("run") / "out"
    return out, pretrain(tiny(), text, out, Silence())


@pytest.mark.parametrize("save_seconds", [0, 1e9], ids=["saved at every step", "saved with each model"])
def test_a_run_interrupted_again_and_again_gives_the_same_log_and_models(finished, text, tmp_path, save_seconds):
    settings = tiny(save_seconds=save_seconds)
    for calls in (4, 9, 13):
        with pytest.raises(InterruptionError):
            pretrain(settings, text, tmp_path / "out", Interrupting(calls))
    pretrain(settings, text, tmp_path / "out", Silence())
    same(tmp_path / "out", finished[0])


def test_a_run_killed_in_another_process_is_taken_up(finished, text, tmp_path, ready):
    out = tmp_path / "out"
    process = ready.run(tmp_path / "said", "tests.experiments.killed", "pretrain", text, out)
    end = time.monotonic() + SECONDS
    while (not (out / LOG).exists() or len(read_log(out)) < 4) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    assert process.kill() <= 0, process.err
    pretrain(tiny(), text, out, Silence())
    same(out, finished[0])


class Listener:
    """Is told of kept models, looks at each, and draws random numbers of its own."""

    def __init__(self):
        self.steps = []

    def __call__(self, step, folder):
        self.steps.append(step)
        torch.manual_seed(123)
        torch.rand(5)
        assert folder.name == f"step-{step:07d}"
        assert json.loads((folder / "evaluation.json").read_text())["step"] == step
        AutoTokenizer.from_pretrained(folder)
        model = BertForPreTraining.from_pretrained(folder)
        assert torch.equal(model.bert.pooler.dense.bias, torch.zeros(16)) == (step <= 1)  # the first rate is 0


def test_a_listener_is_told_of_each_kept_model_once_in_order_and_changes_nothing(finished, text, tmp_path):
    listener = Listener()
    pretrain(tiny(), text, tmp_path / "out", Silence(), listener)
    assert listener.steps == tiny().kept
    same(tmp_path / "out", finished[0])
    pretrain(tiny(), text, tmp_path / "out", Silence(), listener)
    assert listener.steps == [*tiny().kept, tiny().steps], "the last one may not have been listened to"


def test_a_model_is_told_of_again_where_a_kill_came_before_it_was_listened_to(finished, text, tmp_path):
    """An analysis of a checkpoint that was killed would otherwise be missing for ever."""
    told = []

    def interrupted(step, folder):
        told.append(step)
        if told.count(step) == 1:
            raise InterruptionError

    for _ in tiny().kept:
        with pytest.raises(InterruptionError):
            pretrain(tiny(), text, tmp_path / "out", Silence(), interrupted)
    pretrain(tiny(), text, tmp_path / "out", Silence(), interrupted)
    assert told == [step for step in tiny().kept for _ in range(2)]
    same(tmp_path / "out", finished[0])


@pytest.mark.parametrize("save_seconds", [0, 1e9], ids=["saved at every step", "saved with each model"])
def test_a_listener_changes_nothing_of_a_run_that_is_interrupted(finished, text, tmp_path, save_seconds):
    settings, listener = tiny(save_seconds=save_seconds), Listener()
    with pytest.raises(InterruptionError):
        pretrain(settings, text, tmp_path / "out", Interrupting(11), listener)
    pretrain(settings, text, tmp_path / "out", Silence(), listener)
    assert list(dict.fromkeys(listener.steps)) == settings.kept
    same(tmp_path / "out", finished[0])


def test_a_finished_run_does_nothing_more(finished, text):
    before = (finished[0] / STATE).stat().st_mtime_ns
    assert pretrain(tiny(), text, finished[0], Silence()) == finished[1]
    assert (finished[0] / STATE).stat().st_mtime_ns == before


def test_another_seed_gives_another_run(finished, text, tmp_path):
    pretrain(tiny(seed=1), text, tmp_path / "out", Silence())
    assert lines(tmp_path / "out")[-1]["masked_loss"] != lines(finished[0])[-1]["masked_loss"]


def test_training_lowers_the_loss_below_that_of_the_untrained_model(text, tmp_path):
    pretrain(tiny(steps=60, rate=2e-2, dropout=0.0, batch=16), text, tmp_path / "out", Silence())
    losses = [line["masked_loss"] for line in lines(tmp_path / "out") if line["kind"] == "evaluation"]
    assert losses[-1] < losses[0] - 0.5


def test_bfloat16_trains_the_same_model_within_its_rounding(finished, text, tmp_path):
    pretrain(tiny(precision="bfloat16", dropout=0.0), text, tmp_path / "half", Silence())
    pretrain(tiny(dropout=0.0), text, tmp_path / "full", Silence())
    half, full = lines(tmp_path / "half"), lines(tmp_path / "full")
    assert half[-1]["masked_loss"] == pytest.approx(full[-1]["masked_loss"], rel=0.02)
    assert half[-1] != full[-1]


def test_the_log_says_what_is_known_then_what_was_seen(finished):
    settings, log = tiny(), lines(finished[0])
    assert log[0]["kind"] == "held-out"
    assert log[0]["inputs"] == settings.held_out
    assert [line["step"] for line in log if line["kind"] == "evaluation"] == settings.kept
    assert [line["step"] for line in log if line["kind"] == "training"] == list(range(3, 25, 3))
    assert [line["rate"] for line in log if line["kind"] == "training"][-1] == 0
    assert sorted(line["step"] for line in log) == [line["step"] for line in log]


def test_checkpoints_load_in_plain_transformers_and_in_this_program(finished):
    out, last = finished
    for step in tiny().kept:
        folder = out / "checkpoints" / f"step-{step:07d}"
        model, report = BertForPreTraining.from_pretrained(folder, output_loading_info=True)
        assert not report["missing_keys"]
        assert not report["unexpected_keys"]
        tokenizer = AutoTokenizer.from_pretrained(folder)
        found = tokenizer("The sea.", "A lamp?", return_tensors="pt")
        names = tokenizer.convert_ids_to_tokens(found["input_ids"][0])
        second = names.index("[SEP]") + 1
        assert (names[0], names[-1]) == ("[CLS]", "[SEP]")
        assert found["token_type_ids"][0].tolist() == [int(place >= second) for place in range(len(names))]
        hidden = AutoModel.from_pretrained(folder)(**found).last_hidden_state
        assert torch.equal(hidden, model.bert(**found).last_hidden_state)
    assert last == folder
    encoder = load(locate(str(last)), torch.device("cpu"))
    assert (encoder.positions, encoder.segments) == (24, True)
    assert load_masked_lm(locate(str(last)), torch.device("cpu")) is not None


def test_without_next_sentences_their_head_is_left_as_it_was(text, tmp_path):
    out = tmp_path / "out"
    last = BertForPreTraining.from_pretrained(pretrain(tiny(next_sentence=False), text, out, Silence()))
    first = BertForPreTraining.from_pretrained(out / "checkpoints" / "step-0000000")
    for name in ("cls.seq_relationship.weight", "bert.pooler.dense.weight"):
        assert torch.equal(last.state_dict()[name], first.state_dict()[name])
    assert not torch.equal(last.bert.embeddings.word_embeddings.weight, first.bert.embeddings.word_embeddings.weight)
    assert not any("next_loss" in line for line in lines(out))
