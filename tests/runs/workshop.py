"""A folder in which every command that takes long can be run within seconds, and the commands."""

import json
from pathlib import Path

from tests.cli.command import write_corpus
from tests.encoders import write as write_encoder
from tests.experiments.reviews import write_tasks
from tests.test_pipeline import write_project
from tests.topics.learning.run.pretrain.novels import TINY
from tests.topics.learning.run.pretrain.novels import write as write_novels

STEPS = {"steps": 12, "checkpoints": 2, "first_checkpoint": 12, "max_tokens": 64, "batch": 6, "initial_spread": 0.2}


def furnish(root: Path) -> Path:
    """An encoder, labelled tasks, novels, a text, and a site to build."""
    root.mkdir(exist_ok=True)
    write_encoder("bert", root / "bert", num_hidden_layers=1)
    write_tasks(root / "data")
    write_novels(root / "novels")
    write_corpus(root / "four.txt", 4)
    write_project(root / "project", [root / "bert"], studies=False)
    lines = (f"{key} = {json.dumps(value)}" for key, value in (TINY | STEPS).items())
    (root / "run.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


def commands(root: Path) -> dict[str, tuple[str, ...]]:
    """Name -> words, in an order in which each finds what it needs: `disable` a tuned model, `curve` a run."""
    model, text, results = root / "bert", root / "four.txt", root / "results"
    out, run = root / "tuned", root / "run"
    stored, read = ("--results", results), ("--corpus", text)
    task = ("--task", "rte", "--data", root / "data")
    words = {
        "analyze": ("analyze", model, *read, "--no-studies", *stored),
        "finetune": ("finetune", model, *task, "--epochs", "2", "--seeds", "2", "--out", out, *stored),
        "disable": ("disable", model, *task, "--out", out, *stored),
        "compare": ("compare", model, root / "bert", "--name", "again", *read, *stored),
        "pretrain": (
            "pretrain",
            "--config",
            root / "run.toml",
            "--texts",
            root / "novels",
            "--out",
            root / "run",
            *read,
        ),
        "curve": ("curve", run, "--name", "small", *read, *stored),
        "build": ("build", "--config", root / "project" / "fieldguide.toml"),
    }
    return {name: tuple(map(str, each)) for name, each in words.items()}
