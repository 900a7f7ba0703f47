"""Sentences with maps between their words, random or made by hand, and the numbers that they have."""

import numpy as np
import pytest

from generator.attention.words import WordMaps
from generator.corpora.treebank import Sentence, Word
from generator.topics.relations.compute.links import LinkScores
from generator.topics.relations.derived.predictions import Predictions, predict
from tests.studies.stored import CORPUS, MODEL, SEED

LAYERS, HEADS = 2, 3
RELATIONS = ("det", "obj", "nsubj", "nsubj:pass", "csubj", "punct")
CLASSES = ("NOUN", "PROPN", "PRON", "VERB", "PUNCT", "DET")


def maps_of(words, seed):
    """Random word maps: rows of weights, begin and separator sum to one."""
    rows = np.random.default_rng(seed).dirichlet(np.full(words + 2, 0.5), (LAYERS, HEADS, words)).astype(np.float32)
    return WordMaps(rows[..., :-2], rows[..., -2], rows[..., -1])


def of_one_head(weights, separator=0.0):
    """Maps `[1, 1, ...]` of one head; what is left over goes to the begin token."""
    weights = np.asarray(weights, np.float32)[None, None]
    separator = np.broadcast_to(np.asarray(separator, np.float32), weights.shape[:3])
    return WordMaps(weights, 1 - weights.sum(-1) - separator, separator)


def random_sentence(words, name, rng):
    """A random tree over so many words of random classes and relations."""
    heads = np.zeros(words, int)
    order = rng.permutation(words)
    for at in range(1, words):
        heads[order[at]] = order[rng.integers(at)] + 1
    return Sentence(
        name,
        tuple(
            Word("w", str(rng.choice(CLASSES)), int(head), str(rng.choice(RELATIONS)) if head else "root")
            for head in heads
        ),
    )


def tables_of(corpus, seed=SEED):
    """`facts` and `head_facts` of sentences with their maps and the pieces of their words."""
    scores = LinkScores()
    for sentence, maps, lengths in corpus:
        scores.add(sentence, maps, lengths)
    found = Predictions.of([(sentence, predict(maps.weights)) for sentence, maps, _ in corpus])
    return scores.tables(found, MODEL, CORPUS, seed)


def numbers_of(sentence, maps, lengths=None):
    """The `head_facts` of one sentence and one head, by name."""
    words = len(sentence.words)
    _, table = tables_of([(sentence, maps, np.ones(words, int) if lengths is None else lengths)])
    return table.set_index("name")["value"]


def by_name(corpus):
    """Sentences in the order of their names, as the study reads them."""
    return sorted(corpus, key=lambda item: item[0].id)


every_head = pytest.mark.parametrize(("layer", "head"), list(np.ndindex(LAYERS, HEADS)))
