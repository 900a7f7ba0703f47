"""Finding, in any model, what observation needs: how many layers and heads there are, where the maps come from, and the
output projection of every layer.

Nothing is taken on trust: a trial decides. Two short inputs of different length go through the model with eager
attention and then through the hook; the hook is used only when it was called and the two agree. Families that compute
attention themselves are observed through the maps they return, if taking these leaves the model's output as it was. A
layer's output projection is the linear module that receives the concatenated outputs of its heads.

A model that is no encoder in our sense is refused here, by what its attention looks like and not by its name: one whose
layers do not all see the whole input, and one in which no token attends to a later one.
"""

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from generator.attention.batches import Batch, collate, token_table, trial
from generator.attention.dot_product import rows_of_one
from generator.attention.given import one_way
from generator.attention.hook import NAME, Watch, observing
from generator.attention.sums.rows import Tokens
from generator.attention.trace import Trace, equal_states, split_heads
from generator.defaults import PRECISION
from generator.errors import ModelError, reason
from generator.models.encoder import Encoder
from generator.models.precision import at_least_float32, computing
from generator.models.threads import hooked

FAILURES = RuntimeError, ValueError, TypeError, AttributeError, NotImplementedError, IndexError
"""Errors that a model's own code raises when it is used in a way that it does not support."""
SHAPES = re.compile(r"\bshapes?\b|\bsizes? (?:of|for)\b|expanded size", re.IGNORECASE)
"""Words that occur in torch's messages about tensors whose shapes do not fit."""


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
    """Where maps are taken from a model that never calls the hook; empty otherwise."""
    pads: bool = True
    """Whether padding leaves real tokens as they are; if not, only inputs of the same length share a batch."""

    @property
    def layers(self) -> int:
        """How many times attention is computed in one forward pass."""
        return len(self.grams)


def examine(encoder: Encoder) -> Anatomy:
    """Run the trial, in float32, and leave the model set to the way it will be observed.

    Raises ModelError for a model whose attention cannot be seen.
    """
    encoder = replace(encoder, precision=PRECISION)
    batch = trial(encoder)
    # Every family has eager attention, and only this returns its maps: the hook is compared with it.
    encoder.model.set_attn_implementation("eager")
    try:
        with Trace(encoder.model, batch) as trace:
            output = _output(encoder, batch, output_attentions=True)
        expected = output[0]
        _check_whole(encoder, batch, expected, getattr(output, "attentions", None) or ())
        # Each text once more without padding: where it then comes out otherwise, only equal lengths may share a batch.
        alone = [forward(encoder, collate([item], encoder.pad)) for item in batch.inputs]
        pads = all(
            equal_states(expected[row : row + 1, : len(item)], alone[row], torch.ones(1, len(item)))
            for row, item in enumerate(batch.inputs)
        )
    except FAILURES as error:
        raise ModelError(
            f"Expected {encoder.id} to read a short text, found a {encoder.family} model whose forward pass fails on a "
            f"text of {batch.mask.shape[1]} tokens{_why(error)}; choose an encoder that reads plain text of any length."
        ) from None
    try:
        found = _through_seam(encoder, batch, trace, expected, pads)
        return found or _through_maps(encoder, batch, trace, expected, pads)
    except FAILURES as error:
        raise _unseen(encoder, _why(error)) from None


def check_calls(encoder: Encoder, anatomy: Anatomy, found: int, cannot: str) -> None:
    """Raises ModelError if a forward pass computed attention more or fewer times than the trial did.

    `cannot` says what cannot be done then, such as "this model cannot be observed".
    """
    if found != anatomy.layers:
        raise ModelError(
            f"Expected {encoder.id} to compute attention {anatomy.layers} times in a forward pass, found {found}; "
            f"{cannot}."
        )


def forward(encoder: Encoder, batch: Batch, segments: bool = True, **options: bool) -> Tensor:
    """Last hidden states `[document, token, hidden]`; `segments=False` feeds segment id 0 for every token."""
    hidden: Tensor = _output(encoder, batch, segments, **options)[0]
    return hidden


def _output(encoder: Encoder, batch: Batch, segments: bool = True, **options: bool) -> Any:
    """All that the model puts out."""
    segment_ids = batch.segment_ids if segments else torch.zeros_like(batch.segment_ids)
    with torch.inference_mode():
        return encoder.run(batch.input_ids, batch.mask, segment_ids, **options)


