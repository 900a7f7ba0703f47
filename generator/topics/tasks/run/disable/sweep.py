"""Runs a model without each of its heads and layers in turn, and keeps the outcome of every example.

All conditions of a batch follow one another, so that what they share is computed once (see
`generator.attention.changed.replay`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from generator.attention.anatomy import Anatomy
from generator.attention.batches import Batch, collate
from generator.attention.changed.disable import WAYS, Disabled, check_can_be_disabled, gate_gradients
from generator.attention.changed.replay import Replayer
from generator.attention.portions import in_portions
from generator.progress import tell
from generator.topics.tasks.run.disable.examples import Examples

OfPlaces = tuple[Sequence[int], np.ndarray]
"""The places of some inputs among all inputs, and what was found for these inputs, `[..., input]`."""
Found = list[OfPlaces]


@dataclass(frozen=True)
class Sweep:
    """The outcome of every example under every condition, from which all tables are made."""

    base: np.ndarray
    """`[example]`: with every head in place."""
    disabled: np.ndarray
    """`[way, layer, head + 1, example]`, ways in the order of WAYS; the last entry of a layer is the whole layer."""
    left: np.ndarray
    """`[layer, head, example]`: all other heads of the layer zeroed."""
    importance: np.ndarray
    """`[example, layer, head]`: |dL/dxi|."""


def passes(anatomy: Anatomy) -> int:
    """How often a sweep tells that an input was read: with every head, under each condition, and for importance."""
    return 2 + sum(map(len, _conditions(anatomy)))


def sweep(examples: Examples, anatomy: Anatomy) -> Sweep:
    """Read the examples under every condition. Raises ModelError for a model whose attention cannot be changed."""
    tried, left = _conditions(anatomy)
    found = run(examples, anatomy, [*tried, *left])
    layers, heads = anatomy.layers, anatomy.heads
    return Sweep(
        base=found[0],
        disabled=found[1 : 1 + len(tried)].reshape(len(WAYS), layers, heads + 1, -1),
        left=found[1 + len(tried) :].reshape(layers, heads, -1),
        importance=importance(examples, anatomy),
    )


def run(examples: Examples, anatomy: Anatomy, conditions: Sequence[Disabled]) -> np.ndarray:
    """`[condition, example]`: outcomes with every head in place, then under each of the conditions."""
    replayer = Replayer(examples.encoder, anatomy)
    found = np.full((1 + len(conditions), len(examples.inputs)), np.nan)

    def read(places: Sequence[int]) -> Found:
        batch = _batch(examples, places)
        reading = replayer.read(batch)
        outcomes = [examples.outcomes(reading.output, batch.inputs)]
        for condition in conditions:
            outcomes.append(examples.outcomes(reading.without(condition), batch.inputs))
            tell(sum(map(len, batch.inputs)))
        return [(places, np.stack(outcomes))]

    for places, outcomes in _read(examples, anatomy, read):
        found[:, places] = outcomes
    return examples.by_example(found)


def importance(examples: Examples, anatomy: Anatomy) -> np.ndarray:
    """`[example, layer, head]`: |dL/dxi| of each example's own loss (Michel et al. 2019, section 4.1)."""
    check_can_be_disabled(examples.encoder, anatomy)
    found = np.full((anatomy.layers, anatomy.heads, len(examples.inputs)), np.nan)

    def read(places: Sequence[int]) -> Found:
        batch = _batch(examples, places)
        gradients = gate_gradients(examples.encoder, anatomy, partial(examples.losses, batch))
        return [(places, gradients.abs().double().cpu().numpy().transpose(1, 2, 0))]

    for places, gradients in _read(examples, anatomy, read):
        found[..., places] = gradients
    return np.moveaxis(examples.by_example(found), -1, 0)


def _read(examples: Examples, anatomy: Anatomy, read: Callable[[Sequence[int]], Found]) -> Iterator[OfPlaces]:
    """Call `read` for groups of inputs of similar length, with their places among all inputs; yields what it finds."""
    inputs = examples.inputs
    return in_portions(examples.encoder, range(len(inputs)), read, size=lambda at: len(inputs[at]), padded=anatomy.pads)


def _batch(examples: Examples, places: Sequence[int]) -> Batch:
    return collate([examples.inputs[at] for at in places], examples.encoder.pad)


def _conditions(anatomy: Anatomy) -> tuple[list[Disabled], list[Disabled]]:
    """The conditions that disable a head or layer, in the order of `Sweep.disabled`, and those that leave one head."""
    layers = [[(layer, head) for head in range(anatomy.heads)] for layer in range(anatomy.layers)]
    tried = [
        Disabled.of(way, places)
        for way in WAYS
        for layer in layers
        for places in (*([place] for place in layer), layer)
    ]
    left = [Disabled.of("zero", (place for place in layer if place != kept)) for layer in layers for kept in layer]
    return tried, left
