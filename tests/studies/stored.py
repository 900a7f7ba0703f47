"""The tables that a study stores: how a test finds a number in them, and what holds of every study's."""

from typing import Any

import numpy as np
import pandas as pd

from generator.numbers.number import Number
from generator.results.tables import FACTS, HEAD_FACTS

MODEL, CORPUS, SEED = "some/model", "some corpus", 5
ROUNDING = 1e-9
Pair = tuple[pd.DataFrame, pd.DataFrame]


def row(table: pd.DataFrame, name: str, layer: int | None = None, head: int | None = None) -> Any:
    """The one row with this name and place, of 1-based layers and heads; 0 is the whole model."""
    table = table[table["name"] == name]
    for column, place in (("layer", layer), ("head", head)):
        table = table if place is None else table[table[column] == place]
    (found,) = table.itertuples()
    return found


def same(row: Any, estimate: Number, rounding: float = ROUNDING) -> None:
    """A row is a number with its interval and n."""
    got = np.array([row.value, row.low, row.high, row.n], float)
    np.testing.assert_allclose(got, [float(field) for field in estimate], atol=rounding)


def fit_the_store(tables: Pair, study: str) -> None:
    """`facts` and `head_facts` have the columns of the store, and no row stands there twice."""
    for table, schema in zip(tables, (FACTS, HEAD_FACTS), strict=True):
        assert list(table.columns) == schema.names
        assert not table.duplicated(schema.names[:-4]).any()
        assert (set(table.model), set(table.corpus), set(table.study)) == ({MODEL}, {CORPUS}, {study})
    assert [str(tables[1][name].dtype) for name in ("layer", "head", "n")] == ["int16", "int16", "int32"]


def same_tables(ours: Pair, theirs: Pair) -> None:
    """Both pairs are equal, bit for bit."""
    for one, other in zip(ours, theirs, strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
