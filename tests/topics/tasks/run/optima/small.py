"""Trainings of a tiny encoder from one start and from several."""

from pathlib import Path

from tests.cli.command import Outcome, fieldguide
from tests.experiments.reviews import encoder, write_tasks

RECIPE = ("--epochs", "1", "--batch", "4", "--rate", "2e-2", "--seeds", "2", "--device", "cpu")


def run(root: Path, *words: object, task: str = "rte") -> Outcome:
    """The command on the encoder in a folder."""
    places = ("--data", root / "data", "--out", root / "out", "--results", root / "results")
    return fieldguide("optima", root / "bert", "--task", task, *RECIPE, *places, *words)


def ends(root: Path) -> None:
    """Put an encoder and tasks into a folder, and what the command makes of them."""
    write_tasks(root / "data", train=40, dev=30)
    encoder(root)
    code, said, error = run(root)
    assert (code, said.strip()) == (0, str(root / "results" / "bert@optima.rte")), error
