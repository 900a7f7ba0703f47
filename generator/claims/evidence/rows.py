"""Turns rows of the store into a number or a grid of numbers."""

from typing import Any

import numpy as np
import pandas as pd

from generator.numbers.number import Grid, Number


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
