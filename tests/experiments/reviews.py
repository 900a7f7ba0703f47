"""Tiny files in the form of GLUE's, made up by a seed, and settings with which fine-tuning takes a second."""

import random
from pathlib import Path

from generator.models.source import locate
from generator.topics.tasks.run.finetune.settings import Finetuning
from generator.topics.tasks.run.finetune.train import finetune
from tests.encoders import write
from tests.reports import Silence

WORDS = ("the", "old", "lamp", "ship", "sea", "rock", "roof", "door", "wind", "salt", "name", "line", "head")
TINY = {"task": "rte", "seeds": 1, "epochs": 2, "batch": 4, "rate": 2e-3, "device": "cpu", "save_seconds": 0}


def tiny(**changes):
    return Finetuning(**TINY | changes)


def unsaved(**changes):
    """Keeps nothing before its end: for runs that no test interrupts."""
    return tiny(**{"save_seconds": 1e9} | changes)


def write_tasks(folder, train=22, dev=9):
    """RTE, whose second text repeats a word of the first where it follows; STS-B and SST-2 from the same words."""
    for split, count in (("train", train), ("dev", dev)):
        draw = random.Random(split)
        tables = {
            "RTE": ["index\tsentence1\tsentence2\tlabel"],
            "STS-B": ["sentence1\tsentence2\tscore"],
            "SST-2": ["sentence\tlabel"],
        }
        for number in range(count):
            first = draw.choices(WORDS, k=draw.randint(2, 12))
            follows = draw.random() < 0.5
            second = draw.choices(first if follows else WORDS, k=2)
            a, b = " ".join(first), " ".join(second)
            tables["RTE"].append(f"{number}\t{a}\t{b}\t{'' if follows else 'not_'}entailment")
            tables["STS-B"].append(f"{a}\t{b}\t{5 * len(set(first) & set(second)) / 2:.3f}")
            tables["SST-2"].append(f"{a}\t{int('ship' in first)}")
        for name, rows in tables.items():
            place = folder / name
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{split}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def encoder(folder, family="bert", **changes):
    return locate(str(write(family, folder / family, **changes)))


def run(place, settings, out, report=None):
    """Fine-tune the encoder in `place/bert` on the tasks in `place/data`."""
    return finetune(locate(str(Path(place) / "bert")), settings, Path(place) / "data", Path(out), report or Silence())
