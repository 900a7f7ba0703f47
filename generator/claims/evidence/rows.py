"""Turns rows of the store into a number, a grid of numbers, or the head that was chosen for a relation."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from generator.numbers.number import Grid, Number


@dataclass(frozen=True)
class RelationHead:
    """The head that was chosen for a dependency relation."""

    relation: str
    direction: str
    layer: int
    """1-based."""
    head: int
    accuracy: Number
    """Share of the relation's words whose head the attention finds; `n` counts words."""
    gain: Number
    """Accuracy minus that of the best fixed offset."""
    baseline: float
    """Accuracy of the best fixed offset."""
    twin: Number
    """Accuracy of the head that is chosen for the relation in an untrained twin, mean over twins; undefined without."""

    @property
    def found(self) -> bool:
        """Whether it is surely better than the best fixed offset, and than the best head of every untrained twin."""
        return self.gain.low > 0 and not self.twin.high >= self.accuracy.value


def grid(table: pd.DataFrame, shape: tuple[int, ...]) -> Grid:
    """The numbers of a table as arrays, `[layer]` or `[layer, head]`; NaN where the table has no row."""
    place = tuple(table[axis].to_numpy(int) - 1 for axis in ("layer", "head")[: len(shape)])
    parts = []
    for name, nothing in (("value", np.nan), ("low", np.nan), ("high", np.nan), ("n", 0)):
        part = np.full(shape, nothing)
        part[place] = table[name].to_numpy(float)
        parts.append(part)
    return Number(parts[0], parts[1], parts[2], parts[3].astype(int))


def plain(row: Any, value: str = "value", low: str = "low", high: str = "high") -> Number:
    """The number in these columns of a row, in Python's own types."""
    return Number.of(row, value, low, high).at()


def number(row: Any) -> Number | None:
    """The number in a row; None where it is undefined."""
    found = plain(row)
    return None if np.isnan(found.value) else found


def relation_head(row: Any) -> RelationHead:
    """The chosen head, from a row of the table `relation_heads`."""
    place = row["relation"], row["direction"], int(row["layer"]), int(row["head"])
    gain, twin = (plain(row, name, f"{name}_low", f"{name}_high") for name in ("gain", "twin"))
    return RelationHead(*place, plain(row), gain, float(row["baseline"]), twin)
