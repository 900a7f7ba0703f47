"""Turns numbers at every checkpoint into rows of the tables `curves` and `rises`.

A name without a record raises Undeclared.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from generator.numbers.number import Grid, Number
from generator.numbers.quantity import Study
from generator.results.tables import CURVES, RISES
from generator.topics.learning.compute.rises import Rise

Steps = Sequence[int]
CurveTables = dict[str, list[pd.DataFrame]]
"""Name of a table, `curves` or `rises` -> its parts."""


def curve_rows(steps: Steps, found: Grid, study: Study, name: str, model: str, corpus: str) -> pd.DataFrame:
    """Rows of `curves` from arrays `[step]`, `[step, layer]` or `[step, layer, head]`; undefined ones are left out."""
    at = np.indices(found.value.shape)
    columns = {"step": np.asarray(steps)[at[0]].ravel()} | _places(at[1:])
    frame = pd.DataFrame(columns | {field: values.ravel() for field, values in found._asdict().items()})
    return _typed(frame, study=study, name=name, model=model, corpus=corpus, columns=CURVES.names).dropna(
        subset="value"
    )


def rise_rows(found: Rise, study: Study, name: str, model: str, corpus: str) -> pd.DataFrame:
    """Rows of `rises` from single numbers, or arrays `[layer]` or `[layer, head]`."""
    columns = _places(np.indices(found.step.shape))
    frame = pd.DataFrame(columns | {field: np.atleast_1d(part).ravel() for field, part in found._asdict().items()})
    return _typed(frame, study=study, name=name, model=model, corpus=corpus, columns=RISES.names)


def number_rows(
    found: Mapping[int, Number], study: Study, name: str, model: str, corpus: str, layer: int = 0
) -> pd.DataFrame:
    """Rows of `curves` from one number a step, of a layer or of the whole model."""
    frame = pd.DataFrame([number._asdict() for number in found.values()]).assign(step=list(found), layer=layer, head=0)
    return _typed(frame, study=study, name=name, model=model, corpus=corpus, columns=CURVES.names)


def at_head(frame: pd.DataFrame, layer: int, head: int) -> pd.DataFrame:
    """The same rows for one head; layer and head are 1-based."""
    return frame.assign(layer=np.int16(layer), head=np.int16(head))


def _places(at: np.ndarray) -> dict[str, np.ndarray | int]:
    """The 1-based columns `layer` and `head` of entries; 0 for an axis that the array does not have."""
    parts: list[np.ndarray | int] = [part.ravel() + 1 for part in at]
    return dict(zip(("layer", "head"), [*parts, 0, 0], strict=False))


def _typed(frame: pd.DataFrame, study: Study, name: str, model: str, corpus: str, columns: list[str]) -> pd.DataFrame:
    study.quantity(name)
    frame = frame.assign(model=model, corpus=corpus, study=study.name, name=name)[columns]
    whole = {"layer": "int16", "head": "int16", "n": "int32"}
    return frame.astype(whole | ({"step": "int64"} if columns == CURVES.names else {}))
