"""Curves over layers, one per document, and which layers the hypothesis of 2021 means by lower, middle and last.

The hypothesis ("A Hypothesis about Learning Curve of BERT") is about the twelve layers of BERT-base; for models of
other depth its layers are read as relative depth, layer / number of layers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generator.numbers.depth import in_depth, last_layers, lowest_third
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap

BREADTH = "breadth"
"""Entropy of the rows divided by that of uniform attention on the same text."""
SHOWN = ("attention.cls", "attention.sep", "attention.punctuation", "entropy.all", "entropy.cls")


@dataclass(frozen=True)
class LayerProfiles:
    """Curves over layers, means over heads; NaN for a document that does not define a quantity."""

    documents: tuple[str, ...]
    """Sorted by name, so that no order of rows can change a bootstrap."""
    curves: Mapping[str, np.ndarray]
    """Name -> `[document, layer]`; the names are BREADTH and SHOWN."""

    @property
    def layers(self) -> int:
        """How many layers the model has."""
        return self.curves[BREADTH].shape[1]

    def estimates(self, seed: int) -> dict[str, Grid]:
        """The mean of each curve, `[layer]`, with intervals over documents."""
        return {name: bootstrap(rows, seed) for name, rows in self.curves.items()}


def layer_profiles(documents: pd.DataFrame, uniform: pd.DataFrame) -> LayerProfiles:
    """The curves of one model on one corpus, from the rows of the tables `documents` and `uniform` in any order."""
    assert documents["corpus"].nunique() == 1, "the rows of one corpus"
    table = documents.sort_values(["document", "layer", "head"])
    names = tuple(map(str, table["document"].unique()))
    layers = table["layer"].nunique()
    by_head = {name: table[name].to_numpy().reshape(len(names), layers, -1) for name in SHOWN}
    most = uniform.set_index("document").loc[list(names), "entropy.all"].to_numpy()[:, None, None]
    relative = by_head["entropy.all"] / np.where(most > 0, most, np.nan)  # texts of one token have no breadth
    curves = {name: values.mean(-1) for name, values in by_head.items()}
    return LayerProfiles(names, curves | {BREADTH: relative.mean(-1)})


def _middle(layers: int) -> np.ndarray:
    return in_depth(layers, 6, 10)


SIGNATURES: Mapping[str, tuple[str, Callable[[int], np.ndarray]]] = {
    "begin": ("attention.cls", lowest_third),
    "separator": ("attention.sep", _middle),
    "punctuation": ("attention.punctuation", last_layers),
}
"""Phase -> the measure that the hypothesis expects to stand out, and a function that marks its layers, `[layer]`."""
