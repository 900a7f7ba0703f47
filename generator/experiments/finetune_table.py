"""Stored predictions of fine-tuned models -> their scores with intervals (Kovaleva et al. 2019, table 1)."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.tasks import LabelledTexts, Task
from generator.errors import ResultsError
from generator.experiments.disabling_scores import resampled, sample_counts
from generator.experiments.finetune import PREDICTIONS
from generator.experiments.scores import score
from generator.results.intervals import LEVEL

STUDY = "scores"
KINDS = tuple((start, frozen) for start in ("pretrained", "random") for frozen in (False, True))


def score_table(model: str, task: Task, runs: Path, gold: LabelledTexts, seed: int = 0) -> pd.DataFrame:
    """Rows of `facts` on the examples of `gold`, for all runs below the folder `OUT/<model>/<task>`.

    `{metric}.majority` is the score of the training examples' most frequent class (of their mean, in a regression);
    `{metric}.{start}.{fine-tuned or frozen}` the mean over seeds, and with `.seed{k}` one of them. Intervals are over
    examples, the same draws for all rows; a mean's is that of the mean over seeds on each draw.

    Raises ResultsError where there are no finished runs, or the predictions are of other examples.
    """
    labels = np.array([one.label for one in gold.examples])
    counts = sample_counts(len(labels), seed)
    said: dict[str, dict[str, np.ndarray]] = {}
    for start, frozen in KINDS:
        stored = {_seed(path): _read(path, gold) for path in runs.glob(f"{start}{'-frozen' * frozen}/seed-*")}
        if stored:
            said.setdefault("majority", {})[""] = np.full(len(labels), next(iter(stored.values()))["constant"])
            said[f"{start}.{'frozen' if frozen else 'fine-tuned'}"] = {
                f".seed{k}": np.array([one["predicted"][example.id] for example in gold.examples])
                for k, one in sorted(stored.items())
            }
    if not said:
        raise ResultsError(f"Expected finished runs of {task.name} below {runs}, found none; run: fieldguide finetune")
    rows: list[dict[str, Any]] = []
    for metric in task.metrics:
        for kind, predicted in said.items():
            scores = [score(metric, one, labels) for one in predicted.values()]
            draws = resampled(metric, np.stack(list(predicted.values())), labels, counts)
            rows.append(_row(f"{metric}.{kind}", float(np.mean(scores)), draws.mean(1)))
            each = zip(predicted, scores, draws.T, strict=True)
            rows += [_row(f"{metric}.{kind}{k}", value, drawn) for k, value, drawn in each if k]
    table = pd.DataFrame(rows).assign(model=model, corpus=task.name, study=STUDY, layer=0, n=len(labels))
    return table.astype({"layer": "int16", "n": "int32"})


def _row(name: str, value: float, draws: np.ndarray) -> dict[str, Any]:
    """A number and the 95 % percentile interval of its `[draw]`; NaN where none is defined."""
    tail = (1 - LEVEL) / 2
    low, high = (np.nan, np.nan) if np.isnan(draws).all() else np.nanquantile(draws, [tail, 1 - tail])
    return {"name": name, "value": value, "low": low, "high": high}


def _seed(path: Path) -> int:
    return int(path.name.removeprefix("seed-"))


def _read(folder: Path, gold: LabelledTexts) -> dict[str, Any]:
    path = folder / PREDICTIONS
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResultsError(f"Expected predictions in {path}, found: {error}; delete {folder} and run again.") from None
    if stored["dev_sha256"] != gold.sha256:
        raise ResultsError(
            f"Expected predictions of the given dev examples in {path}, found those of another file; give the data "
            "that the run was given."
        )
    return stored
