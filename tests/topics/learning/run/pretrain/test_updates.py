"""Muon takes the matrices inside the layers, AdamW all else, and a run with both goes on where it was killed."""

import pytest
import torch

from generator.topics.learning.run.pretrain.model import new_model
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.learning.run.pretrain.updates import Updates
from tests.reports import Silence
from tests.topics.learning.run.pretrain.novels import Interrupting, InterruptionError, same, tiny, write

MUON = tiny(optimiser="muon", dropout=0.0)


def optimisers(settings):
    model = new_model(settings, torch.device("cpu"))
    names = {weights: name for name, weights in model.named_parameters()}
    found = {}
    for optimiser in Updates(settings, model)._optimisers:
        for group in optimiser.param_groups:
            found |= {names[weights]: (type(optimiser).__name__, group["weight_decay"]) for weights in group["params"]}
    return found, model


def test_adamw_updates_everything_and_decays_matrices_alone():
    found, model = optimisers(tiny(weight_decay=0.1))
    assert found == {n: ("AdamW", 0.1 if w.ndim > 1 else 0.0) for n, w in model.named_parameters()}


def test_muon_updates_the_matrices_of_the_layers():
    found, model = optimisers(tiny(weight_decay=0.1, optimiser="muon"))
    assert set(found) == {name for name, _ in model.named_parameters()}
    muon = {name for name, (kind, _) in found.items() if kind == "Muon"}
    assert muon == {n for n, w in model.named_parameters() if n.startswith("bert.encoder.") and w.ndim > 1}


def test_weights_that_are_not_trained_belong_to_no_optimiser():
    found, model = optimisers(tiny(next_sentence=False))
    assert {name for name, _ in model.named_parameters()} - set(found) == {
        name for name, weights in model.named_parameters() if not weights.requires_grad
    }


def test_a_run_with_muon_that_is_killed_ends_as_one_that_is_not(tmp_path):
    text = write(tmp_path / "text")
    pretrain(MUON, text, tmp_path / "whole", Silence())
    for calls in (4, 9):
        with pytest.raises(InterruptionError):
            pretrain(MUON, text, tmp_path / "out", Interrupting(calls))
    pretrain(MUON, text, tmp_path / "out", Silence())
    same(tmp_path / "out", tmp_path / "whole")
