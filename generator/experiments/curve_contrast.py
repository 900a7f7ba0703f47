"""Two trainings that differ in next-sentence prediction alone, at the steps that both have.

The hypothesis of 2021 says that this task makes the begin token attend broadly. There is one training of each kind, so
an interval is about the text that is read and not about other seeds.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from generator.claims.evidence import Evidence
from generator.errors import ResultsError
from generator.experiments.curve_rows import Steps, curve_rows
from generator.experiments.pretrain_state import RUN
from generator.results.intervals import bootstrap

STUDY = "without next sentence"
OBJECTIVE = "next_sentence"
LEAD = "begin.lead"
COMPARED = ("attention.cls", "attention.sep", "attention.punctuation", "entropy.all", "entropy.cls")


def check_contrast(run: Path, without: Path) -> None:
    """Raises ResultsError unless the runs differ in next-sentence prediction alone, and the second is without it."""
    first, second = _described(run), _described(without)
    same = {**second, "settings": {**second["settings"], OBJECTIVE: True}}
    if first != same or second["settings"][OBJECTIVE]:
        raise ResultsError(
            f"Expected {without} to be trained as {run} but with {OBJECTIVE} = false, found other settings or other "
            "text; train it with the same settings file, changed in this line."
        )


def contrast_curves(
    steps: Steps, first: Sequence[Evidence], second: Sequence[Evidence], model: str, corpus: str, seed: int
) -> list[pd.DataFrame]:
    """Study "without next sentence": the model less the one without, documents paired and resampled.

    `begin.lead` is the entropy of the begin token's row less that of all rows in the last layer, in nats; measures by
    their names are means over the heads of a layer.
    """
    pairs = list(zip(first, second, strict=True))
    leads = [_lead(one) - _lead(other) for one, other in pairs]
    of = model, corpus
    curves = [curve_rows(steps, bootstrap(np.stack(leads, axis=1), seed), STUDY, LEAD, *of)]
    for name in COMPARED:
        rows = np.stack([(one.rows(name) - other.rows(name)).mean(-1) for one, other in pairs], axis=1)
        curves.append(curve_rows(steps, bootstrap(rows, seed), STUDY, name, *of))
    return curves


def _lead(evidence: Evidence) -> np.ndarray:
    """`[document]`."""
    lead: np.ndarray = (evidence.rows("entropy.cls") - evidence.rows("entropy.all"))[:, -1].mean(-1)
    return lead


def _described(run: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((run / RUN).read_text(encoding="utf-8"))
        found["settings"][OBJECTIVE]
    except (OSError, ValueError, KeyError, TypeError):
        raise ResultsError(
            f"Expected a run of `fieldguide pretrain` in {run}, found none; give the folder of one."
        ) from None
    return found
