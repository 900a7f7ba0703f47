"""Random maps and trees, and the tree that networkx finds."""

import networkx
import numpy as np

from generator.corpora.treebank import Sentence, Word


def maps_of(words, seed=0, layers=2, heads=3, sharpness=1.0):
    scores = np.random.default_rng(seed).normal(size=(layers, heads, words, words)) * sharpness
    weights = np.exp(scores)
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def sentence_of(heads, name="s"):
    """1-based heads, 0 for the root."""
    return Sentence(name, tuple(Word("w", "X", head, "dep" if head else "root") for head in heads))


def random_heads(words, rng):
    """A random tree: words join in random order, each under one that is there."""
    order = rng.permutation(words)
    heads = np.zeros(words, int)
    for at in range(1, words):
        heads[order[at]] = order[rng.integers(at)] + 1
    return heads.tolist()


def pointing(heads, weight=1.0):
    """A map in which dependents look at their heads; what is left is spread evenly."""
    n = len(heads)
    weights = np.full((n, n), (1 - weight) / n)
    for at, head in enumerate(heads):
        weights[at, head - 1 if head else at] += weight
    return weights


def by_networkx(weights, root):
    graph = networkx.DiGraph()
    for dependent, head in np.ndindex(weights.shape):
        if dependent not in (head, root):
            graph.add_edge(head, dependent, weight=float(weights[dependent, head]))
    heads = [-1] * len(weights)
    for head, dependent in networkx.maximum_spanning_arborescence(graph).edges:
        heads[dependent] = head
    return heads
