"""The studies of a treebank: one pass over its sentences feeds all that needs words and trees."""

from collections.abc import Callable, Collection, Iterator, Mapping

import numpy as np
import pandas as pd

from generator.attention.anatomy import Anatomy, examine
from generator.attention.stream import Observed, Options, observe
from generator.attention.words import WordMaps, word_maps
from generator.corpora.document import Corpus
from generator.corpora.pairs import PairMaker, WordInput
from generator.corpora.treebank import Sentence
from generator.errors import CorpusError
from generator.models.encoder import Encoder
from generator.models.twin import untrained_twin
from generator.studies.frames.features import FeatureScores
from generator.studies.probes.sentences import probing, sampled
from generator.studies.probes.usability import usability_facts
from generator.studies.syntax.deciles import DecileExamples
from generator.studies.syntax.links import LinkScores
from generator.studies.syntax.predictions import Predictions, predict
from generator.studies.syntax.relations import TWINS, relation_baselines, relation_heads, relations
from generator.studies.syntax.trees import TreeScores

READINGS = 1 + TWINS
"""How often the sentences are read: by the model, and by every draw of its untrained twin."""
Advance = Callable[[int], None]
Inputs = Mapping[str, tuple[Sentence, WordInput]]


def treebank_inputs(treebank: Corpus[Sentence], maker: PairMaker) -> dict[str, tuple[Sentence, WordInput]]:
    """The sentences that fit into one input, by name. Raises CorpusError when none does."""
    made = {one.id: (one, maker.words(one.id, [word.form for word in one.words])) for one in treebank.items}
    inputs = {name: (sentence, item) for name, (sentence, item) in made.items() if item is not None}
    if not inputs:
        raise CorpusError(
            f"Expected sentences that fit into one input in {treebank.name}, found none among {len(made)}; "
            "raise --max-tokens."
        )
    return inputs


def counts_of(treebank: Corpus[Sentence], inputs: Inputs) -> dict[str, int]:
    """Sentences and words that were read, and sentences too long to be."""
    return {
        "sentences": len(inputs),
        "words": sum(len(sentence.words) for sentence, _ in inputs.values()),
        "long": len(treebank.items) - len(inputs),
    }


def treebank_tables(
    encoder: Encoder,
    anatomy: Anatomy,
    corpus: str,
    inputs: Inputs,
    seed: int,
    advance: Advance,
    *,
    shown: bool,
    vectors: Mapping[str, np.ndarray] | None = None,
) -> dict[str, list[pd.DataFrame]]:
    """All tables of one treebank; `advance` is told of every word, READINGS times: untrained twins read them too.

    `shown` says that the text may stand on pages; `vectors` are for the probes, as in `probing`.
    """
    model = encoder.id
    trees, links, deciles, features = TreeScores(), LinkScores(), DecileExamples(), FeatureScores()
    kept = sampled(list(inputs), seed)
    learned: dict[str, WordMaps] = {}
    pairs = []
    for seen, maps in _read(encoder, anatomy, inputs, advance):
        name = seen.input.document
        sentence, item = inputs[name]
        pairs.append((sentence, predict(maps.weights)))
        if name in kept:
            learned[name] = maps
        deciles.add(seen, maps)
        trees.add(sentence, maps.weights)
        links.add(sentence, maps, item.lengths)
        features.add(sentence, np.asarray(seen.weights), item)
    found = Predictions.of(pairs)
    twins, untrained = _untrained(encoder, inputs, kept, seed, advance)
    facts, head_facts = zip(
        trees.tables(model, corpus, seed),
        links.tables(found, model, corpus, seed),
        features.tables(model, corpus, seed),
        strict=True,
    )
    read_off = [
        *probing(encoder, corpus, inputs, learned, untrained, seed, vectors),
        usability_facts(encoder, corpus, inputs, seed),
    ]
    return {
        "predictions": [found.table(corpus)],
        "relations": [relations(found, model, corpus)],
        "relation_baselines": [relation_baselines(found, model, corpus)],
        "relation_heads": [relation_heads(found, twins, model, corpus, seed)],
        "facts": [*facts, *read_off],
        "head_facts": list(head_facts),
        "deciles": [deciles.table(corpus, encoder.tokenizer.convert_ids_to_tokens)] if shown else [],
    }


def _untrained(
    encoder: Encoder, inputs: Inputs, kept: Collection[str], seed: int, advance: Advance
) -> tuple[list[Predictions], dict[str, WordMaps]]:
    """What every draw of the untrained twin predicts, and the maps of the first for the sentences to keep."""
    found: list[Predictions] = []
    maps_of: dict[str, WordMaps] = {}
    for draw in range(TWINS):
        twin = untrained_twin(encoder, seed, draw)
        pairs = []
        for seen, maps in _read(twin, examine(twin), inputs, advance):
            name = seen.input.document
            pairs.append((inputs[name][0], predict(maps.weights)))
            if name in kept and draw == 0:
                maps_of[name] = maps
        found.append(Predictions.of(pairs))
    return found, maps_of


def _read(encoder: Encoder, anatomy: Anatomy, inputs: Inputs, advance: Advance) -> Iterator[tuple[Observed, WordMaps]]:
    items = [item.input for _, item in inputs.values()]
    for seen in observe(encoder, anatomy, items, Options(keep_weights=True)):
        sentence, item = inputs[seen.input.document]
        yield seen, word_maps(np.asarray(seen.weights), item)
        advance(len(sentence.words))
