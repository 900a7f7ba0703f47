"""Tiny trainings of several objectives, and text and trees that they read."""

import random
from pathlib import Path

from generator.topics.learning.run.pretrain.run import pretrain
from tests.cli.command import Outcome, fieldguide
from tests.experiments.reviews import write_tasks
from tests.reports import Silence
from tests.topics.learning.run.pretrain.novels import WORDS, tiny, write

OBJECTIVES: dict[str, dict[str, object]] = {
    "bert": {},
    "all-masks": {"to_mask": 1.0, "to_random": 0.0},
    "no-segments": {"segments": False},
    "no-next": {"next_sentence": False},
}
SHAPE = {"steps": 10, "checkpoints": 2, "first_checkpoint": 10, "max_tokens": 32, "initial_spread": 0.4, "batch": 6}


def train(folder: Path, name: str, seed: int, text: Path, **changes: object) -> Path:
    """The folder of a finished run, NAME-SEED."""
    place = folder / f"{name}-{seed}"
    pretrain(tiny(seed=seed, **SHAPE | changes), text, place, Silence())
    return place


def furnish(root: Path) -> Path:
    """Runs bert-0, bert-1 and one of each other objective, the folder `text`, and `trees.conllu`."""
    text = write(root / "text", valid=5)
    train(root, "bert", 1, text)
    for name, changes in OBJECTIVES.items():
        train(root, name, 0, text, **changes)
    (root / "trees.conllu").write_text("\n".join(map(_tree, range(60))), encoding="utf-8")
    return root


def objectives(root: Path) -> None:
    """Put these into a folder, and what the command makes of three of them."""
    furnish(root)
    runs = (root / name for name in ("bert-0", "bert-1", "all-masks-0"))
    read = ("--text", root / "text", "--corpus", root / "trees.conllu", "--inputs", "40")
    code, said, _ = fieldguide("variants", *runs, *read, "--results", root / "results")
    assert (code, said.strip()) == (0, str(root / "results" / "bert-0@variants"))
    code, said, _ = tune(root, "bert-0", "bert-1", "no-next-0")
    assert (code, said.strip()) == (0, str(root / "results" / "bert-0@variants.rte"))


def tune(root: Path, *words: object, task: str = "rte", results: Path | None = None) -> Outcome:
    """The command with `--task` on runs by their names, in a folder that has tasks once this was called."""
    if not (root / "data").is_dir():
        write_tasks(root / "data", train=24, dev=20)
    places = [root / word if isinstance(word, str) and (root / word).is_dir() else word for word in words]
    kept = ("--data", root / "data", "--out", root / "tuned", "--results", results or root / "results")
    return fieldguide("variants", *places, "--task", task, "--seeds", "2", "--rate", "2e-3", *kept)


def _tree(number: int) -> str:
    """A sentence, some of whose words have two classes."""
    draw = random.Random(number)
    first, verb, other = (draw.choice(WORDS) for _ in range(3))
    words = [("the", "DET", 2), (first, "NOUN", 3), (verb, "VERB", 0), ("the", "DET", 5), (other, "NOUN", 3)]
    names = ("det", "nsubj", "root", "det", "obj")
    lines = [
        f"{at}\t{form}\t{form}\t{tag}\t_\t_\t{head}\t{name}\t_\t_"
        for at, ((form, tag, head), name) in enumerate(zip(words, names, strict=True), start=1)
    ]
    return "\n".join([f"# sent_id = {number}", *lines, ""])
