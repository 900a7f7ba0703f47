"""The first steps may read short inputs, and position embeddings may begin as sines and cosines."""

import math

import numpy as np
import pytest
import torch
from transformers import BertForPreTraining

from generator.topics.learning.run.pretrain.model import new_model
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.learning.run.pretrain.state import STATE
from tests.reports import Silence
from tests.topics.learning.run.pretrain.novels import Interrupting, InterruptionError, lines, same, tiny, write

SWITCH = 8
"""Steps of short inputs; a model is kept there."""
SETTINGS = tiny(max_tokens=32, first_steps=SWITCH, first_tokens=16, log_every=1, short=0.0, weight_decay=0.0)
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return write(tmp_path_factory.mktemp("text"))


@pytest.fixture(scope="module")
def finished(text, tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "out"
    pretrain(SETTINGS, text, out, Silence())
    return out


@pytest.mark.parametrize("step", [SWITCH - 1, SWITCH, SWITCH + 1], ids=["before", "at the switch", "after"])
def test_a_run_interrupted_around_the_switch_ends_as_one_that_was_not(finished, text, tmp_path, step):
    with pytest.raises(InterruptionError):
        pretrain(SETTINGS, text, tmp_path / "out", Interrupting(step + 1))  # told of its start, then of each step
    assert torch.load(tmp_path / "out" / STATE, weights_only=True)["at"]["step"] == step
    pretrain(SETTINGS, text, tmp_path / "out", Silence())
    same(tmp_path / "out", finished)


def position_embeddings(out, step):
    folder = out / "checkpoints" / f"step-{step:07d}"
    return BertForPreTraining.from_pretrained(folder).bert.embeddings.position_embeddings.weight.detach()


def test_places_that_no_input_has_are_not_learned_until_inputs_are_long(finished):
    """Without weight decay an embedding moves only where an input has a token."""
    assert SWITCH in SETTINGS.kept
    start, middle, end = (position_embeddings(finished, step) for step in (0, SWITCH, SETTINGS.steps))
    assert (start != middle).any(1).tolist() == [place < SETTINGS.first_tokens for place in range(SETTINGS.max_tokens)]
    assert (middle != end).any(1).all()


def test_short_inputs_come_in_batches_of_as_many_tokens(finished):
    log = [line for line in lines(finished) if line["kind"] == "training"]
    tokens = np.diff([0, *(line["tokens"] for line in log)])
    assert len(tokens) == SETTINGS.steps
    assert tokens.max() <= SETTINGS.batch * SETTINGS.max_tokens
    assert tokens[:SWITCH].mean() == pytest.approx(tokens[SWITCH:].mean(), rel=0.1)
    assert [line["epoch"] for line in log] == [0] * (SWITCH - 1) + [1] * (SETTINGS.steps - SWITCH + 1)


def test_all_steps_may_be_short(text, tmp_path):
    settings = tiny(max_tokens=32, first_steps=4, first_tokens=16, steps=4, warm_up=1, weight_decay=0.0)
    pretrain(settings, text, tmp_path / "out", Silence())
    start, end = (position_embeddings(tmp_path / "out", step) for step in (0, 4))
    assert torch.equal(start[16:], end[16:])


@pytest.mark.parametrize(("hidden", "heads"), [(16, 2), (9, 3)], ids=["even", "odd"])
def test_sinusoidal_tables_are_those_of_a_slow_loop(hidden, heads):
    settings = tiny(positions="sinusoidal", hidden=hidden, heads=heads, initial_spread=0.05)
    found = new_model(settings, CPU).bert.embeddings.position_embeddings.weight
    for place in range(settings.max_tokens):
        for column in range(hidden):
            angle = place / 10_000 ** ((column - column % 2) / hidden)
            value = math.cos(angle) if column % 2 else math.sin(angle)
            assert found[place, column].item() == pytest.approx(0.05 * math.sqrt(2) * value, abs=1e-6)
    assert found.requires_grad


def test_sinusoidal_tables_have_the_spread_of_other_weights_and_leave_those_as_they_are():
    tables, random = (new_model(tiny(positions=kind, hidden=64), CPU) for kind in ("sinusoidal", "random"))
    name = "bert.embeddings.position_embeddings.weight"
    assert tables.state_dict()[name].square().mean().sqrt().item() == pytest.approx(tiny().initial_spread, rel=0.01)
    differing = [key for key, value in tables.state_dict().items() if not torch.equal(value, random.state_dict()[key])]
    assert differing == [name]


def test_sinusoidal_tables_are_learned_afterwards(text, tmp_path):
    settings = tiny(positions="sinusoidal", steps=3, warm_up=1, weight_decay=0.0, short=0.0)
    pretrain(settings, text, tmp_path / "out", Silence())
    start, end = (position_embeddings(tmp_path / "out", step) for step in (0, 3))
    assert torch.equal(start, new_model(settings, CPU).bert.embeddings.position_embeddings.weight)
    assert (start != end).any(1).all()
