"""A story with linked mentions, and heads that point where they are told."""

import numpy as np

from generator.topics.mentions.compute.antecedents import (
    KINDS,
)
from generator.topics.mentions.corpus.coreference import CorefDocument, Features, Mention

ONE = Features("Sing", None, "3")


def random_maps(n, seed, layers=2, heads=3):
    weights = np.random.default_rng(seed).random((layers, heads, n, n))
    return (weights / weights.sum(-1, keepdims=True)).astype("float32")


def random_document(seed, words=30, mentions=14):
    """Mentions that nest and cross, of few entities, few words and few features."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(mentions):
        start = int(rng.integers(words))
        end = int(rng.integers(start, min(words, start + 5))) + 1
        features = Features(*(rng.choice([None, "x", "y"]) for _ in range(3)))
        kind = KINDS[1 + int(rng.integers(3))]
        found.append(Mention(start, end, int(rng.integers(start, end)), str(rng.integers(4)), kind, features))
    return CorefDocument(str(seed), tuple(rng.choice(["a", "b", "A", "c"], words)), tuple(found))
