"""Stored predictions of fine-tuned models -> their scores with intervals (Kovaleva et al. 2019, table 1).

A score varies with the examples that are scored and with the seed of the training, so the interval of a mean over seeds
resamples both: a two-level bootstrap. All scores of one draw use the same examples, so that their differences are
paired; different trainings have nothing else in common, and their seeds are drawn independently.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.tasks import LabelledTexts, Task
from generator.errors import ResultsError, reason
from generator.numbers.resampling import of_joined, sample_counts, unit_weights, with_all
from generator.studies.fact_rows import stored_rows
from generator.topics.tasks.records.tasks import SCORES
from generator.topics.tasks.run.disable.scores import resampled
from generator.topics.tasks.run.finetune.leads import LEAD, MAJORITY, constant_answer, lead
from generator.topics.tasks.run.finetune.train import PREDICTIONS

KINDS = tuple((start, frozen) for start in ("pretrained", "random") for frozen in (False, True))
TUNED = "pretrained.fine-tuned"
BESIDE = ("random.fine-tuned", "pretrained.frozen")
"""What fine-tuning from pre-trained weights is compared with."""


def score_table(model: str, task: Task, runs: Path, gold: LabelledTexts, seed: int = 0) -> pd.DataFrame:
    """Rows of `facts` on the examples of `gold`, for all runs below the folder `OUT/<model>/<task>`.

    Intervals resample the examples and, if there are several, the seeds; `n` counts the examples, which all seeds
    share. Raises ResultsError if there are no finished runs, or their predictions are of other examples.
    """
    said: dict[str, dict[int, np.ndarray]] = {}
    for start, frozen in KINDS:
        paths = sorted(runs.glob(f"{start}{'-frozen' * frozen}/seed-*"), key=_seed)
        if paths:
            said[f"{start}.{'frozen' if frozen else 'fine-tuned'}"] = {
                _seed(path): read_predictions(path, gold) for path in paths
            }
    if not said:
        raise ResultsError(f"Expected finished runs of {task.name} below {runs}, found none; run: fieldguide finetune")
    found = {f"{metric}.{name}": array for metric in task.metrics for name, array in _scores(metric, said, gold, seed)}
    rows = [(name, *of_joined(array)) for name, array in found.items()]
    table = pd.DataFrame(rows, columns=["name", "value", "low", "high"])
    return stored_rows(table.assign(layer=0, n=len(gold.examples)), SCORES, model, task.name)


def _scores(
    metric: str, said: Mapping[str, Mapping[int, np.ndarray]], gold: LabelledTexts, seed: int
) -> Iterator[tuple[str, np.ndarray]]:
    """Names with scores `[1 + draw]`: first of the examples themselves, then of resampled ones."""
    labels = np.array([example.label for example in gold.examples])
    counts = with_all(sample_counts(len(labels), seed))
    majority = resampled(metric, constant_answer(gold)[None], labels, counts)[:, 0]
    yield MAJORITY, majority
    means: dict[str, np.ndarray] = {}
    for way, predicted in said.items():
        scores = resampled(metric, np.stack(list(predicted.values())), labels, counts)
        means[way] = (scores * unit_weights(len(predicted), np.random.default_rng([seed, *way.encode()]))).sum(1)
        yield way, means[way]
        yield from ((f"{way}.seed{k}", column) for k, column in zip(predicted, scores.T, strict=True))
        yield f"{way}.{LEAD}", lead(means[way], majority)
    for other in BESIDE:
        if TUNED in means and other in means:
            yield f"{TUNED}.minus.{other}", means[TUNED] - means[other]


def _seed(path: Path) -> int:
    return int(path.name.removeprefix("seed-"))


def read_predictions(folder: Path, gold: LabelledTexts) -> np.ndarray:
    """The stored predictions of a run, `[example]`, in the order of `gold`. Raises ResultsError."""
    path = folder / PREDICTIONS
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ResultsError(
            f"Expected predictions in {path}, found: {reason(error)}; delete {folder} and run again."
        ) from None
    if stored["dev_sha256"] != gold.sha256:
        raise ResultsError(
            f"Expected predictions of the given dev examples in {path}, found those of another file; give the --data "
            "with which the model was trained."
        )
    return np.array([stored["predicted"][example.id] for example in gold.examples])
