"""What a curve shows beside the analyses: losses from a run's log, how far weights moved, scores after fine-tuning."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import torch

from generator.corpora.tasks import Task
from generator.models.load import load
from generator.numbers.number import Number, alone
from generator.results.tables import CURVES
from generator.topics.compare.run.weights import Parameters, parameters, relative_distance
from generator.topics.learning.records.runs import (
    HELD_OUT_TEXT,
    TRAINING,
    TRAINING_BASELINE,
    TUNING,
    TUNING_BASELINE,
    WEIGHTS,
)
from generator.topics.learning.run.curve.checkpoints import Checkpoint
from generator.topics.learning.run.curve.rows import number_rows
from generator.topics.learning.run.pretrain.state import read_log, read_run

BASELINES = ("unigram_loss", "bigram_loss", "follows")
COUNTED = dict.fromkeys(("masked_loss", "masked_accuracy", "unigram_loss", "bigram_loss"), "hidden_tokens")
"""Name -> the logged count that becomes its `n`; for all other names `n` counts inputs."""


def training_rows(run: Path, model: str) -> pd.DataFrame:
    """Studies "training" and "training.baseline": losses and accuracies on held-out text from a run's log; no rows
    without a log.

    They have no interval, because a run logs only their means.
    """
    log = read_log(run) if read_run(run) else []
    known = next((line for line in log if line["kind"] == "held-out"), None)
    evaluations = [line for line in log if line["kind"] == "evaluation"]
    if known is None or not evaluations:
        return _nothing()

    def number(value: float, name: str) -> Number:
        return alone(value, int(known[COUNTED.get(name, "inputs")]))

    frames = []
    for name in ("masked_loss", "masked_accuracy", "next_loss", "next_accuracy"):
        found = {line["step"]: number(line[name], name) for line in evaluations if name in line}
        if found:
            frames.append(number_rows(found, TRAINING, name, model, HELD_OUT_TEXT))
    for name in BASELINES:
        found = {evaluations[-1]["step"]: number(known[name], name)}
        frames.append(number_rows(found, TRAINING_BASELINE, name, model, HELD_OUT_TEXT))
    return pd.concat(frames, ignore_index=True)


def distances(checkpoints: Sequence[Checkpoint], model: str) -> pd.DataFrame:
    """Study "weights": relative distance `||W - W0|| / ||W0||` of an encoder's weights from the first checkpoint's.

    Checkpoints whose weights have been deleted have no row; if those of the first are gone, there are no rows at all.
    The distance is exact, and `n` is 1.
    """
    first: Parameters | None = None
    found: dict[int, Number] = {}
    for checkpoint in checkpoints:
        if not checkpoint.has_weights:
            continue
        encoder = load(checkpoint.source, torch.device("cpu"))
        weights = parameters(encoder.model, encoder.model.config.num_hidden_layers)
        first = first or (weights if checkpoint is checkpoints[0] else None)
        if first is not None:
            distance = relative_distance(first, weights, tuple(first.values))
            found[checkpoint.step] = Number(distance, distance, distance, 1)
    return number_rows(found, WEIGHTS, "distance", model, "") if found else _nothing()


def tuning_rows(scores: Mapping[int, pd.DataFrame], task: Task, model: str) -> list[pd.DataFrame]:
    """Studies "tuning", by step, and "tuning.baseline", at the last one: scores of fine-tuned checkpoints.

    `scores` holds what `score_table` gives for each step. The baseline is the majority class.
    """
    frames = []
    for metric in task.metrics:
        found = {step: _score(table, f"{metric}.pretrained.fine-tuned") for step, table in scores.items()}
        majority = {max(scores): _score(scores[max(scores)], f"{metric}.majority")}
        frames.append(number_rows(found, TUNING, f"{task.name}.{metric}", model, task.name))
        frames.append(number_rows(majority, TUNING_BASELINE, f"{task.name}.{metric}", model, task.name))
    return frames


def _score(table: pd.DataFrame, name: str) -> Number:
    row = table[table["name"] == name].iloc[0]
    return Number(float(row["value"]), float(row["low"]), float(row["high"]), int(row["n"]))


def _nothing() -> pd.DataFrame:
    empty: pd.DataFrame = CURVES.empty_table().to_pandas()
    return empty
