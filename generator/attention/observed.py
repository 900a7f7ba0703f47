"""What was observed of one input. Whoever reads it needs neither torch nor a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from generator.attention.sums.primitives import Primitives
from generator.corpora.pairs import Input

Look = Callable[[np.ndarray, int], np.ndarray]
"""A function that is shown a layer's weights `[head, query, key]` of one document while they exist, and returns what is
kept of them. It is shown all queries at once or block by block, and is told the 0-based first query of the block.
"""
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
    states: Sequence[np.ndarray] | None = None
    """`[token, hidden]` float32 by layer, when asked for; layer 0 is what the first layer reads. No copy is made."""
    looked: Mapping[LookAt, Sequence[np.ndarray]] = field(default_factory=dict)
    """What each look kept, by layer."""

    def of(self, look_at: LookAt) -> np.ndarray:
        """What a look kept, `[layer, ...]`: taken during the pass, or now from the weights if these were kept."""
        return np.stack(self.by_layer(look_at))

    def by_layer(self, look_at: LookAt) -> Sequence[np.ndarray]:
        """What a look kept, layer by layer: no copy of all layers is made, because rows of a long input are large."""
        if look_at in self.looked:
            return self.looked[look_at]
        assert self.weights is not None, "an input is looked at in the pass, or its weights are kept"
        look = look_at(self.input)
        return [look(weights, 0) for weights in self.weights]
