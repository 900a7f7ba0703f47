"""The numbers of all heads of a model: of one column, and of all columns as the finder gets them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from generator.numbers.number import Grid, Number
from generator.numbers.writing import handed
from generator.pages.heads.naming.naming import finds
from generator.results.store import Results

PLACE = ["layer", "head"]


@dataclass(frozen=True)
class HeadGrid:
    """The numbers of one column on one corpus; arrays are `[layer, head]`."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: int
    """The number of documents in which the column is defined, for the head with most."""
    uniform: float
    layers: Grid
    """The plain mean of each layer's heads; arrays are `[layer]`."""

    @property
    def heads(self) -> Grid:
        """The numbers of all heads."""
        return Number(self.value, self.low, self.high, np.full(self.value.shape, self.n))

    def of(self, layer: int, head: int) -> Number:
        """The number of one head, counted from 1."""
        at = layer - 1, head - 1
        return Number(float(self.value[at]), float(self.low[at]), float(self.high[at]), self.n)


def grids(heads: pd.DataFrame, layers: pd.DataFrame) -> dict[str, HeadGrid]:
    """Column -> its numbers, from the rows of one corpus in the tables of heads and of layers."""
    heads, layers = (table.sort_values(["measure", *keys]) for table, keys in ((heads, PLACE), (layers, PLACE[:1])))
    of_layers = {
        str(name): Number(*(rows[field].to_numpy() for field in Number._fields))
        for name, rows in layers.groupby("measure")
    }
    shape = int(heads["layer"].max()), int(heads["head"].max())
    return {
        str(name): HeadGrid(
            value=rows["value"].to_numpy().reshape(shape),
            low=rows["low"].to_numpy().reshape(shape),
            high=rows["high"].to_numpy().reshape(shape),
            n=int(rows["n"].max()),
            uniform=float(rows["uniform"].iloc[0]),
            layers=of_layers[str(name)],
        )
        for name, rows in heads.groupby("measure")
    }


class Written(NamedTuple):
    """The number of every head as `handed` gives it, layer by layer."""

    measures: Mapping[str, list[str]]
    """By column."""
    relations: Mapping[str, list[str]]
    """Relation -> the share of its words that a head gets right in the largest treebank."""


def written(results: Results, measures: Mapping[str, np.ndarray]) -> Written:
    """From stored results, and from the means of all columns `[layer, head]`."""
    return Written(
        {name: list(map(handed, grid.ravel().tolist())) for name, grid in measures.items()},
        {name: list(map(handed, grid.ravel().tolist())) for name, grid in _found(results)},
    )


def _found(results: Results) -> Iterator[tuple[str, np.ndarray]]:
    """What heads find of each kind, and how often each is right, `[layer, head]`."""
    for find in finds().values():
        yield from find.columns(results).items()
