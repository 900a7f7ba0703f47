"""Two trainings that differ only in next-sentence prediction, compared at the steps that both have.

The hypothesis of 2021 says that this task makes the begin token attend broadly. There is one training of each kind, so
an interval is about the text that is read and not about other seeds.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from generator.claims.evidence.evidence import Evidence
from generator.errors import ResultsError
from generator.numbers.resampling import bootstrap
from generator.topics.learning.records.runs import LEAD, WITHOUT
from generator.topics.learning.run.curve.rows import Steps, curve_rows
from generator.topics.learning.run.pretrain.state import read_run

OBJECTIVE = "next_sentence"


def check_contrast(run: Path, without: Path) -> None:
    """Raises ResultsError unless the runs differ only in next-sentence prediction, which the second does not have."""
    first, second = read_run(run), read_run(without)
    same = second and {**second, "settings": {**second["settings"], OBJECTIVE: True}}
    if not first or first != same or second["settings"].get(OBJECTIVE, True):
        raise ResultsError(
            f"Expected {without} to be trained as {run} but with {OBJECTIVE} = false, found other settings or other "
            "text; train it with the same settings file, in which only this line is changed."
        )


def contrast_rows(
    steps: Steps, first: Sequence[Evidence], second: Sequence[Evidence], model: str, corpus: str, seed: int
) -> pd.DataFrame:
    """Study "without next sentence": the model minus the one trained without it, paired by document."""
    leads = [_lead(evidence) - _lead(other) for evidence, other in zip(first, second, strict=True)]
    return curve_rows(
        steps, found=bootstrap(np.stack(leads, axis=1), seed), study=WITHOUT, name=LEAD, model=model, corpus=corpus
    )


def _lead(evidence: Evidence) -> np.ndarray:
    """`[document]`: entropy of the begin token's row minus that of all rows, nats, mean over the last layer's heads."""
    lead: np.ndarray = (evidence.rows("entropy.cls") - evidence.rows("entropy.all"))[:, -1].mean(-1)
    return lead
