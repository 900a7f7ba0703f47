"""What one pass keeps of every head: the sums from which all measures follow. Importing this loads no library."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Self

REACH = 8
"""Offsets -REACH..REACH are kept one by one; what lies beyond is summed on each side."""
NEAR = (-1, 0, 1)
"""Offsets of a token's neighbours and of itself."""


@dataclass(frozen=True)
class Primitives:
    """Sums over a document's queries; axes before those named are `[document, layer, head]`, of one document `[layer,
    head]`.

    Tensors while a model runs, float64 arrays after `numpy`.
    """

    mass: Any
    """`[query class, key class]`: attention from tokens of one class to tokens of another."""
    same_segment: Any
    """Attention that stays in the query's own segment."""
    offsets: Any
    """`[2 REACH + 3]`: before -REACH, then -REACH..REACH, then after REACH (key minus query)."""
    near: Any
    """Attention at all offsets of NEAR together, to tokens of the text: neither begin token nor separator."""
    far: Any
    """`[2]`: attention to tokens of the text at offsets before -REACH and after REACH."""
    entropy: Any
    """`[query class]`: entropies of the rows, in nats."""
    largest: Any
    """Largest weight of each row."""
    sink: Any
    """Attention received by the token that receives most."""
    sink_position: Any
    """0-based position of that token."""
    norm: Any
    """`[key class]`: norms of weight times transformed value (Kobayashi et al. 2020); NaN where not available."""
    received: Any
    """`[token]`: attention that each token receives; 1 where attention is uniform."""
    value_norm: Any
    """`[token]`: norm of each token's transformed value; NaN where not available."""
    row_entropy: Any
    """`[token]`: entropy of each token's own row, in nats."""

    def each(self, function: Callable[[Any], Any]) -> Self:
        """What a function makes of each of the sums."""
        return type(self)(**{field.name: function(getattr(self, field.name)) for field in fields(self)})

    def numpy(self) -> Self:
        """The same sums as float64 arrays; they are on the CPU."""
        return self.each(lambda sums: sums.double().numpy())

    def __getitem__(self, at: int) -> Self:
        """One entry along the first axis."""
        return self.each(lambda sums: sums[at])
