"""How alike the heads of several trainings are, by their maps and measures on the same documents."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from generator.experiments.compare.maps import Pairs, pair
from generator.measures import COLUMNS
from generator.numbers.means import defined_mean
from generator.numbers.number import Grid, Number, exact
from generator.numbers.resampling import ROUNDING, bootstrap, estimated, proportion, resample, sample_counts

BLOCKS = 20
"""Draws are taken in so many parts, because heads linked with heads take memory."""
Twins = Mapping[tuple[int, int], Pairs]
"""The twins of every two trainings, by their places from 0; all were paired on the same half of the documents."""


class Seen(NamedTuple):
    """What trainings, and a model of random weights, showed on the same documents; heads stand layer by layer."""

    names: list[str]
    """The documents."""
    shape: tuple[int, int]
    """Layers, and heads of a layer."""
    measures: np.ndarray
    """`[document, training, head, column]`."""
    between: Mapping[tuple[int, int], np.ndarray]
    """For every two trainings `[document, head, head]`: the divergence of their maps, nats."""
    untrained: Sequence[np.ndarray]
    """For every training the same, with the heads of random weights across."""


def find_twins(seen: Seen, seed: int) -> Twins:
    """Pair the heads of every two trainings."""
    return {which: pair(seen.names, rows, seed) for which, rows in seen.between.items()}


def map_facts(seen: Seen, twins: Twins, seed: int) -> tuple[dict[str, Number[Any]], dict[str, Grid]]:
    """How far twins are apart: as a whole, and `matched` by layer."""
    layers, heads = seen.shape
    alike = np.stack([_apart(rows, twins[which]) for which, rows in seen.between.items()], axis=1)
    every = [rows[twins[which].left].mean((1, 2)) for which, rows in seen.between.items()]
    random = [_apart(rows, pair(seen.names, rows, seed)).mean(1) for rows in seen.untrained]
    own, other = (np.stack([getattr(one, side) for one in twins.values()]) // heads for side in ("heads", "matches"))
    by_layer = [
        np.concatenate([alike[:, side == layer] for side in (own, other)], axis=1).mean(1) for layer in range(layers)
    ]
    trainings = len(seen.untrained)
    whole: dict[str, Number[Any]] = {
        "trainings": exact(trainings, trainings),
        "matched": bootstrap(alike.mean((1, 2)), seed),
        "every": bootstrap(np.mean(every, axis=0), seed),
        "untrained": bootstrap(np.mean(random, axis=0), seed),
        "same_layer": proportion(int((own == other).sum()), own.size),
        "same_layer.chance": exact(1 / layers, layers),
    }
    return whole, {"matched": bootstrap(np.stack(by_layer, axis=1), seed)}


def measure_facts(seen: Seen, twins: Twins, seed: int) -> dict[str, Number[Any]]:
    """Every measure in every training, and how far that of a head tells that of its twin.

    Intervals of correlations resample documents and heads. A measure that some head does not define, or that is the
    same everywhere, has no correlation.
    """
    left, *_ = (one.left for one in twins.values())
    links = {"twins": _by_twins(twins, seen.shape), "layer": _by_layers(seen)}
    size = seen.measures.shape[1] * seen.measures.shape[2]
    counts = np.concatenate([np.ones((1, size)), sample_counts(size, seed + 1)])
    found: dict[str, Number[Any]] = {}
    for column, name in enumerate(COLUMNS):
        values = seen.measures[..., column]
        means = bootstrap(defined_mean(values, -1), seed)
        found |= {f"mean.{name}.{at + 1}": means.at(at) for at in range(values.shape[1])}
        drawn = resample(values[left], seed)
        of_draws = np.concatenate([drawn.value[None], drawn.draws]).reshape(-1, size)
        both = {kind: _correlation(of_draws, counts, ends) for kind, ends in links.items()}
        both["gain"] = both["twins"] - both["layer"]
        found |= {f"{kind}.{name}": estimated(one[0], one[1:], size) for kind, one in both.items()}
    return {name: one for name, one in found.items() if not np.isnan(one.value)}


def _apart(rows: np.ndarray, pairs: Pairs) -> np.ndarray:
    """`[document, pair]`: the divergence of twins, of the documents that are left for reporting."""
    return rows[pairs.left][:, pairs.heads, pairs.matches]


def _by_twins(twins: Twins, shape: tuple[int, int]) -> np.ndarray:
    """`[2, link]`: places of heads among those of all trainings, a head above and its twin below, both ways round."""
    size = shape[0] * shape[1]
    ends = [(a * size + one.heads, b * size + one.matches) for (a, b), one in twins.items()]
    one_way = np.concatenate(ends, axis=1)
    return np.concatenate([one_way, one_way[::-1]], axis=1)


def _by_layers(seen: Seen) -> np.ndarray:
    """The same where a head is linked with every head in its layer of every other training."""
    layers, heads = seen.shape
    layer = np.arange(layers * heads) // heads
    same = np.stack(np.nonzero(layer[:, None] == layer))
    trainings = permutations(range(len(seen.untrained)), 2)
    return np.concatenate([same + np.array(which)[:, None] * layers * heads for which in trainings], axis=1)


def _correlation(values: np.ndarray, counts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """`[draw]`: Pearson's correlation over links, from `values [draw, head]` and how often each head is drawn.

    Every link is there both ways round, so both sides have one mean and one variance. NaN where all heads are the same.
    """
    parts = zip(np.array_split(values, BLOCKS), np.array_split(counts, BLOCKS), strict=True)
    return np.concatenate([_of_block(some, drawn, ends) for some, drawn in parts])


def _of_block(values: np.ndarray, counts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    weights = counts[:, ends[0]] * counts[:, ends[1]]
    a, b = values[:, ends[0]], values[:, ends[1]]
    total = weights.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = ((weights * a).sum(1) / total)[:, None]
        spread = (weights * (a - mean) ** 2).sum(1)
        found: np.ndarray = (weights * (a - mean) * (b - mean)).sum(1) / spread
    return np.where(spread > ROUNDING * total, found, np.nan)
