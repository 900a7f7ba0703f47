"""Curves over layers, one per document, and what the hypothesis of 2021 says about lower, middle and last layers.

The hypothesis ("A Hypothesis about Learning Curve of BERT") speaks of the twelve layers of BERT-base; for other depths
its layers are read as relative depth, layer / layers. Every number is a mean over documents with a bootstrap interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from generator.results.intervals import Estimate, bootstrap

BREADTH = "breadth"
"""Entropy of the rows divided by that of uniform attention on the same text."""
BROAD_HEADS = "broad heads"
"""Share of a layer's heads that are broad in the document."""
BROAD = 0.8
"""Share of the uniform entropy from which a head counts as broad; Clark et al. 2019 use 3.8 of about 4.8 nats."""
SHOWN = ("attention.cls", "attention.sep", "attention.punctuation", "entropy.all", "entropy.cls")
BERT_LAYERS = 12
"""The depth of which the hypothesis speaks."""


@dataclass(frozen=True)
class LayerProfiles:
    """Means over heads; a document that does not define a quantity is NaN."""

    documents: tuple[str, ...]
    """Sorted by name, so that no order of rows can change a bootstrap."""
    curves: Mapping[str, np.ndarray]
    """Name -> `[document, layer]`; the names are BREADTH, BROAD_HEADS and SHOWN."""

    @property
    def layers(self) -> int:
        """How many the model has."""
        return self.curves[BREADTH].shape[1]


def layer_profiles(documents: pd.DataFrame, uniform: pd.DataFrame) -> LayerProfiles:
    """The curves of one model on one corpus, from the rows of the tables `documents` and `uniform` in any order."""
    assert documents["corpus"].nunique() == 1, "the rows of one corpus"
    table = documents.sort_values(["document", "layer", "head"])
    names = tuple(map(str, table["document"].unique()))
    layers = table["layer"].nunique()
    by_head = {name: table[name].to_numpy().reshape(len(names), layers, -1) for name in SHOWN}
    most = uniform.set_index("document").loc[list(names), "entropy.all"].to_numpy()[:, None, None]
    relative = by_head["entropy.all"] / most
    curves = {name: values.mean(-1) for name, values in by_head.items()}
    broad = np.where(np.isnan(relative), np.nan, relative > BROAD)
    return LayerProfiles(names, curves | {BREADTH: relative.mean(-1), BROAD_HEADS: broad.mean(-1)})


def breadth_early(profiles: LayerProfiles, seed: int) -> Estimate:
    """Phase one: breadth of the lowest third of layers minus that of the rest; above 0: broader."""
    return _early(profiles, BREADTH, seed)


def broad_heads_early(profiles: LayerProfiles, seed: int) -> Estimate:
    """Phase one: share of broad heads in the lowest third of layers minus that in the rest."""
    return _early(profiles, BROAD_HEADS, seed)


def begin_early(profiles: LayerProfiles, seed: int) -> Estimate:
    """Phase one: attention to the begin token in the lowest third of layers minus that in the rest."""
    return _early(profiles, "attention.cls", seed)


def separators_middle(profiles: LayerProfiles, seed: int) -> Estimate:
    """Phase two: attention to separators, mean over layers of relative depth 0.5 to 0.83 (BERT's 6 to 10)."""
    return bootstrap(_over(profiles.curves["attention.sep"], in_depth(profiles.layers, 6, 10)), seed)


def begin_broader_last(profiles: LayerProfiles, seed: int) -> Estimate:
    """Phase three: entropy of the begin token's row minus that of all rows, in the last layer, in nats."""
    curves = profiles.curves
    return bootstrap(curves["entropy.cls"][:, -1] - curves["entropy.all"][:, -1], seed)


def punctuation_last(profiles: LayerProfiles, seed: int) -> Estimate:
    """Phase three: attention to periods and commas, mean over layers deeper than 0.83 (BERT's last two)."""
    return bootstrap(_over(profiles.curves["attention.punctuation"], ~in_depth(profiles.layers, 0, 10)), seed)


def relations_middle(best_layers: Sequence[int], layers: int, seed: int) -> tuple[Estimate, float]:
    """Phase two: share of relations whose best head has relative depth 0.33 to 0.75 (BERT's 4 to 9), and chance.

    `best_layers` holds one 1-based layer per relation, in a fixed order; the interval is over relations. Chance is
    the share of layers that lie in that range.
    """
    inside = in_depth(layers, 4, 9)
    return bootstrap(inside[np.asarray(best_layers) - 1].astype(float), seed), float(inside.mean())


def in_depth(layers: int, first: int, last: int) -> np.ndarray:
    """Which layers have the relative depth of BERT's layers `first` to `last`, ends included; booleans, `[layer]`.

    >>> np.flatnonzero(in_depth(6, 6, 10)) + 1
    array([3, 4, 5])
    """
    depth = np.arange(1, layers + 1) * BERT_LAYERS
    return (first * layers <= depth) & (depth <= last * layers)


def lowest_third(layers: int) -> np.ndarray:
    """Booleans, `[layer]`: the first third, rounded down, and at least one layer."""
    return np.arange(layers) < max(layers // 3, 1)


def _early(profiles: LayerProfiles, name: str, seed: int) -> Estimate:
    early, curve = lowest_third(profiles.layers), profiles.curves[name]
    return bootstrap(_over(curve, early) - _over(curve, ~early), seed)


def _over(curve: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Mean over the chosen layers, `[document]`; NaN where none is chosen."""
    mean: np.ndarray = curve[:, chosen].mean(-1) if chosen.any() else np.full(len(curve), np.nan)
    return mean
