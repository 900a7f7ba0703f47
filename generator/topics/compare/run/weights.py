"""How far the parameters of one model lie from those of another, next to the distance to a random initialisation.

A distance is relative, `||B - A|| / ||A||` (Euclidean), over all parameters of a layer, of the embeddings, or of the
whole encoder. Embeddings are the parameters whose name contains `embed`, outside the layers; a pooler, which often
belongs to a task, is left out. The layers are the entries of the outermost module list that has one entry for each
computation of attention. A family whose layers share parameters has no such list, and only the distance of the whole.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from torch import Tensor, nn

COPY = 0.5
"""A model is a copy of another if the cosine of their matrices, embeddings left out, is above this. Copies that were
trained further stay near 1; two models trained from different random weights are near 0.
"""
EMBEDDING, POOLER = "embed", "pooler"
"""Words in the names of embeddings and of poolers; `generator.models.twin` and `load` use the same ones."""


@dataclass(frozen=True)
class Parameters:
    """A model's parameters by name, without its pooler, and where each belongs."""

    values: Mapping[str, Tensor]
    layer: Mapping[str, int]
    """1-based layer, for those that belong to one."""

    @property
    def embeddings(self) -> tuple[str, ...]:
        """Names of the embeddings' parameters."""
        return tuple(name for name in self.values if name not in self.layer and EMBEDDING in name)

    @property
    def matrices(self) -> tuple[str, ...]:
        """Names of all parameters with two axes or more that are no embeddings.

        Gains and biases are left out: they are similar in all models, because they start from the same values.
        """
        inner = set(self.values) - set(self.embeddings)
        return tuple(name for name in self.values if name in inner and self.values[name].dim() > 1)

    def of_layer(self, layer: int) -> tuple[str, ...]:
        """Names of one layer's parameters."""
        return tuple(name for name, at in self.layer.items() if at == layer)


def parameters(model: nn.Module, layers: int) -> Parameters:
    """The parameters of an encoder that computes attention `layers` times."""
    values = {name: weight.detach() for name, weight in model.named_parameters() if POOLER not in name}
    lists = (
        name for name, module in model.named_modules() if isinstance(module, nn.ModuleList) and len(module) == layers
    )
    # Modules come from the outside in, so the first list of this length holds whole layers.
    outermost = next(lists, None)
    if outermost is None:
        return Parameters(values, {})
    inside = re.compile(re.escape(f"{outermost}.".lstrip(".")) + r"(\d+)\.")
    found = {name: inside.match(name) for name in values}
    return Parameters(values, {name: int(at[1]) + 1 for name, at in found.items() if at})


def relative_distance(a: Parameters, b: Parameters, names: tuple[str, ...]) -> float:
    """`||B - A|| / ||A||` over these parameters; NaN if B lacks one of that name and shape, or if A is zero."""
    return _of_sums(a, b, names, lambda within, _, between: (between / within) ** 0.5 if within else np.nan)


def cosine_of_matrices(a: Parameters, b: Parameters) -> float:
    """Cosine of all matrices but the embeddings, taken as one vector; NaN where names or shapes differ."""

    def cosine(within: float, other: float, between: float) -> float:
        # |a|² + |b|² - |b - a|² is twice the product of a and b.
        return (within + other - between) / 2 / (within * other) ** 0.5 if within and other else np.nan

    return _of_sums(a, b, a.matrices, cosine) if set(a.matrices) == set(b.matrices) else np.nan


def weight_facts(a: Parameters, b: Parameters, random: Parameters, layers: int) -> pd.DataFrame:
    """Rows of `name`, `layer` and `value` for distances and the cosine; parameters that differ in shape have no row.

    Distances are given for each layer, and with layer 0 for all parameters; `random` is a random initialisation, whose
    distance serves as reference.
    """
    groups = {0: tuple(a.values)} | {layer: a.of_layer(layer) for layer in range(1, layers + 1)}
    rows: list[tuple[str, int, float]] = [("weights.cosine", 0, cosine_of_matrices(a, b))]
    for name, other in (("weights.distance", b), ("weights.random", random)):
        rows += [(name, layer, relative_distance(a, other, names)) for layer, names in groups.items() if names]
    for name, other in (("weights.embeddings", b), ("weights.random.embeddings", random)):
        rows.append((name, 0, relative_distance(a, other, a.embeddings)))
    table = pd.DataFrame(rows, columns=["name", "layer", "value"])
    return table[table["value"].notna()].reset_index(drop=True)


def _of_sums(
    a: Parameters, b: Parameters, names: tuple[str, ...], ratio: Callable[[float, float, float], float]
) -> float:
    """A ratio computed from the sums of squares of A, of B and of their difference, in float64."""
    if any(name not in b.values or b.values[name].shape != a.values[name].shape for name in names):
        return np.nan
    sums = np.zeros(3)
    for name in names:
        first, second = a.values[name].cpu().double(), b.values[name].cpu().double()
        sums += [float(tensor.square().sum()) for tensor in (first, second, second - first)]
    return ratio(*sums.tolist())
