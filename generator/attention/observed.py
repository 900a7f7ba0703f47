"""What was observed of one input. Whoever reads it needs neither torch nor a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from generator.attention.sums import Primitives
from generator.corpora.pairs import Input

Look = Callable[[np.ndarray, int], np.ndarray]
"""What is taken of a layer's weights `[head, query, key]` of one document while they are there: of all its queries, or
of one block of them after the other, and it is told which query is the first of the block."""
LookAt = Callable[[Input], Look]
"""Gives the function that looks at the maps of one input."""


@dataclass(frozen=True)
class Observed:
    """What one input showed."""

    input: Input
    primitives: Primitives
    """float64 arrays, leading axes `[layer, head]`."""
    weights: np.ndarray | None
    """`[layer, head, query, key]` float32, when asked for."""
    states: np.ndarray | None = None
    """`[layer, token, hidden]` float32, when asked for; layer 0 is what the first layer reads."""
    looked: Mapping[LookAt, Sequence[np.ndarray]] = field(default_factory=dict)
    """What each look took, by layer."""

    def of(self, look_at: LookAt) -> np.ndarray:
        """`[layer, ...]`: what a look took during the pass, or takes now from the weights that were kept."""
        return np.stack(self.by_layer(look_at))

    def by_layer(self, look_at: LookAt) -> Sequence[np.ndarray]:
        """The same, without a copy of all layers: rows of a long input are large."""
        if look_at in self.looked:
            return self.looked[look_at]
        assert self.weights is not None, "an input is looked at in the pass, or its weights are kept"
        look = look_at(self.input)
        return [look(weights, 0) for weights in self.weights]
