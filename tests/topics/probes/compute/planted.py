"""Sentences whose trees are planted in a map of attention."""

import numpy as np
import torch

from generator.attention.words import WordMaps
from generator.topics.probes.compute.data import ProbeExample

CPU = torch.device("cpu")
LAYERS, HEADS, DIM = 2, 3, 6
MAPS = LAYERS * HEADS
PLANTED = {"tree": (1, 2), "transposed": (1, 2), "tree everywhere": ...}
"""0-based layer and head that know the tree, or all of them."""
VOCABULARY = [f"word{number}" for number in range(12)]
VECTORS = dict(zip(VOCABULARY, np.random.default_rng(7).normal(size=(12, DIM)), strict=True))


def tree(rng, words):
    """Each word's head is the next word half of the time, or else any word nearer to the root; 1-based, 0 = root."""
    order = rng.permutation(words)
    depth = {word: at for at, word in enumerate(order)}
    heads = []
    for word in range(words):
        above = [other for other in range(words) if depth[other] < depth[word]]
        follows = word + 1 in above and rng.random() < 0.5
        heads.append((word + 1 if follows else int(rng.choice(above))) + 1 if above else 0)
    return np.array(heads)


def random_rows(rng, words):
    """`[layer, head, word, word + 2]`: attention to the words, the begin token and the separator."""
    logits = rng.normal(size=(LAYERS, HEADS, words, words + 2))
    return np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)


def planted_rows(heads, transposed):
    """A head that attends to the gold head, or from it; the root attends to the begin token."""
    words = len(heads)
    rows = np.full((words, words + 2), 0.1 / (words + 2))
    for word, head in enumerate(heads):
        if head == 0:
            rows[word, words] += 2
        elif transposed:
            rows[head - 1, word] += 2
        else:
            rows[word, head - 1] += 2
    return rows / rows.sum(-1, keepdims=True)


def as_maps(rows):
    rows = rows.astype(np.float32)
    return WordMaps(rows[..., :-2], rows[..., -2], rows[..., -1])


def example(number, plant=None):
    rng = np.random.default_rng(number)
    words = int(rng.integers(3, 10))
    heads, rows = tree(rng, words), random_rows(rng, words)
    if plant is not None:
        rows[PLANTED[plant]] = planted_rows(heads, plant == "transposed")
    types = tuple(rng.choice(VOCABULARY, size=words))
    scored = rng.random(words) > 0.2
    return ProbeExample(f"s{number}", as_maps(rows), heads, scored, types, np.stack([VECTORS[kind] for kind in types]))


def examples(count, plant=None):
    return [example(number, plant) for number in range(count)]
