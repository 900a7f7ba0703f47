"""The one hook into a model: a registered attention function that sees query, key, value and weights of every layer.

Importing this module registers `fieldguide` beside transformers' own attention functions, together with the eager mask
(without a mask entry of the same name, padding would be attended to and nothing would say so). Layers are told apart
by the order of the calls, because some families carry no layer index and others call one module repeatedly. Attention
is computed in float32 or more, whatever the precision of the model.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import zip_longest
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

from generator.attention.dot_product import among_real
from generator.attention.host import Leaving
from generator.attention.observed import Observer
from generator.attention.sums.formulas import primitives
from generator.attention.sums.primitives import Primitives
from generator.attention.sums.rows import OfLayer, RowSums, Tokens, attend_observed, nothing
from generator.defaults import PRECISION
from generator.models.precision import at_least_float32, computing

NAME = "fieldguide"


class Hook(Protocol):
    """An object that computes a model's attention in place of the model, and can look at it or change it."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Returns the output of a layer's heads. It, `query`, `key` and `value` are `[document, head, token, dim]`;
        `bias` broadcasts to `[document, head, query, key]`.
        """


class Watch:
    """Observes one forward pass, layer by layer; `finish` ends it.

    `tables` holds one `Tokens` per document (each is then observed alone, free of padding) or a single one for the
    whole padded batch, which is faster on a GPU. `observers` holds for every document: its length, the observers whose
    results for blocks are added up, and those that fill one array of a layer, block by block. `measured` says of each
    table whether primitives are wanted; by default they are.
    """

    def __init__(
        self,
        tables: Sequence[Tokens],
        grams: Sequence[Tensor | None],
        smoothing: float = 0.0,
        keep_weights: bool = False,
        observers: Sequence[tuple[int, Sequence[Observer], Sequence[Observer]]] = (),
        measured: Sequence[bool] | None = None,
    ) -> None:
        self._tables = tables
        self._grams = grams
        self._smoothing = smoothing
        self._keep = keep_weights
        self._observers = observers
        self._measured = [True] * len(tables) if measured is None else measured
        self.sums: list[list[dict[int, np.ndarray]]] = [[{} for _ in adding] for _, adding, _ in observers]
        """Sums over blocks, `[document][observer][layer]`."""
        self.filled: list[list[dict[int, np.ndarray]]] = [[{} for _ in filling] for _, _, filling in observers]
        """Arrays that observers fill block by block, `[document][observer][layer]`."""
        self.layers: list[list[OfLayer | None]] = []
        """`[layer][table]`."""
        self._free: list[list[OfLayer | None]] = [[] for _ in tables]
        """Where to add up the layers to come, `[table][layer]`."""
        self.weights: list[list[Tensor]] = []
        """`[layer][table]` -> `[document, head, query, key]` on the host, when kept and finished."""
        self._kept: list[list[list[Leaving]]] = []
        """Blocks of the weights, `[layer][table][block]`."""
        self._shown: deque[tuple[int, slice, int, Leaving]] = deque()
        """Blocks that are still to be looked at: their layer, documents, first query and weights."""
        self._bias: Tensor | None = None
        """The mask of the layer before."""
        self._hiding: Sequence[Tensor | None] = [None] * len(tables)
        """What that mask hides, `[table]`."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch, observed."""
        output = value.new_empty(*query.shape[:-1], value.shape[-1])
        parts: list[tuple[RowSums, list[Leaving]]] = []
        steps = []
        documents = [*self._documents(query.shape[2])]
        if bias is not self._bias:  # most models have one for all layers
            self._bias, self._hiding = bias, [among_real(bias, rows, length) for rows, length, _ in documents]
        free = self._nothing(query)
        # One table describes the whole batch, which is then one chunk.
        states = zip(*(tensor.chunk(len(documents)) for tensor in (query, key, value, output)), strict=True)
        for padded, (rows, length, table), hiding, place in zip(states, documents, self._hiding, free, strict=True):
            own = padded
            if length < output.shape[2]:
                # Nobody reads what padding puts out, but a NaN in fresh memory would reach real tokens: 0 times NaN is
                # NaN.
                output[rows, :, length:] = 0
                own = tuple(array[:, :, :length] for array in padded)
            own_query, own_key, own_value, own_output = own
            sums = RowSums(table, self._smoothing, place is not None, place)
            kept: list[Leaving] = []
            see = partial(self._see, rows, kept)
            steps.append(
                attend_observed(
                    own_query,
                    key=own_key,
                    value=own_value,
                    bias=hiding,
                    scale=scale,
                    sums=sums,
                    see=see,
                    output=own_output,
                )
            )
            parts.append((sums, kept))
        for _ in zip_longest(*steps):  # one block of each document in turn: comparing documents needs no whole map
            pass
        self._record(parts)
        return output

    def maps(self, weights: Tensor, value: Tensor) -> None:
        """Observe finished weights `[document, head, query, key]`, for families that never call the hook."""
        parts: list[tuple[RowSums, list[Leaving]]] = []
        documents = self._documents(weights.shape[-1])
        for (rows, length, table), place in zip(documents, self._nothing(weights), strict=True):
            cropped = weights[rows, :, :length, :length]
            sums = RowSums(table, self._smoothing, place is not None, place)
            sums.add(cropped, value[rows, :, :length], 0)
            kept: list[Leaving] = []
            self._see(rows, kept, cropped, 0)
            parts.append((sums, kept))
        self._record(parts)

    def finish(self) -> None:
        """Look at what is left once the model has run, and put together what was kept."""
        while self._shown:
            self._observe(*self._shown.popleft())
        for layer in self._kept:
            blocks = [[block.arrived() for block in kept] for kept in layer]
            self.weights.append([torch.cat(kept, dim=-2) if kept[1:] else kept[0] for kept in blocks])
        self._kept = []

    def primitives(self) -> list[Primitives]:
        """Of each table, tensors `[document, layer, head, ...]`."""
        return [primitives(of, table) for of, table in zip(zip(*self.layers, strict=True), self._tables, strict=True)]

    def _see(self, rows: slice, kept: list[Leaving], weights: Tensor, first: int) -> None:
        """Let a block of queries of these documents be looked at; append it to `kept` if weights are kept.

        A block that has to leave a GPU is looked at when the next one is on its way.
        """
        if not self._keep and not any(adding or filling for _, adding, filling in self._observers[rows]):
            return
        block = Leaving(weights)
        if self._keep:
            kept.append(block)
        self._shown.append((len(self.layers), rows, first, block))
        # On a GPU one block stays on its way while the next is computed.
        while len(self._shown) > (weights.device.type != "cpu"):
            self._observe(*self._shown.popleft())

    def _observe(self, layer: int, rows: slice, first: int, block: Leaving) -> None:
        weights = block.arrived().numpy()
        for row, document in enumerate(range(len(self._observers))[rows]):
            length, adding, filling = self._observers[document]
            # In a padded batch a block may begin after the end of a shorter document.
            own = weights[row, :, : max(length - first, 0), :length]
            for observer, sums in zip(adding, self.sums[document], strict=True):
                taken = observer(own, first)
                sums[layer] = sums[layer] + taken if layer in sums else taken
            for observer, filled in zip(filling, self.filled[document], strict=True):
                filled[layer] = observer(own, first)

    def _documents(self, longest: int) -> Iterator[tuple[slice, int, Tokens]]:
        """For each table: the rows of the batch that it describes, how many tokens of them are observed, and the table.

        Of a single document these are its real tokens, of a whole batch all `longest`, padding included.
        """
        if len(self._tables) == 1:
            yield slice(None), longest, self._tables[0]
            return
        for document, table in enumerate(self._tables):
            yield slice(document, document + 1), table.indicators.shape[1], table

    def _nothing(self, states: Tensor) -> Sequence[OfLayer | None]:
        """Where to add up this layer, `[table]`; None where no primitives are wanted."""
        if not self._free[0]:
            # For all layers to come at once; `nothing` says why.
            layers = max(len(self._grams) - len(self.layers), 1)
            self._free = [
                [*nothing(states, table, layers)[::-1]] if measured else [None] * layers
                for table, measured in zip(self._tables, self._measured, strict=True)
            ]
        return [of_table.pop() for of_table in self._free]

    def _record(self, parts: list[tuple[RowSums, list[Leaving]]]) -> None:
        gram = self._grams[len(self.layers)] if len(self.layers) < len(self._grams) else None
        self.layers.append([sums.finish(gram) for sums, _ in parts])
        self._kept.append([kept for _, kept in parts if kept])


