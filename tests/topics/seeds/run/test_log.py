"""What logs of runs say of the way to each training."""

import json
from pathlib import Path

import pytest

from generator.topics.learning.run.pretrain.state import LOG
from generator.topics.learning.run.pretrain.watch import INPUTS
from generator.topics.seeds.records import BEYOND, SEEDS, TARGETS
from generator.topics.seeds.run.trainings import log_facts


def log(place: Path, *lines: dict[str, object]) -> Path:
    """A run's folder with these lines."""
    place.mkdir()
    (place / LOG).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return place


def watched(step: int, **highest: list[float | None]) -> dict[str, object]:
    """A line on attention; targets that are not named have uniform attention."""
    attention = {name: {"highest_times": highest.get(name, [1.0, 1.0])} for name in TARGETS}
    return {"kind": "watch", "step": step, "attention": attention}


def test_attention_is_that_of_the_highest_head_and_came_when_it_was_beyond_twice_uniform(tmp_path: Path) -> None:
    run = log(
        tmp_path / "a",
        {"kind": "held-out", "step": 0, "hidden_tokens": 99},
        {"kind": "evaluation", "step": 0, "masked_loss": 9.5},
        {"kind": "training", "step": 5, "masked_loss": 1.0},
        watched(10, previous=[1.5, BEYOND], begin=[None, None]),
        watched(20, previous=[BEYOND + 0.01, 0.1], separator=[0.5, None]),
        watched(30, previous=[7.0, 3.0]),
    )
    found = log_facts([None, run])
    assert [found[f"attention.previous.2.{step}"].value for step in (10, 20, 30)] == [BEYOND, BEYOND + 0.01, 7.0]
    assert (found["came.previous.2"].value, found["came.previous.2"].n) == (20, INPUTS)
    assert "attention.begin.2.10" not in found
    assert found["attention.separator.2.20"].value == 0.5
    assert [name for name in found if name.startswith("came")] == ["came.previous.2"]
    assert [(name, one.value, one.n) for name, one in found.items() if name.startswith("loss")] == [
        ("loss.2.0", 9.5, 99)
    ]
    for name in found:
        SEEDS.quantity(name)


@pytest.mark.parametrize("runs", [[], [None, None]])
def test_without_a_log_there_is_nothing(runs: list[None]) -> None:
    assert log_facts(runs) == {}
