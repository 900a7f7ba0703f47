"""Finding, in any model, what observation needs: how many layers and heads, where the maps come from, and the
output projection of every layer.

Nothing is believed but a trial run. Two short inputs of different length go through the model with eager attention and
then through the seam; the seam is used only when it was called and the two agree. Families that compute attention
themselves are observed through the maps they return. A layer's output projection is the linear module that receives
the concatenated outputs of its heads, found by comparing tensors rather than names.
"""

import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from generator.attention.batches import Batch, collate, token_table
from generator.attention.primitives import Tokens
from generator.attention.seam import NAME, Watch, observing
from generator.corpora.pairs import PairMaker
from generator.errors import ModelError
from generator.models.encoder import Encoder

TOLERANCE = 1e-4
"""Largest difference at which two float32 computations of the same states count as equal, relative to their scale."""
TRIAL = ("A short one.", "This second trial sentence is a little longer than the first, so that one is padded.")


@dataclass(frozen=True)
class Site:
    """A module that returns its map, and the linear module that makes its values, if found."""

    module: nn.Module
    value: nn.Module | None


@dataclass(frozen=True)
class Anatomy:
    """How a model is observed; layers in the order in which they run."""

    heads: int
    grams: tuple[Tensor | None, ...]
    """Per layer `[head, dim, dim]`, `W_O' W_O` of each head; None where no output projection was found."""
    sites: tuple[Site, ...] = ()
    """Where maps are taken from a model that never calls the seam; empty otherwise."""

    @property
    def layers(self) -> int:
        """How many times attention is computed in one forward pass."""
        return len(self.grams)


def examine(encoder: Encoder) -> Anatomy:
    """Run the trial and leave the model set to the way it will be observed.

    Raises ModelError for a model that computes no attention.
    """
    maker = PairMaker(encoder.tokenizer, max_tokens=min(64, encoder.positions))
    batch = collate([maker.sentence(str(i), text) for i, text in enumerate(TRIAL)], encoder.pad)
    encoder.model.set_attn_implementation("eager")
    with _Trace(encoder.model, batch) as trace:
        expected = forward(encoder, batch, output_attentions=True)
    recorder = _Recorder([token_table(item, encoder.device) for item in batch.inputs])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        encoder.model.set_attn_implementation(NAME)
    with observing(recorder):
        found = forward(encoder, batch)
    if recorder.outputs and trace.equal(found, expected):
        outputs = [trace.receiver_of(output) for output in recorder.outputs]
        heads = recorder.layers[0][0].mass.shape[1]
        return Anatomy(heads, tuple(_gram(output, heads) for output in outputs))
    encoder.model.set_attn_implementation("eager")
    if not trace.maps:
        raise ModelError(
            f"Expected {encoder.id} to compute attention, found a {encoder.family} model that returns no attention "
            "weights; choose an encoder with self-attention."
        )
    heads = trace.maps[0].weights.shape[1]
    pairs = [trace.value_and_output(layer) for layer in range(len(trace.maps))]
    return Anatomy(
        heads,
        tuple(_gram(output, heads) for _, output in pairs),
        tuple(Site(seen.module, value) for seen, (value, _) in zip(trace.maps, pairs, strict=True)),
    )


def forward(encoder: Encoder, batch: Batch, segments: bool = True, **options: Any) -> Tensor:
    """Last hidden states `[document, token, hidden]`; `segments=False` feeds segment id 0 for every token."""
    device = encoder.device
    arguments = {"input_ids": batch.input_ids.to(device), "attention_mask": batch.mask.to(device)}
    if encoder.segments:
        ids = batch.segment_ids if segments else torch.zeros_like(batch.segment_ids)
        arguments["token_type_ids"] = ids.to(device)
    with torch.inference_mode(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hidden: Tensor = encoder.model(**arguments, **options)[0]
    return hidden


def split_heads(states: Tensor, heads: int) -> Tensor:
    """`[document, token, head * dim]` -> `[document, head, token, dim]`."""
    documents, tokens, width = states.shape
    return states.view(documents, tokens, heads, width // heads).transpose(1, 2)


class _Recorder(Watch):
    """A Watch that also keeps what each layer's heads put out, `[document, token, head * dim]`."""

    def __init__(self, tables: list[Tokens]) -> None:
        super().__init__(tables, grams=[])
        self.outputs: list[Tensor] = []

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        output = super().layer(query, key, value, bias, scale)
        self.outputs.append(output.transpose(1, 2).flatten(2))
        return output


@dataclass(frozen=True)
class _Linear:
    module: nn.Linear
    received: Tensor
    made: Tensor


@dataclass(frozen=True)
class _Map:
    module: nn.Module
    weights: Tensor
    after: int
    """How many linear modules had run when the map was returned."""


@dataclass
class _Trace:
    """Records the linear modules that run in a forward pass, and the maps that modules return."""

    model: nn.Module
    batch: Batch
    linears: list[_Linear] = field(default_factory=list)
    maps: list[_Map] = field(default_factory=list)

    def __enter__(self) -> "_Trace":
        self._hooks = ExitStack()
        for module in self.model.modules():
            hook = self._linear if isinstance(module, nn.Linear) else self._returned
            self._hooks.callback(module.register_forward_hook(hook).remove)
        return self

    def __exit__(self, *_: object) -> None:
        self._hooks.close()

    def equal(self, a: Tensor, b: Tensor) -> bool:
        """Whether two `[document, token, ...]` tensors agree on real tokens."""
        if a.shape != b.shape or a.shape[:2] != self.batch.mask.shape:
            return False
        real = self.batch.mask.to(a.device).bool()
        return bool((a[real] - b[real]).abs().max() <= TOLERANCE * (1 + b[real].abs().max()))

    def receiver_of(self, output: Tensor) -> nn.Linear | None:
        """The linear module that was handed this tensor."""
        return next((linear.module for linear in self.linears if self.equal(linear.received, output)), None)

    def value_and_output(self, layer: int) -> tuple[nn.Linear | None, nn.Linear | None]:
        """The modules before and after a map: weights times the first one's output is what the second receives."""
        weights = self.maps[layer].weights
        start = self.maps[layer - 1].after if layer else 0
        for linear in self.linears[start : self.maps[layer].after]:
            if linear.made.shape[-1] % weights.shape[1] == 0:
                context = torch.matmul(weights, split_heads(linear.made, weights.shape[1]))
                receiver = self.receiver_of(context.transpose(1, 2).flatten(2))
                if receiver is not None:
                    return linear.module, receiver
        return None, None

    def _linear(self, module: nn.Linear, received: tuple[Tensor, ...], made: Tensor) -> None:
        self.linears.append(_Linear(module, received[0], made))

    def _returned(self, module: nn.Module, _: object, output: object) -> None:
        documents, longest = self.batch.mask.shape
        for item in output if isinstance(output, tuple) else ():
            is_map = isinstance(item, Tensor) and item.dim() == 4 and item.shape[0] == documents
            if is_map and item.shape[2:] == (longest, longest) and all(item is not m.weights for m in self.maps):
                self.maps.append(_Map(module, item, len(self.linears)))


def _gram(output: nn.Linear | None, heads: int) -> Tensor | None:
    """`[head, dim, dim]` products of the columns of an output projection that belong to one head."""
    if output is None:
        return None
    hidden, width = output.weight.shape
    weight = output.weight.detach().float().view(hidden, heads, width // heads)
    return torch.einsum("ohd,ohe->hde", weight, weight)
