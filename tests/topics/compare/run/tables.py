"""The tables of a comparison, and single numbers read from them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.topics.compare.run.models import compare
from tests.encoders import HEADS, LAYERS

SEED, NAME = 5, "Org/B"
ROUNDING = 1e-12
Made = Callable[[str], Encoder]
Tables = Mapping[str, list[pd.DataFrame]]


def compared(a: Encoder, b: Encoder, inputs: list[Input]) -> Tables:
    """Both tables of one corpus."""
    return compare(a, b, {"text": inputs}, SEED)


def value(tables: Tables, table: str, name: str, layer: int = 0, head: int = 0) -> Any:
    """The only row of that name and place."""
    frame = tables[table][0]
    chosen = (frame["name"] == name) & (frame["layer"] == layer)
    rows = frame[chosen & (frame["head"] == head)] if head else frame[chosen]
    assert len(rows) == 1, (name, layer, head)
    return rows.iloc[0]


def grid(tables: Tables, name: str, field: str = "value") -> np.ndarray:
    """`[layer, head]` of one name."""
    rows = tables["head_facts"][0]
    rows = rows[rows["name"] == name].sort_values(["layer", "head"])
    return rows[field].to_numpy(float).reshape(LAYERS, HEADS)
