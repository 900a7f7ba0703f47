"""Inputs through an encoder, primitives out: one forward pass feeds every measure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from generator.attention.anatomy import Anatomy, forward, taking_maps
from generator.attention.batches import Batch, batches, token_table
from generator.attention.seam import Watch, observing
from generator.attention.sums import Primitives
from generator.corpora.pairs import Input
from generator.errors import ModelError
from generator.models.encoder import Encoder

BATCH_TOKENS = {"cpu": 2048, "mps": 16384, "cuda": 16384}
"""Padded tokens in a batch. On a CPU more than 16 x 128 gains nothing; the GPU figures are not measured."""


@dataclass(frozen=True)
class Observed:
    """What one input showed."""

    input: Input
    primitives: Primitives
    """float64 arrays, leading axes `[layer, head]`."""
    weights: np.ndarray | None
    """`[layer, head, query, key]` float32, when asked for."""


@dataclass(frozen=True)
class Options:
    """How to observe; the defaults are what the site shows."""

    smoothing: float = 0.0
    """Entropy of `(1 - s) A + s/n`; Clark et al.'s notebook uses 1e-4."""
    segments: bool = True
    """False feeds segment id 0 for every token, as Clark et al.'s released code does."""
    keep_weights: bool = False
    whole_batch: bool | None = None
    """Observe a padded batch at once instead of one document at a time; by default on every device but a CPU."""
    batch_tokens: int | None = None
    """Padded tokens in a batch; by default what suits the device."""


def observe(
    encoder: Encoder, anatomy: Anatomy, inputs: Sequence[Input], options: Options | None = None
) -> Iterator[Observed]:
    """Observe every input once, longest first.

    Raises ModelError if a forward pass computes attention more or fewer times than the trial did.
    """
    options = options or Options()
    kind = encoder.device.type
    budget = options.batch_tokens or BATCH_TOKENS.get(kind, BATCH_TOKENS["cpu"])
    if not anatomy.pads:
        budget = 1
    whole = kind != "cpu" if options.whole_batch is None else options.whole_batch
    for batch in batches(inputs, budget, encoder.pad):
        tables = (
            [batch.tokens(encoder.device)] if whole else [token_table(item, encoder.device) for item in batch.inputs]
        )
        watch = Watch(tables, anatomy.grams, options.smoothing, options.keep_weights)
        _run(encoder, anatomy, batch, watch, options.segments)
        if len(watch.layers) != anatomy.layers:
            raise ModelError(
                f"Expected {encoder.id} to compute attention {anatomy.layers} times in a forward pass, "
                f"found {len(watch.layers)}; this model cannot be observed."
            )
        yield from _documents(batch, watch)


def _run(encoder: Encoder, anatomy: Anatomy, batch: Batch, watch: Watch, segments: bool) -> None:
    if anatomy.sites:
        with taking_maps(anatomy, watch):
            forward(encoder, batch, segments, output_attentions=True)
    else:
        with observing(watch):
            forward(encoder, batch, segments)


def _documents(batch: Batch, watch: Watch) -> Iterator[Observed]:
    tables = range(len(watch.layers[0]))
    stacked = [
        Primitives.stack([layer[table] for layer in watch.layers], partial(torch.stack, dim=1)).numpy()
        for table in tables
    ]
    for row, item in enumerate(batch.inputs):
        table, document = (0, row) if len(tables) == 1 else (row, 0)
        weights = None
        if watch.weights[0]:
            layers = [layer[table][document, :, : len(item), : len(item)] for layer in watch.weights]
            weights = torch.stack(layers).float().cpu().numpy()
        yield Observed(item, stacked[table][document], weights)
