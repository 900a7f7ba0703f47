"""What was observed of one input. Whoever reads it needs neither torch nor a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from generator.attention.sums.primitives import Primitives
from generator.corpora.pairs import Input

Observer = Callable[[np.ndarray, int], np.ndarray]
"""A function that is shown a layer's weights `[head, query, key]` of one document while they exist, and returns what is
kept of them. It is shown all queries at once or block by block, and is told the 0-based first query of the block.
"""
ObserverOf = Callable[[Input], Observer]
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
    taken: Mapping[ObserverOf, Sequence[np.ndarray]] = field(default_factory=dict)
    """What each observer kept, by layer."""

    def of(self, observer_of: ObserverOf) -> np.ndarray:
        """What an observer kept, `[layer, ...]`: taken during the pass, or now from the weights if these were kept."""
        return np.stack(self.by_layer(observer_of))

    def by_layer(self, observer_of: ObserverOf) -> Sequence[np.ndarray]:
        """What an observer kept, layer by layer: all layers are not copied, because rows of a long input are large."""
        if observer_of in self.taken:
            return self.taken[observer_of]
        assert self.weights is not None, "an input is looked at in the pass, or its weights are kept"
        observer = observer_of(self.input)
        return [observer(weights, 0) for weights in self.weights]
