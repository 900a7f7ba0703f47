"""What happens in one forward pass: the linear modules that run and the maps that modules return, in order.

Modules are told apart by the tensors they handle, not by their names, which differ from family to family.
"""

from contextlib import ExitStack
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from generator.attention.batches import Batch

TOLERANCE = 1e-4
"""Largest difference at which two float32 computations of the same states count as equal, relative to their scale."""


def split_heads(states: Tensor, heads: int) -> Tensor:
    """`[document, token, head * dim]` -> `[document, head, token, dim]`."""
    documents, tokens, width = states.shape
    return states.view(documents, tokens, heads, width // heads).transpose(1, 2)


def equal_states(a: Tensor, b: Tensor, mask: Tensor) -> bool:
    """Whether two `[document, token, ...]` tensors agree where the mask is 1."""
    if a.shape != b.shape or a.shape[:2] != mask.shape:
        return False
    real = mask.to(a.device).bool()
    return bool((a[real] - b[real]).abs().max() <= TOLERANCE * (1 + b[real].abs().max()))


@dataclass(frozen=True)
class LinearCall:
    """A linear module that ran, and its input and output `[document, token, dim]`."""

    module: nn.Linear
    received: Tensor
    made: Tensor


@dataclass(frozen=True)
class ReturnedMap:
    """A module that returned attention weights `[document, head, query, key]`."""

    module: nn.Module
    weights: Tensor
    after: int
    """How many linear modules had run when the map was returned."""


@dataclass
class Trace:
    """Records the linear modules that run in a forward pass, and the maps that modules return."""

    model: nn.Module
    batch: Batch
    linears: list[LinearCall] = field(default_factory=list)
    maps: list[ReturnedMap] = field(default_factory=list)

    def __enter__(self) -> "Trace":
        self._hooks = ExitStack()
        for module in self.model.modules():
            hook = self._linear if isinstance(module, nn.Linear) else self._returned
            self._hooks.callback(module.register_forward_hook(hook).remove)
        return self

    def __exit__(self, *_: object) -> None:
        self._hooks.close()

    def receiver_of(self, output: Tensor) -> nn.Linear | None:
        """The linear module that was handed this tensor."""
        return next(
            (linear.module for linear in self.linears if equal_states(linear.received, output, self.batch.mask)), None
        )

    def value_and_output(self, layer: int) -> tuple[nn.Linear | None, nn.Linear | None]:
        """The linear modules before and after a map: the second receives the weights times the output of the first."""
        weights = self.maps[layer].weights
        start = self.maps[layer - 1].after if layer else 0
        for linear in self.linears[start : self.maps[layer].after]:
            fits = linear.made.shape[:2] == self.batch.mask.shape and linear.made.shape[-1] % weights.shape[1] == 0
            if fits:
                context = torch.matmul(weights, split_heads(linear.made, weights.shape[1]))
                receiver = self.receiver_of(context.transpose(1, 2).flatten(2))
                if receiver is not None:
                    return linear.module, receiver
        return None, None

    def _linear(self, module: nn.Linear, received: tuple[Tensor, ...], made: Tensor) -> None:
        self.linears.append(LinearCall(module, received[0], made))

    def _returned(self, module: nn.Module, _: object, output: object) -> None:
        documents, longest = self.batch.mask.shape
        for item in output if isinstance(output, tuple) else ():
            # Modules around the one that made a map hand the same tensor on.
            is_map = isinstance(item, Tensor) and item.dim() == 4 and item.shape[0] == documents
            if is_map and item.shape[2:] == (longest, longest) and all(item is not m.weights for m in self.maps):
                self.maps.append(ReturnedMap(module, item, len(self.linears)))
