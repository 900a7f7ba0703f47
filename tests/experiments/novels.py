"""A folder of made-up text with paragraphs, and settings with which training takes seconds."""

import gzip
import json
import random
from contextlib import nullcontext

from generator.experiments.pretrain_settings import Pretraining

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


class Silence:
    """A report that nobody reads."""

    def bar(self, title, total):
        return nullcontext(lambda done: None)

    def note(self, text):
        pass

    def warn(self, text):
        pass
