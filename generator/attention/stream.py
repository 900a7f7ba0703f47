"""Run inputs through an encoder and yield their primitives: one forward pass serves all measures and all observers.

A map is looked at layer by layer, in long inputs a block of queries at a time, and is gone before the next layer is
computed, unless it is kept.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from generator.attention.anatomy import Anatomy, check_calls, forward, taking_maps
from generator.attention.batches import Batch, collate, token_table
from generator.attention.hook import Watch, observing
from generator.attention.host import Leaving
from generator.attention.observed import Observed, ObserverOf
from generator.attention.portions import in_portions
from generator.attention.sums.primitives import Primitives
from generator.corpora.pairs import Input
from generator.models.encoder import Encoder
from generator.models.threads import hooked


@dataclass(frozen=True)
class Options:
    """How to observe; the defaults are what the site shows."""

    smoothing: float = 0.0
    """The `s` in the entropy of `(1 - s) A + s/n`; Clark et al.'s notebook uses 1e-4."""
    segments: bool = True
    """False feeds segment id 0 for every token, as Clark et al.'s released code does."""
    measured: bool = True
    """False if only observers, weights or states are asked for; `primitives` then have no entries."""
    to_the_end: bool = True
    """False ends a forward pass with the last map, unless states are kept or maps are taken from what layers return. It
    is faster, but does not notice if attention would be computed more often than in the trial.
    """
    keep_weights: bool = False
    keep_states: bool = False
    observers: tuple[ObserverOf, ...] = ()
    """Looks whose results for blocks of queries are added up."""
    rows: tuple[ObserverOf, ...] = ()
    """Looks that return one array of the layer, `[head, row, ...]`, of which every block of queries fills a part."""
    whole_batch: bool | None = None
    """Observe a padded batch at once instead of one document at a time; by default on every device but a CPU."""
    batch_tokens: int | None = None
    """Padded tokens in a batch; by default what suits the device."""
    say: Callable[[str], object] = warnings.warn
    """Is given a note when memory did not suffice for a batch."""


Looks = Callable[[Input], Options]
"""Gives for an input of a batch what is taken of it."""


def observe(
    encoder: Encoder,
    anatomy: Anatomy,
    inputs: Sequence[Input],
    options: Options | None = None,
    looks: Looks | None = None,
) -> Iterator[Observed]:
    """Observe every input once, longest first.

    If memory does not suffice for a batch, the rest is read in smaller batches and `options.say` is told. Raises
    TooLongError if memory does not suffice for these either, and ModelError if a forward pass computes attention more
    or fewer times than the trial did; more only where it is run to the end.
    """
    options = options or Options()
    read = partial(observe_together, encoder, anatomy, options=options, looks=looks)
    yield from in_portions(encoder, inputs, read, padded=anatomy.pads, tokens=options.batch_tokens, say=options.say)


def observe_together(
    encoder: Encoder, anatomy: Anatomy, inputs: Sequence[Input], options: Options, looks: Looks | None = None
) -> Iterator[Observed]:
    """Observe these inputs in one batch, in their order; the model has run when this returns.

    `looks` says of each input what is taken of it, where that is not the same for all: whether it is measured, and by
    which observers it is seen. Raises ModelError as `observe` does, and torch's errors if memory does not suffice.
    """
    batch, device = collate(inputs, encoder.pad), encoder.device
    whole = device.type != "cpu" if options.whole_batch is None else options.whole_batch
    tables = [batch.tokens(device)] if whole else [token_table(item, device) for item in inputs]
    taken = [looks(item) if looks else options for item in inputs]
    observers = [
        (len(item), [adds(item) for adds in own.observers], [fills(item) for fills in own.rows])
        for item, own in zip(inputs, taken, strict=True)
    ]
    measured = [own.measured for own in taken]
    watch = Watch(
        tables,
        grams=anatomy.grams,
        smoothing=options.smoothing,
        keep_weights=options.keep_weights,
        observers=observers,
        measured=[any(measured)] if whole else measured,
    )
    states = _run(encoder, anatomy, batch, watch, options)
    watch.finish()
    check_calls(encoder, anatomy, len(watch.layers), "this model cannot be observed")
    return _documents(batch, watch, taken, states)


def _run(encoder: Encoder, anatomy: Anatomy, batch: Batch, watch: Watch, options: Options) -> list[Leaving]:
    """One forward pass; gives the hidden states `[layer]` -> `[document, token, hidden]`, if they are asked for."""
    states: list[Leaving] = []

    def keep(_module: object, _arguments: object, output: Any) -> None:
        states.extend(map(Leaving, output.hidden_states))

    asked = {"output_attentions": True} if anatomy.sites else {}
    observer = watch if options.to_the_end or options.keep_states else _UntilLast(watch, anatomy.layers)
    with ExitStack() as around:
        # Entered first and so left last: what is entered below sees the end of the pass, too.
        around.enter_context(suppress(_SeenAllError))
        around.enter_context(taking_maps(anatomy, watch) if anatomy.sites else observing(observer))
        if options.keep_states:
            around.enter_context(hooked(encoder.model.register_forward_hook, keep))
            asked["output_hidden_states"] = True
        forward(encoder, batch, options.segments, **asked)
    return states


class _SeenAllError(Exception):
    """Ends a forward pass of which all maps have been seen."""


class _UntilLast:
    """Observes one forward pass, and ends it with the attention of the last layer."""

    def __init__(self, watch: Watch, layers: int) -> None:
        self._watch, self._layers = watch, layers

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch, observed."""
        output = self._watch.layer(query, key, value, bias, scale)
        if len(self._watch.layers) == self._layers:
            raise _SeenAllError
        return output


def _documents(batch: Batch, watch: Watch, taken: Sequence[Options], states: list[Leaving]) -> Iterator[Observed]:
    # All copies are on their way before the first is waited for.
    leaving = [primitive.each(Leaving) for primitive in watch.primitives()]
    stacked = [primitives.each(Leaving.arrived).numpy() for primitives in leaving]
    hidden_states = [state.arrived() for state in states]
    for row, (item, own) in enumerate(zip(batch.inputs, taken, strict=True)):
        table, document = (0, row) if len(stacked) == 1 else (row, 0)
        weights = hidden = None
        if own.keep_weights:
            layers = [layer[table][document, :, : len(item), : len(item)] for layer in watch.weights]
            weights = torch.stack(layers).float().numpy()
        if hidden_states:
            hidden = [layer[row, : len(item)].float().numpy() for layer in hidden_states]
        asked, found = (*own.observers, *own.rows), (*watch.sums[row], *watch.filled[row])
        results = {each: list(layers.values()) for each, layers in zip(asked, found, strict=True)}
        yield Observed(item, _cropped(stacked[table][document], len(item)), weights, hidden, results)


def _cropped(found: Primitives, length: int) -> Primitives:
    """The same sums without the entries of padding tokens."""
    by_token = ("received", "value_norm", "row_entropy")
    return replace(found, **{name: getattr(found, name)[..., :length] for name in by_token})