@contextmanager
def taking_maps(anatomy: Anatomy, watch: Watch) -> Iterator[None]:
    """Take each map as its module returns it and leave a placeholder, so that no more than one layer's map is kept."""
    values: dict[nn.Module, Tensor] = {}
    value_of = {site.module: site.value for site in anatomy.sites}

    def keep_value(module: nn.Module, _: object, made: Tensor) -> None:
        values[module] = made

    def take_map(module: nn.Module, _: object, output: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        at = next(i for i, item in enumerate(output) if isinstance(item, Tensor) and item.dim() == 4)
        weights, source = output[at], value_of[module]
        with computing(PRECISION, weights.device):
            exact = rows_of_one(weights)
            if source is None:
                watch.maps(exact, exact.new_empty(*exact.shape[:3], 0))
            else:
                watch.maps(exact, at_least_float32(split_heads(values.pop(source), anatomy.heads)))
        return (*output[:at], weights.new_empty(0), *output[at + 1 :])

    with ExitStack() as hooks:
        for module, value in value_of.items():
            hooks.enter_context(hooked(module.register_forward_hook, take_map))
            if value is not None:
                hooks.enter_context(hooked(value.register_forward_hook, keep_value))
        yield


def _through_seam(encoder: Encoder, batch: Batch, trace: Trace, expected: Tensor, pads: bool) -> Anatomy | None:
    recorder = _Recorder([token_table(item, encoder.device) for item in batch.inputs])
    with warnings.catch_warnings():
        # A family without such attention only warns and goes on with its own: the calls that are seen decide.
        warnings.simplefilter("ignore")
        encoder.model.set_attn_implementation(NAME)
    with observing(recorder):
        found = forward(encoder, batch)
    recorder.finish()
    if not recorder.outputs or not equal_states(found, expected, batch.mask):
        encoder.model.set_attn_implementation("eager")
        return None
    _check_both_ways(encoder, recorder)
    heads = recorder.weights[0][0].shape[1]
    outputs = [trace.receiver_of(output) for output in recorder.outputs]
    return Anatomy(heads, tuple(_gram(output, heads) for output in outputs), pads=pads)


def _through_maps(encoder: Encoder, batch: Batch, trace: Trace, expected: Tensor, pads: bool) -> Anatomy:
    if trace.maps:
        heads = trace.maps[0].weights.shape[1]
        pairs = [trace.value_and_output(layer) for layer in range(len(trace.maps))]
        sites = tuple(Site(seen.module, value) for seen, (value, _) in zip(trace.maps, pairs, strict=True))
        anatomy = Anatomy(heads, tuple(_gram(output, heads) for _, output in pairs), sites, pads)
        watch = Watch([token_table(item, encoder.device) for item in batch.inputs], anatomy.grams, keep_weights=True)
        with taking_maps(anatomy, watch):
            found = forward(encoder, batch, output_attentions=True)
        watch.finish()
        if len(watch.layers) == anatomy.layers and equal_states(found, expected, batch.mask):
            _check_both_ways(encoder, watch)
            return anatomy
    raise _unseen(encoder)


def _unseen(encoder: Encoder, why: str = "") -> ModelError:
    return ModelError(
        f"Expected {encoder.id} to show its attention, found a {encoder.family} model in which it can be taken neither "
        f"by a registered attention function nor from what its layers return{why}; choose another encoder."
    )


def _why(error: Exception) -> str:
    """What an error says, in brackets; empty where it helps only those who know the model's code: where it is about
    shapes of tensors, an index, or a missing attribute.
    """
    inside = isinstance(error, AttributeError | IndexError) or SHAPES.search(str(error))
    return "" if inside else f" ({reason(error)})"


def _check_whole(encoder: Encoder, batch: Batch, hidden: Tensor, maps: Sequence[Tensor]) -> None:
    """Raises ModelError if a map does not cover all tokens by all tokens, or a real token's output is not finite."""
    tokens = batch.mask.shape[1]
    whole = (tensor.shape for tensor in maps if isinstance(tensor, Tensor) and tensor.dim() == 4)
    shapes = dict.fromkeys(" x ".join(map(str, shape[2:])) for shape in whole)
    if set(shapes) - {f"{tokens} x {tokens}"}:
        raise ModelError(
            f"Expected every layer of {encoder.id} to attend from all {tokens} tokens of a text to all of them, found "
            f"a {encoder.family} model with maps of {' and '.join(shapes)}; choose an encoder whose layers all see the "
            "whole text."
        )
    if hidden.shape[:2] == batch.mask.shape and not hidden[batch.mask.to(hidden.device).bool()].isfinite().all():
        raise ModelError(
            f"Expected {encoder.id} to put out finite numbers for a short text, found NaN or infinity; choose a model "
            "that can be run in float32."
        )


def _check_both_ways(encoder: Encoder, watch: Watch) -> None:
    """Raises ModelError for a decoder: a model with a layer in which no token attends to a later one."""
    for number, documents in enumerate(watch.weights, start=1):
        if not any(weights.triu(1).any() for weights in documents):
            raise ModelError(one_way(encoder.id, number, len(watch.weights)))


class _Recorder(Watch):
    """A Watch that keeps the weights, and what each layer's heads put out, `[document, token, head * dim]`."""

    def __init__(self, tables: list[Tokens]) -> None:
        super().__init__(tables, grams=[], keep_weights=True)
        self.outputs: list[Tensor] = []

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        output = super().layer(query, key, value, bias, scale)
        self.outputs.append(output.transpose(1, 2).flatten(2))
        return output


def _gram(output: nn.Linear | None, heads: int) -> Tensor | None:
    """`[head, dim, dim]` products of the columns of an output projection that belong to one head."""
    if output is None:
        return None
    hidden, width = output.weight.shape
    # The columns of one head lie together.
    weight = output.weight.detach().float().view(hidden, heads, width // heads)
    return torch.einsum("ohd,ohe->hde", weight, weight)
