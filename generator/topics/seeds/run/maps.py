"""How alike the heads of several trainings are, by their maps and measures on the same documents."""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.corpora.kind import Corpus
from generator.corpora.pairs import Document, Input
from generator.errors import CorpusError
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.models.encoder import Encoder
from generator.models.twin import random_twin
from generator.numbers.correlation import pearson
from generator.numbers.means import defined_mean
from generator.numbers.number import Grid, Number, exact
from generator.numbers.resampling import bootstrap, estimated, proportion, resample, sample_counts, with_all
from generator.studies.fact_rows import DocumentRows
from generator.studies.halves import reported
from generator.topics.compare.run.maps import Pairs, divergences, pair

Twins = Mapping[tuple[int, int], Pairs]
"""Two trainings, numbered from 0 -> their twins; all were paired on the same half of the documents."""


class Seen(NamedTuple):
    """What trainings and a model with random weights showed on the same documents; heads are in the order of layers."""

    names: list[str]
    """The documents."""
    shape: tuple[int, int]
    """Layers, and heads of a layer."""
    measures: np.ndarray
    """`[document, training, head, column]`."""
    between: Mapping[tuple[int, int], np.ndarray]
    """Two trainings, numbered from 0 -> `[document, head, head]`: the divergence of their maps, in nats."""
    untrained: Sequence[np.ndarray]
    """For every training `[document, head, head of random weights]`: the divergence of their maps, in nats."""

    @property
    def layer(self) -> np.ndarray:
        """`[head]`: its layer, from 0."""
        layers, heads = self.shape
        return np.repeat(np.arange(layers), heads)


def read(trainings: Sequence[Encoder], items: Sequence[Input], seed: int) -> Seen:
    """What trainings of one shape show on the same inputs, which a model with random weights reads as well."""
    anatomy = examine(trainings[0])
    which = list(combinations(range(len(trainings)), 2))
    measures, between, untrained = DocumentRows(), DocumentRows(), DocumentRows()
    options = Options(keep_weights=True)
    everyone = [*trainings, random_twin(trainings[0], seed)]
    # All order inputs by length, so they agree however many fit into a batch.
    for of_all in zip(*(observe(encoder, examine(encoder), items, options) for encoder in everyone), strict=True):
        item = of_all[0].input
        *maps, random = (np.asarray(seen.weights) for seen in of_all)
        measured = np.stack([compute(seen.primitives, Counts.of(item)) for seen in of_all[:-1]])
        measures.add(item, measured.reshape(len(trainings), -1, measured.shape[-1]))
        between.add(item, np.stack([divergences(maps[a], maps[b]) for a, b in which]))
        untrained.add(item, np.stack([divergences(own, random) for own in maps]))
    pairs = between.rows()
    return Seen(
        measures.names,
        (anatomy.layers, anatomy.heads),
        measures.rows(),
        {both: pairs[:, at] for at, both in enumerate(which)},
        list(np.moveaxis(untrained.rows(), 1, 0)),
    )


def check_halves(text: Corpus[Document], seed: int) -> None:
    """Raises CorpusError if one half of the documents is empty: twins are paired on one and reported on the other."""
    left = reported([item.id for item in text.items], seed)
    if left.all() or not left.any():
        raise CorpusError(f"Expected documents for two halves in {text.name}, found {len(left)}; give a longer text.")


def find_twins(seen: Seen, seed: int) -> Twins:
    """The paired heads of every two trainings."""
    return {which: pair(seen.names, rows, seed) for which, rows in seen.between.items()}


