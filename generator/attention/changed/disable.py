"""Attention with some heads disabled, in two ways; values and the output projection stay as they are.

    uniform   a head attends equally to every token that it may see (Kovaleva et al. 2019, section 4.6): 1/n for each
              of n tokens, which are all real tokens or, in a layer with a window, those of the window
    zero      a head puts out zero (Michel et al. 2019): its slice of the output projection might as well be gone

What the model hides from a query, padding above all, is read off the mask that it adds to the logits.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from generator.attention.anatomy import Anatomy, check_calls
from generator.attention.dot_product import attend, visible
from generator.attention.hook import observing
from generator.errors import ModelError
from generator.models.encoder import Encoder

How = Literal["uniform", "zero"]
WAYS: tuple[How, ...] = ("uniform", "zero")
CANNOT = "the heads of this model cannot be disabled"


@dataclass(frozen=True)
class Disabled:
    """Which heads are disabled, and how."""

    how: How
    heads: frozenset[tuple[int, int]]
    """0-based layers and heads."""

    @classmethod
    def of(cls, how: How, heads: Iterable[tuple[int, int]]) -> "Disabled":
        """These heads, in any order."""
        return cls(how, frozenset(heads))

    @property
    def first(self) -> int:
        """The lowest layer with a disabled head, 0 where there is none."""
        return min((layer for layer, _ in self.heads), default=0)

    def in_layer(self, layer: int) -> list[int]:
        """The disabled heads of one layer."""
        return sorted(head for at, head in self.heads if at == layer)


NOTHING = Disabled("zero", frozenset())


class Disabler:
    """Observes one forward pass and computes it without the disabled heads."""

    def __init__(self, disabled: Disabled, first: int = 0) -> None:
        self._disabled = disabled
        self.calls = first
        """How many layers have been computed, or left out because their output was known."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch, padding included."""
        heads = self._disabled.in_layer(self.calls)
        self.calls += 1
        # Every head is overwritten below, so nothing needs to be computed.
        if len(heads) == query.shape[1]:
            output = query.new_empty(*query.shape[:-1], value.shape[-1])
        else:
            output = attend(query, key, value, bias, scale)
        return self.change(heads, output, value, bias)

    def change(self, heads: list[int], output: Tensor, value: Tensor, bias: Tensor | None) -> Tensor:
        """Overwrite in `output [document, head, query, dim]` what the disabled heads of a layer put out."""
        if heads and self._disabled.how == "zero":
            output[:, heads] = 0
        elif heads:
            output[:, heads] = uniform_output(value, bias, heads)
        return output


def uniform_output(value: Tensor, bias: Tensor | None, heads: list[int]) -> Tensor:
    """`[document, head, query, dim]`: for these heads, the mean value over the tokens that each query may see.

    Without a mask it is the same for all queries, and there is one entry along their axis.
    """
    value = value[:, heads]
    if bias is None:
        return value.mean(2, keepdim=True)
    # A bias by position differs from head to head.
    if bias.shape[1] > 1:
        bias = bias[:, heads]
    seen = visible(bias).to(value.dtype)
    # A query that is padding may see nothing.
    weights = seen / seen.sum(-1, keepdim=True).clamp_min(1)
    return torch.matmul(weights, value)


class Gates:
    """Observes one forward pass in which the output of every head is multiplied by 1, a number that has a gradient."""

    def __init__(self) -> None:
        self.gates: list[Tensor] = []
        """`[layer]` -> `[document, head]`."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch."""
        gate = torch.ones(query.shape[:2], dtype=value.dtype, device=value.device, requires_grad=True)
        self.gates.append(gate)
        return attend(query, key, value, bias, scale) * gate[..., None, None]


def gate_gradients(encoder: Encoder, anatomy: Anatomy, losses: Callable[[], Tensor]) -> Tensor:
    """Gradient of each document's own loss with respect to the gate of each head, `[document, layer, head]`; 0 for a
    head that changes nothing.

    `losses` runs the model on a batch and gives the loss of every document `[document]`. One forward and one backward
    pass serve all heads (Michel et al. 2019, section 4.1): the gradient is the dot product of a head's output and the
    gradient of the loss with respect to that output. Raises ModelError.
    """
    gates = Gates()
    with torch.enable_grad(), observing(gates):
        total = losses().sum()
    check_calls(encoder, anatomy, len(gates.gates), CANNOT)
    return torch.stack(torch.autograd.grad(total, gates.gates), dim=1)


def check_can_be_disabled(encoder: Encoder, anatomy: Anatomy) -> None:
    """Raises ModelError for a model whose attention is seen only in the maps that it returns."""
    if anatomy.sites:
        raise ModelError(
            f"Expected {encoder.id} to let others compute its attention, found a {encoder.family} model that only "
            "returns its maps; its heads cannot be disabled, choose another encoder."
        )
