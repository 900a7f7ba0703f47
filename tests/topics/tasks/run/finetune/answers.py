"""Answers of invented models to invented examples, and scores of them by their formulas."""

import json

import numpy as np

from generator.topics.tasks.run.finetune.train import PREDICTIONS


def accuracy(predicted, gold):
    return sum(said == true for said, true in zip(predicted, gold, strict=True)) / len(gold)


def put(folder, kind, seed, gold, said):
    place = folder / kind / f"seed-{seed}"
    place.mkdir(parents=True)
    names = [example.id for example in gold.examples]
    content = {"dev_sha256": gold.sha256, "predicted": dict(zip(names, said, strict=True))}
    (place / PREDICTIONS).write_text(json.dumps(content), encoding="utf-8")


def stored(folder, kind, seed):
    """[example]"""
    content = json.loads((folder / kind / f"seed-{seed}" / PREDICTIONS).read_text("utf-8"))
    return np.array(list(content["predicted"].values()))


MADE = {"pretrained": 3, "random": 2, "pretrained-frozen": 1}
"""Folder -> runs; how often a run of it is right is made up, too."""
NAMED = {"pretrained": "pretrained.fine-tuned", "random": "random.fine-tuned", "pretrained-frozen": "pretrained.frozen"}