def map_facts(seen: Seen, twins: Twins, seed: int) -> tuple[dict[str, Number[Any]], dict[str, Grid]]:
    """The divergence of twins and of any two heads, in nats: numbers of the whole model, among them the share of twins
    that lie in one layer, and numbers by layer.
    """
    layers, heads = seen.shape
    alike = np.stack([twins[which].of(rows) for which, rows in seen.between.items()], axis=1)
    every = np.stack([rows[twins[which].left] for which, rows in seen.between.items()], axis=1)
    # A twin in a model of random weights, paired in the same way: what the best of many gives by chance.
    random = [pair(seen.names, rows, seed).of(rows).mean(1) for rows in seen.untrained]
    own, other = (
        seen.layer[np.stack([getattr(twin, side) for twin in twins.values()])] for side in ("heads", "matches")
    )
    of_twins = [
        np.concatenate([alike[:, side == layer] for side in (own, other)], axis=1).mean(1) for layer in range(layers)
    ]
    # Heads lie layer by layer on both sides: this leaves `[document, layer, layer]`.
    of_layer = every.reshape(*every.shape[:2], layers, heads, layers, heads).mean((1, 3, 5))
    whole: dict[str, Number[Any]] = {
        "matched": bootstrap(alike.mean((1, 2)), seed),
        "every": bootstrap(every.mean((1, 2, 3)), seed),
        "untrained": bootstrap(np.mean(random, axis=0), seed),
        "same_layer": proportion(int((own == other).sum()), own.size),
        "same_layer.chance": exact(1 / layers, layers),
    }
    return whole, {
        "matched": bootstrap(np.stack(of_twins, axis=1), seed),
        "every": bootstrap(np.diagonal(of_layer, axis1=1, axis2=2), seed),
    }


def measure_facts(seen: Seen, twins: Twins, seed: int) -> dict[str, Number[Any]]:
    """The mean of every measure in every training, and the correlations of a head's measure with that of its twin and
    with the mean of its layer in another training.

    Intervals of correlations resample documents and heads. A measure that is undefined for some head, or the same for
    all heads, has no correlation.
    """
    left, *_ = (twin.left for twin in twins.values())
    ends, trainings = _links(twins, seen), range(len(seen.untrained))
    heads = len(trainings) * len(seen.layer)
    counts = with_all(sample_counts(heads, seed + 1))
    found: dict[str, Number[Any]] = {}
    for column, name in enumerate(COLUMNS):
        means = bootstrap(defined_mean(seen.measures[..., column], -1), seed)
        found |= {f"mean.{name}.{at + 1}": means.at(at) for at in trainings}
        values = resample(seen.measures[left][..., column], seed).joined()
        both = {
            "twins": _over_twins(values.reshape(-1, heads), counts, ends),
            "layer": _over_layers(values, counts, seen.layer),
        }
        both["gain"] = both["twins"] - both["layer"]
        found |= {f"{kind}.{name}": estimated(array[0], array[1:], heads) for kind, array in both.items()}
    return {name: number for name, number in found.items() if not np.isnan(number.value)}


def _links(twins: Twins, seen: Seen) -> np.ndarray:
    """`[2, link]`: the places of every two twins among the heads of all trainings, in both orders."""
    size = len(seen.layer)
    one_way = np.concatenate(
        [(a * size + twin.heads, b * size + twin.matches) for (a, b), twin in twins.items()], axis=1
    )
    return np.concatenate([one_way, one_way[::-1]], axis=1)


def _over_twins(values: np.ndarray, counts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """`[draw]`: the correlation of heads with their twins, from `values` and `counts`, `[draw, head]`."""
    first, second = ends
    return pearson(values[:, first], values[:, second], counts[:, first] * counts[:, second])


def _over_layers(values: np.ndarray, counts: np.ndarray, layer: np.ndarray) -> np.ndarray:
    """`[draw]`: the correlation of heads with the mean of their layer in every other training, from `values [draw,
    training, head]` and `counts [draw, head of all trainings]`.
    """
    means = np.stack([values[..., layer == number].mean(-1) for number in range(layer.max() + 1)], axis=-1)[..., layer]
    drawn = counts.reshape(values.shape)
    pairs = list(permutations(range(values.shape[1]), 2))
    own, other, weights = (
        np.concatenate([of[:, which[side]] for which in pairs], axis=1)
        for of, side in ((values, 0), (means, 1), (drawn, 0))
    )
    return pearson(own, other, weights)
