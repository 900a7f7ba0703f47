"""Makes what probes learn from: sentences with maps, gold heads, and word vectors that do not depend on context."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy
from generator.attention.words import WordMaps
from generator.corpora.pairs import WordInput
from generator.corpora.treebank import TREEBANK, Sentence
from generator.models.encoder import Encoder
from generator.models.twin import untrained_twin
from generator.studies.halves import FEWEST, order, reported
from generator.studies.probes.data import ProbeExample
from generator.studies.probes.probes import PROBES, probe_facts
from generator.studies.probes.training import TASKS
from generator.studies.probes.word_vectors import look_up, read_vectors
from generator.studies.procedure import Need, Procedure, SeenWords, Subject, Watcher

VECTORS = "word_vectors"
"""The setting that names a file of static vectors of words."""
MOST_SENTENCES = 4000
"""Of a larger treebank this many sentences are sampled, because all maps to learn from are held in memory at once."""


def probing(
    encoder: Encoder,
    corpus: str,
    inputs: Mapping[str, tuple[Sentence, WordInput]],
    maps: Mapping[str, WordMaps],
    twin_maps: Mapping[str, WordMaps],
    seed: int,
    vectors: Mapping[str, np.ndarray] | None = None,
) -> list[pd.DataFrame]:
    """`facts` of study "probe"; none for a model without a table of input embeddings or with too few sentences.

    `vectors` are static vectors of words, as Clark et al. 2019, section 5, use; without them a word's vector is the
    mean of its pieces' input embeddings.
    """
    try:
        table = encoder.model.get_input_embeddings().weight.detach().float().cpu().numpy()
    except NotImplementedError:
        if vectors is None:
            return []
        table = None
    names = sorted(maps)
    halves = np.bincount(reported(names, seed), minlength=2)
    if halves.min() < FEWEST:
        return []
    of_words = {name: _vectors(*inputs[name], table, vectors) for name in names}
    examples = [_example(inputs[name][0], maps[name], of_words[name]) for name in names]
    twins = [_example(inputs[name][0], twin_maps[name], of_words[name]) for name in names]
    return [probe_facts(examples, twins, encoder.id, corpus, seed, encoder.device)]


def sampled(names: list[str], seed: int) -> set[str]:
    """The sentences that probes may use."""
    return set(order(names, seed)[:MOST_SENTENCES])


def _vectors(
    sentence: Sentence, item: WordInput, table: np.ndarray | None, vectors: Mapping[str, np.ndarray] | None
) -> np.ndarray:
    """Vectors of the words that do not depend on the sentence, `[word, dim]`."""
    if vectors is not None:
        return look_up([word.form for word in sentence.words], vectors)
    assert table is not None, "without vectors of words there are those of pieces"
    pieces = table[np.asarray(item.input.input_ids)[item.pieces]]
    mean: np.ndarray = np.add.reduceat(pieces, item.starts) / item.lengths[:, None]
    return mean


def _example(sentence: Sentence, maps: WordMaps, vectors: np.ndarray) -> ProbeExample:
    return ProbeExample(
        id=sentence.id,
        maps=maps,
        heads=np.array([word.head for word in sentence.words]),
        scored=np.array([word.relation != "punct" for word in sentence.words]),
        types=tuple(word.form.lower() for word in sentence.words),
        vectors=vectors,
    )


def _watch(of: Subject, encoder: Encoder, _anatomy: Anatomy) -> Watcher:
    kept = sampled(list(of.inputs), of.seed)
    maps: dict[str, WordMaps] = {}
    twin_maps: dict[str, WordMaps] = {}
    words = {form for one, _ in of.inputs.values() for word in one.words for form in (word.form, word.form.lower())}
    file = of.settings[VECTORS]
    vectors = read_vectors(Path(file), words) if file else None

    def add(seen: SeenWords) -> None:
        if seen.annotated.id in kept:
            maps[seen.annotated.id] = seen.maps

    def add_twin(draw: int, seen: SeenWords) -> None:
        if draw == 0 and seen.annotated.id in kept:
            twin_maps[seen.annotated.id] = seen.maps

    return Watcher(
        add,
        lambda: {"facts": probing(encoder, of.corpus, of.inputs, maps, twin_maps, of.seed, vectors)},
        twins=1,
        add_twin=add_twin,
        draw_twin=untrained_twin,
    )


def _again(of: Subject) -> int:
    """Words to learn from, for every probe and task; learning from a word takes about as long as reading it."""
    words = sum(len(of.inputs[name][0].words) for name in sampled(list(of.inputs), of.seed))
    return PROBES * len(TASKS) * words // 2


PROCEDURE = Procedure("probe", TREEBANK, _watch, Need.MODEL, settings=(VECTORS,), again=_again)
