"""Gradients of the masked-LM loss with respect to attention weights, or to what the model reads.

With respect to every weight (Clark et al. 2019, section 3.2, Figure 3), one backward pass serves all layers. The
weights stay in the graph: the gradient of a layer's weights includes what they change in the maps of the layers above.
With respect to the input embeddings the weights are taken out of the graph (Jain and Wallace 2019): the gradient shows
what a token's vector changes while attention stays as it is. The loss is a sum over inputs, each of which depends on
its own maps alone, so inputs share a batch.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from generator.attention.anatomy import Anatomy, check_calls
from generator.attention.batches import Batch, collate
from generator.attention.dot_product import weigh
from generator.attention.hook import observing
from generator.attention.host import Leaving
from generator.attention.portions import check_gradients_fit, in_portions
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.models.threads import hooked

ROUNDING = 1e-4
"""A product of two vectors counts as 0 where it is no larger than this share of the product of their lengths."""
NO_GRADIENTS = "the gradients of this model cannot be taken"
COST = 4
"""How many times as long as reading a token its gradients take, with what is computed from them. Measured on one core
with six layers of 12 heads and a hidden size of 768: 2 for inputs of 128 tokens, 4 for inputs of 2,048. With a hidden
size of 64 it is 16.
"""


@dataclass(frozen=True)
class MaskedInput:
    """An input as the model reads it, some of its tokens hidden or replaced, and what stood there."""

    input: Input
    targets: Mapping[int, int]
    """0-based position -> vocabulary id to predict; at least one."""


@dataclass(frozen=True)
class Gradients:
    """What the backward pass of one input gave; by layer `[head, query, key]`, float32."""

    input: Input
    loss: float
    """Mean over the targets of the negative log-likelihood, in nats."""
    weights: list[np.ndarray]
    gradients: list[np.ndarray]
    """dL/dA: nats per unit of attention weight."""


@dataclass(frozen=True)
class InputGradients:
    """What the backward pass of one input gave, with attention held fixed."""

    input: Input
    weights: np.ndarray
    """`[layer, head, query, key]`."""
    importance: np.ndarray
    """`[token]`: |embedding . dL/d embedding|, in nats; 0 where it is no more than rounding. That is so in families
    that normalise word embeddings before they add anything: their output does not depend on an embedding's length.
    """


class WeightKeeper:
    """Observes one forward pass and keeps the weights of every layer; if `fixed`, no gradient flows through them."""

    def __init__(self, fixed: bool = False) -> None:
        self._fixed = fixed
        self.weights: list[Tensor] = []
        """`[layer]` -> `[document, head, query, key]`, after the softmax."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch."""
        weights = weigh(query, key, bias, scale).weights
        if self._fixed:
            weights = weights.detach()
        elif not weights.requires_grad:
            weights.requires_grad_()  # the first layer stands on frozen parameters: the graph begins here
        self.weights.append(weights)
        return torch.matmul(weights, value)


def attention_gradients(
    encoder: Encoder, anatomy: Anatomy, inputs: Sequence[MaskedInput], batch_tokens: int | None = None
) -> Iterator[Gradients]:
    """Gradients of every input's own loss, longest input first.

    `encoder.model` puts out logits and is set to the hook, as `examine` leaves it; `(document, part)` tells inputs
    apart. `batch_tokens` counts padded tokens in a batch. Raises ModelError if a forward pass computes attention
    more or fewer times than the trial did, as it does for families that are observed through the maps they return, and
    TooLongError before anything is read if the longest input needs more memory than there is.
    """
    check_gradients_fit(encoder, max(map(_length, inputs), default=0))

    def read(portion: Sequence[MaskedInput]) -> Iterator[Gradients]:
        keeper = WeightKeeper()
        with torch.enable_grad(), observing(keeper):
            losses = masked_losses(encoder, *_together(portion, encoder.pad))
            check_calls(encoder, anatomy, len(keeper.weights), NO_GRADIENTS)
            found = torch.autograd.grad(losses.sum(), keeper.weights)
        both = [[Leaving(layer) for layer in layers] for layers in (keeper.weights, found)]
        return (
            Gradients(item.input, loss, *(_cut(layers, row, item) for layers in both))
            for row, (item, loss) in enumerate(zip(portion, losses.tolist(), strict=True))
        )

    yield from in_portions(encoder, inputs, read, size=_length, cost=COST, padded=anatomy.pads, tokens=batch_tokens)


