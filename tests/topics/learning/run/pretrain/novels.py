"""Made-up text with paragraphs, settings with which training takes seconds, and ways to stop a run and look at it."""

import gzip
import json
import random
from contextlib import nullcontext

from generator.topics.learning.run.pretrain.settings import Pretraining
from generator.topics.learning.run.pretrain.state import read_log
from tests.reports import Silence

WORDS = (
    "sea",
    "rock",
    "lamp",
    "ship",
    "harbour",
    "keeper",
    "night",
    "winter",
    "letter",
    "door",
    "roof",
    "paint",
    "wind",
)
TINY = {
    "steps": 24,
    "warm_up": 4,
    "rate": 5e-3,
    "vocabulary": 60,
    "layers": 2,
    "heads": 2,
    "hidden": 16,
    "intermediate": 32,
    "max_tokens": 24,
    "batch": 4,
    "checkpoints": 5,
    "first_checkpoint": 1,
    "held_out": 12,
    "log_every": 3,
    "save_seconds": 0,
    "device": "cpu",
}


def tiny(**changes):
    return Pretraining(**TINY | changes)


def documents(count, seed):
    draw = random.Random(seed)

    def sentence():
        return "The " + " ".join(draw.choices(WORDS, k=draw.randint(3, 9))) + draw.choice(".?!")

    def paragraph():
        return " ".join(sentence() for _ in range(draw.randint(1, 4)))

    return [{"id": f"novel-{n}", "paragraphs": [paragraph() for _ in range(12)]} for n in range(count)]


def write(folder, train=6, valid=3):
    """`train.jsonl.gz` and `valid.jsonl`."""
    folder.mkdir(exist_ok=True)
    lines = ["".join(json.dumps(d) + "\n" for d in documents(*what)) for what in ((train, 1), (valid, 2))]
    (folder / "train.jsonl.gz").write_bytes(gzip.compress(lines[0].encode()))
    (folder / "valid.jsonl").write_text(lines[1], encoding="utf-8")
    return folder


class InterruptionError(Exception):
    """Stands for a kill at a step."""


class Interrupting(Silence):
    """A report that stops the run when it is told of progress once more than so many times."""

    def __init__(self, calls):
        self.calls = calls

    def bar(self, title, total):
        return nullcontext(self._advance)

    def _advance(self, done):
        self.calls -= 1
        if self.calls < 0:
            raise InterruptionError


def lines(out):
    """The log without what depends on the clock."""
    return [{k: v for k, v in line.items() if k != "tokens_per_second"} for line in read_log(out)]


def weights(out):
    """The bytes of every kept model."""
    return {path.parent.name: path.read_bytes() for path in sorted((out / "checkpoints").rglob("model.safetensors"))}


def same(out, other):
    """Two runs that cannot be told apart."""
    assert lines(out) == lines(other)
    assert weights(out) == weights(other)
