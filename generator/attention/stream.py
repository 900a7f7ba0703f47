"""Inputs through an encoder, primitives out: one forward pass feeds every measure, and whoever looks at maps.

A map is looked at layer by layer, in long inputs a block of queries at a time, and is gone before the next layer is
computed, unless it is kept.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

import torch

from generator.attention.anatomy import Anatomy, forward, taking_maps
from generator.attention.batches import Batch, batches, token_table
from generator.attention.observed import LookAt, Observed
from generator.attention.seam import Watch, observing
from generator.attention.sums import Primitives
from generator.corpora.pairs import Input
from generator.errors import ModelError
from generator.models.encoder import Encoder

BATCH_TOKENS = {"cpu": 2048, "mps": 16384, "cuda": 16384}
"""Padded tokens in a batch. On a CPU more than 16 x 128 gains nothing; the GPU figures are not measured."""


@dataclass(frozen=True)
class Options:
    """How to observe; the defaults are what the site shows."""

    smoothing: float = 0.0
    """Entropy of `(1 - s) A + s/n`; Clark et al.'s notebook uses 1e-4."""
    segments: bool = True
    """False feeds segment id 0 for every token, as Clark et al.'s released code does."""
    measured: bool = True
    """False where only looks, weights or states are asked for: `primitives` then have no entries."""
    keep_weights: bool = False
    keep_states: bool = False
    looks: tuple[LookAt, ...] = ()
    """What they take of blocks of queries is added up."""
    rows: tuple[LookAt, ...] = ()
    """Looks that give `[head, row, ...]`, one array of a layer that every block fills further."""
    whole_batch: bool | None = None
    """Observe a padded batch at once instead of one document at a time; by default on every device but a CPU."""
    batch_tokens: int | None = None
    """Padded tokens in a batch; by default what suits the device."""
    say: Callable[[str], object] = warnings.warn
    """Is given a note when memory did not suffice for a batch."""


def observe(
    encoder: Encoder, anatomy: Anatomy, inputs: Sequence[Input], options: Options | None = None
) -> Iterator[Observed]:
    """Observe every input once, longest first.

    Where memory does not suffice for a batch, all that is left is read in smaller ones, once, and that is said. Raises
    ModelError if it does not suffice then, and if a forward pass computes attention more or fewer times than the trial
    did.
    """
    options = options or Options()
    kind = encoder.device.type
    budget = options.batch_tokens or BATCH_TOKENS.get(kind, BATCH_TOKENS["cpu"])
    whole = kind != "cpu" if options.whole_batch is None else options.whole_batch
    ordered = sorted(inputs, key=len, reverse=True)
    done = 0
    alike = [ordered] if anatomy.pads else [list(same) for _, same in groupby(ordered, key=len)]
    for batch in (batch for some in alike for batch in batches(some, budget, encoder.pad)):
        tables = (
            [batch.tokens(encoder.device)] if whole else [token_table(item, encoder.device) for item in batch.inputs]
        )
        looks = [
            (len(item), [each(item) for each in options.looks], [each(item) for each in options.rows])
            for item in batch.inputs
        ]
        watch = Watch(tables, anatomy.grams, options.smoothing, options.keep_weights, looks, options.measured)
        try:
            states = _run(encoder, anatomy, batch, watch, options)
        except (MemoryError, RuntimeError) as error:
            if not (isinstance(error, MemoryError | torch.OutOfMemoryError) or "allocate memory" in str(error)):
                raise
            if options.batch_tokens or len(batch.inputs) == 1:
                raise ModelError(
                    f"Expected memory for {len(batch.inputs)} x {len(batch.inputs[0])} tokens of {encoder.id}, found "
                    "too little; lower --max-tokens."
                ) from None
            options.say(
                f"Memory did not suffice for {budget} tokens at once: the rest is read in batches of a quarter."
            )
            yield from observe(encoder, anatomy, ordered[done:], replace(options, batch_tokens=max(budget // 4, 1)))
            return
        done += len(batch.inputs)
        if len(watch.layers) != anatomy.layers:
            raise ModelError(
                f"Expected {encoder.id} to compute attention {anatomy.layers} times in a forward pass, "
                f"found {len(watch.layers)}; this model cannot be observed."
            )
        yield from _documents(batch, watch, options, states)


def _run(encoder: Encoder, anatomy: Anatomy, batch: Batch, watch: Watch, options: Options) -> list[torch.Tensor]:
    """One forward pass; gives the hidden states `[layer]` -> `[document, token, hidden]`, if they are asked for."""
    states: list[torch.Tensor] = []

    def keep(_module: object, _arguments: object, output: Any) -> None:
        states.extend(output.hidden_states)

    asked = {"output_attentions": True} if anatomy.sites else {}
    with ExitStack() as around:
        around.enter_context(taking_maps(anatomy, watch) if anatomy.sites else observing(watch))
        if options.keep_states:
            around.callback(encoder.model.register_forward_hook(keep).remove)
            asked["output_hidden_states"] = True
        forward(encoder, batch, options.segments, **asked)
    return states


def _documents(batch: Batch, watch: Watch, options: Options, states: list[torch.Tensor]) -> Iterator[Observed]:
    tables = range(len(watch.layers[0]))
    stacked = [
        Primitives.stack([layer[table] for layer in watch.layers], partial(torch.stack, dim=1)).numpy()
        for table in tables
    ]
    for row, item in enumerate(batch.inputs):
        table, document = (0, row) if len(tables) == 1 else (row, 0)
        weights = hidden = None
        if watch.weights[0]:
            layers = [layer[table][document, :, : len(item), : len(item)] for layer in watch.weights]
            weights = torch.stack(layers).float().cpu().numpy()
        if states:
            hidden = torch.stack([layer[row, : len(item)] for layer in states]).float().cpu().numpy()
        looks, taken = (*options.looks, *options.rows), (*watch.sums[row], *watch.filled[row])
        looked = {each: list(layers.values()) for each, layers in zip(looks, taken, strict=True)}
        yield Observed(item, _cropped(stacked[table][document], len(item)), weights, hidden, looked)


def _cropped(found: Primitives, length: int) -> Primitives:
    """The same sums without the entries of padding tokens."""
    return replace(found, received=found.received[..., :length], value_norm=found.value_norm[..., :length])
