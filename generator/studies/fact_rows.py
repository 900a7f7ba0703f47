"""Makes rows of `facts` and `head_facts` from estimates, and one row per document from its parts."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from generator.corpora.pairs import Input
from generator.numbers.means import DocumentMeans
from generator.numbers.number import Grid, Number
from generator.numbers.quantity import Study
from generator.results.tables import FACTS, HEAD_FACTS

Places = dict[str, dict[str, np.ndarray]]
"""Name of a number -> column that says where it belongs, `layer` or `head` -> its entries."""


class DocumentRows:
    """Gathers the numbers of inputs; a document counts once, as the mean of those parts that define a number."""

    def __init__(self) -> None:
        self._means = DocumentMeans()

    def add(self, item: Input, values: np.ndarray) -> None:
        """Add the numbers of one input, an array of the same shape for all inputs; NaN where undefined."""
        self._means.add(item.document, item.part, values)

    @property
    def names(self) -> list[str]:
        """The documents, sorted, until their rows are asked for."""
        return self._means.names

    def rows(self) -> np.ndarray:
        """`[document, ...]` in the order of names, whatever the order in which inputs came; asked for once."""
        return self._means.rows()


def facts(
    found: Mapping[str, Number[Any]], study: Study, model: str, corpus: str, first_layer: int = 1
) -> pd.DataFrame:
    """Rows of `facts`: arrays `[layer]` get a row per layer, from `first_layer` on; single numbers get layer 0.

    Raises Undeclared for a number without a record in the study.
    """
    places: Places = {}
    for name, estimate in found.items():
        by_layer = bool(np.ndim(estimate.value))
        study.check([name], "layer" if by_layer else "model")
        places[name] = {"layer": first_layer + np.arange(np.size(estimate.value)) if by_layer else np.zeros(1)}
    return _typed(_joined(found, places), FACTS.names, study, model, corpus)


def head_facts(found: Mapping[str, Grid], study: Study, model: str, corpus: str) -> pd.DataFrame:
    """Rows of `head_facts` from arrays `[layer, head]`. Raises Undeclared for a number without a record."""
    study.check(found, "head")
    places: Places = {}
    for name, estimate in found.items():
        layer, head = (place.ravel() + 1 for place in np.indices(estimate.value.shape))
        places[name] = {"layer": layer, "head": head}
    return _typed(_joined(found, places), HEAD_FACTS.names, study, model, corpus)


def stored_rows(table: pd.DataFrame, study: Study, model: str, corpus: str) -> pd.DataFrame:
    """Rows of `facts` or, if the table has a column `head`, of `head_facts`, from names, places and numbers.

    Raises Undeclared for a number without a record in the study.
    """
    if "head" in table:
        study.check(table["name"].unique(), "head")
        return _typed(table, HEAD_FACTS.names, study, model, corpus)
    study.check(table.loc[table["layer"] == 0, "name"].unique(), "model")
    study.check(table.loc[table["layer"] > 0, "name"].unique(), "layer")
    return _typed(table, FACTS.names, study, model, corpus)


def _joined(found: Mapping[str, Number[Any]], places: Places) -> pd.DataFrame | None:
    """One table of all numbers and their places, because to make one for each of many numbers takes long; None if there
    are none.
    """
    parts = [places[name] | _figures(estimate) for name, estimate in found.items()]
    if not parts:
        return None
    names = [name for name, part in zip(found, parts, strict=True) for _ in part["layer"]]
    return pd.DataFrame(
        {"name": names, **{column: np.concatenate([part[column] for part in parts]) for column in parts[0]}}
    )


def _typed(table: pd.DataFrame | None, columns: list[str], study: Study, model: str, corpus: str) -> pd.DataFrame:
    """The rows with the columns and types of the stored table; an empty table if there are none."""
    table = pd.DataFrame(columns=columns) if table is None else table
    whole = {name: "int16" for name in ("layer", "head") if name in columns} | {"n": "int32"}
    table = table.assign(model=model, corpus=corpus, study=study.name)[columns]
    return table.astype(whole | dict.fromkeys(("value", "low", "high"), "float64"))


def _figures(estimate: Number[Any]) -> dict[str, np.ndarray]:
    return {field: np.atleast_1d(values).ravel() for field, values in estimate._asdict().items()}