def input_gradients(
    encoder: Encoder, anatomy: Anatomy, inputs: Sequence[MaskedInput], batch_tokens: int | None = None
) -> Iterator[InputGradients]:
    """How much every input's own loss depends on each of its tokens, longest input first.

    Arguments and errors are those of `attention_gradients`.
    """
    check_gradients_fit(encoder, max(map(_length, inputs), default=0))
    read: list[Tensor] = []

    def keep(_module: object, _arguments: object, output: Tensor) -> Tensor:
        # A leaf of its own: the gradient ends at the vectors, and goes on to no table of embeddings.
        read.append(output.detach().requires_grad_())
        return read[-1]

    def gradients_of(portion: Sequence[MaskedInput]) -> Iterator[InputGradients]:
        # A portion that memory did not suffice for has left its vectors.
        read.clear()
        keeper = WeightKeeper(fixed=True)
        embeddings = encoder.model.get_input_embeddings()
        with hooked(embeddings.register_forward_hook, keep), torch.enable_grad(), observing(keeper):
            losses = masked_losses(encoder, *_together(portion, encoder.pad))
            check_calls(encoder, anatomy, len(keeper.weights), NO_GRADIENTS)
            vectors = read.pop()
            (gradients,) = torch.autograd.grad(losses.sum(), [vectors])
        products, sizes = (gradients * vectors).sum(-1).abs(), gradients.norm(dim=-1) * vectors.norm(dim=-1)
        importance = torch.where(products > ROUNDING * sizes, products, 0).detach().cpu().numpy()
        weights = [Leaving(layer) for layer in keeper.weights]
        return (
            InputGradients(item.input, np.stack(_cut(weights, row, item)), importance[row, : _length(item)])
            for row, item in enumerate(portion)
        )

    yield from in_portions(
        encoder, inputs, gradients_of, size=_length, cost=COST, padded=anatomy.pads, tokens=batch_tokens
    )


def _cut(layers: Sequence[Leaving], row: int, item: MaskedInput) -> list[np.ndarray]:
    """The maps of one input of the batch, without padding: by layer `[head, query, key]`."""
    real = slice(0, _length(item))
    return [layer.arrived()[row, :, real, real].numpy() for layer in layers]


def _length(item: MaskedInput) -> int:
    return len(item.input)


def _together(inputs: Sequence[MaskedInput], pad: int) -> tuple[Batch, list[Mapping[int, int]]]:
    """One batch, and what is to be predicted in its inputs."""
    return collate([masked.input for masked in inputs], pad), [masked.targets for masked in inputs]


def masked_losses(encoder: Encoder, batch: Batch, targets: Sequence[Mapping[int, int]]) -> Tensor:
    """Per input, the mean negative log-likelihood of its targets in nats, `[document]`; gradients can flow."""
    logits = target_logits(encoder, batch, targets)
    # In the order of the logits: input by input, and within each as its targets are listed.
    wanted = torch.tensor([token for some in targets for token in some.values()], device=logits.device)
    losses = cross_entropy(logits, wanted, reduction="none")
    return torch.stack([each.mean() for each in torch.split(losses, [len(some) for some in targets])])


def target_logits(encoder: Encoder, batch: Batch, places: Sequence[Collection[int]]) -> Tensor:
    """The logits of the masked-LM head at these 0-based positions of every input, `[target, vocabulary]`, in order.

    Only the states of these positions are handed to the output embedding: the logits of all others would take longer
    than the model and fill the memory. A head without an output embedding is run in full. Gradients can flow.
    """
    rows = [row for row, some in enumerate(places) for _ in some]
    columns = [at for some in places for at in some]
    picked = False

    # A head makes a number for every piece of the vocabulary, so only the places that are asked for go through it.
    def only_these(_module: object, received: tuple[Any, ...]) -> tuple[Any, ...] | None:
        nonlocal picked
        # Some heads flatten or select positions before; these are run in full.
        picked = received[0].shape[:-1] == batch.mask.shape
        return (received[0][rows, columns][None], *received[1:]) if picked else None

    head = encoder.model.get_output_embeddings()
    with ExitStack() as hooks:
        if head is not None:
            hooks.enter_context(hooked(head.register_forward_pre_hook, only_these))
        logits: Tensor = encoder.run(batch.input_ids, batch.mask, batch.segment_ids)[0]
    return logits[0] if picked else logits[rows, columns]
