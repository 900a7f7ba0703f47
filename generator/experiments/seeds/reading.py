"""Observes several trainings, and a model with random weights, on the same documents."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.corpora.pairs import Input
from generator.experiments.compare.maps import divergences
from generator.experiments.seeds.maps import Seen
from generator.measures import compute
from generator.measures.measure import Counts
from generator.models.encoder import Encoder
from generator.models.twin import random_twin
from generator.studies.fact_rows import DocumentRows


def read(trainings: Sequence[Encoder], items: Sequence[Input], seed: int) -> Seen:
    """What trainings of one shape show on the same inputs, which a model with random weights reads as well."""
    anatomy = examine(trainings[0])
    which = list(combinations(range(len(trainings)), 2))
    measures, between, untrained = DocumentRows(), DocumentRows(), DocumentRows()
    options = Options(keep_weights=True)
    everyone = [*trainings, random_twin(trainings[0], seed)]
    # All order inputs by length, so they agree however many fit into a batch.
    for of_all in zip(*(observe(one, examine(one), items, options) for one in everyone), strict=True):
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
        {pair: pairs[:, at] for at, pair in enumerate(which)},
        list(np.moveaxis(untrained.rows(), 1, 0)),
    )
