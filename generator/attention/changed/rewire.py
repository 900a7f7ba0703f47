"""Attention in which some layers do not see some tokens of a document, or see other values in the place of a token.

    CutKeys     no query attends to the tokens: their weight is 0, and the other weights of every row are renormalised
    SwapValue   the token carries other values; the weights of the layer are those that its queries and keys give

Both change every head of a layer, for all queries, those of the tokens themselves included. Disabling a head overwrites
its output and needs no weights (see `disable`); here single keys or values change, so attention is computed anew.
"""

from collections.abc import Collection, Mapping, Sequence

import torch
from torch import Tensor

from generator.attention.dot_product import attend_fused, without_keys


class ValueKeeper:
    """Observes one forward pass, changes nothing, and keeps the values of some tokens of each document."""

    def __init__(self, places: Sequence[Sequence[int]]) -> None:
        """`places` is `[document][token]`, 0-based positions, the same number for every document."""
        self._places = torch.tensor(places)
        """On the device of the model once the first layer has been computed."""
        self.values: list[Tensor] = []
        """`[layer]` -> `[document, token, head, dim]`, on the device of the model."""

    @property
    def calls(self) -> int:
        """How many layers have been computed."""
        return len(self.values)

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch."""
        self._places = self._places.to(value.device)
        documents = torch.arange(len(value), device=value.device)[:, None]
        self.values.append(value[documents, :, self._places])
        return attend_fused(query, key, value, bias, scale)


class CutKeys:
    """Observes one forward pass in which some layers do not read some tokens of each document."""

    def __init__(self, layers: Collection[int], places: Sequence[Sequence[int]]) -> None:
        """`layers` are 0-based. `places` has for each document any number of 0-based positions, but every query must
        still see a token.
        """
        self._layers, self._places = frozenset(layers), places
        self._hidden: Tensor | None = None
        """`[document, token]`: which keys are cut, on the device of the model; made in the first layer."""
        self.calls = 0
        """How many layers have been computed."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch."""
        if self._hidden is None:
            hidden = torch.zeros(len(key), key.shape[2], dtype=torch.bool)
            for document, chosen in enumerate(self._places):
                hidden[document, list(chosen)] = True
            self._hidden = hidden.to(key.device)
        if self.calls in self._layers:
            bias = without_keys(bias, key, self._hidden)
        self.calls += 1
        return attend_fused(query, key, value, bias, scale)


class SwapValue:
    """Observes one forward pass in which one token of each document carries other values in some layers."""

    def __init__(self, places: Sequence[int], values: Mapping[int, Tensor]) -> None:
        """`places` is `[document]`, 0-based positions; `values` is 0-based layer -> `[document, head, dim]`."""
        self._places, self._values = torch.tensor(places), values
        self.calls = 0
        """How many layers have been computed."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch."""
        if self.calls in self._values:
            value, self._places = value.clone(), self._places.to(value.device)
            documents = torch.arange(len(value), device=value.device)
            value[documents, :, self._places] = self._values[self.calls]
        self.calls += 1
        return attend_fused(query, key, value, bias, scale)