# Each thread has its own: several read at a time, each with another hook.
_hook: ContextVar[Hook | None] = ContextVar("hook", default=None)


@contextmanager
def observing(hook: Hook) -> Iterator[None]:
    """Forward passes inside this block hand their attention to `hook`."""
    token = _hook.set(hook)
    try:
        yield
    finally:
        _hook.reset(token)


def _attention(
    _module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    **options: Any,
) -> tuple[Tensor, None]:
    # Layers are counted by calls: `layer_idx` is None in some families, and ALBERT calls one module for all layers.
    hook = _hook.get()
    if hook is None:
        raise RuntimeError(f"a model set to {NAME!r} attention was called outside observing()")
    # Grouped-query models have fewer heads of keys and values than of queries.
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    # T5 and its like hand over a bias by position beside the mask.
    bias = attention_mask
    if options.get("position_bias") is not None:
        bias = options["position_bias"] if bias is None else options["position_bias"] + bias
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    with computing(PRECISION, query.device):
        exact_query, exact_key, exact_value = map(at_least_float32, (query, key, value))
        hiding = None if bias is None else at_least_float32(bias)
        output = hook.layer(exact_query, exact_key, exact_value, hiding, scale)
    return output.to(value.dtype).transpose(1, 2), None


AttentionInterface.register(NAME, _attention)
# Without a mask function of the same name the mask is None, and padding is attended to without a word.
AttentionMaskInterface.register(NAME, eager_mask)
