"""The course of training, as claims read it."""

from typing import Literal

import pandas as pd

from generator.claims.evidence.evidence import Evidence
from generator.numbers.quantity import Study
from generator.studies.declared import quantity_of


def history(evidence: Evidence, table: Literal["curves", "rises"], study: Study, name: str = "") -> pd.DataFrame:
    """The rows that a study, or one of its numbers, has over the course of training; no rows if the model has no
    learning curve.
    """
    if name:
        quantity_of(study.name, name)
    return evidence.table(table, study=study.name, **({"name": name} if name else {}))
