"""Sentences and their maps -> what the probes learn from: gold heads, and word vectors that know no context."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from generator.attention.words import WordMaps
from generator.corpora.pairs import WordInput
from generator.corpora.treebank import Sentence
from generator.models.encoder import Encoder
from generator.studies.halves import order, reported
from generator.studies.probe_data import ProbeExample
from generator.studies.probes import FEWEST, probe_facts

MOST_SENTENCES = 4000
"""A larger treebank is sampled: all maps of what is learned from are held at once."""


def probing(
    encoder: Encoder,
    corpus: str,
    inputs: Mapping[str, tuple[Sentence, WordInput]],
    maps: Mapping[str, WordMaps],
    twin_maps: Mapping[str, WordMaps],
    seed: int,
) -> list[pd.DataFrame]:
    """`facts` of study "probe"; none for a model without a table of input embeddings or with too few sentences."""
    try:
        table = encoder.model.get_input_embeddings().weight.detach().float().cpu().numpy()
    except NotImplementedError:
        return []
    names = sorted(maps)
    halves = np.bincount(reported(names, seed), minlength=2)
    if halves.min() < FEWEST:
        return []
    examples = [_example(*inputs[name], maps[name], table) for name in names]
    twins = [_example(*inputs[name], twin_maps[name], table) for name in names]
    return [probe_facts(examples, twins, encoder.id, corpus, seed, encoder.device)]


def sampled(names: list[str], seed: int) -> set[str]:
    """The sentences that probes may use."""
    return set(order(names, seed)[:MOST_SENTENCES])


def _example(sentence: Sentence, item: WordInput, maps: WordMaps, table: np.ndarray) -> ProbeExample:
    pieces = table[np.asarray(item.input.input_ids)[item.pieces]]
    return ProbeExample(
        id=sentence.id,
        maps=maps,
        heads=np.array([word.head for word in sentence.words]),
        scored=np.array([word.relation != "punct" for word in sentence.words]),
        types=tuple(word.form.lower() for word in sentence.words),
        vectors=np.add.reduceat(pieces, item.starts) / item.lengths[:, None],
    )
