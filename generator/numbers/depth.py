"""Layers by their depth, so that models of any number of layers can be compared."""

import numpy as np

BERT_LAYERS = 12
"""The number of layers of the model that the hypothesis is about."""


def in_depth(layers: int, first: int, last: int) -> np.ndarray:
    """Which layers have the relative depth of BERT's layers `first` to `last`, ends included; booleans, `[layer]`.

    >>> np.flatnonzero(in_depth(6, 6, 10)) + 1
    array([3, 4, 5])
    """
    # In whole numbers, so that no rounding decides about a layer at an end.
    depth = np.arange(1, layers + 1) * BERT_LAYERS
    return (first * layers <= depth) & (depth <= last * layers)


def lowest_third(layers: int) -> np.ndarray:
    """`[layer]`: True for the first third of layers, rounded down but at least one layer."""
    return np.arange(layers) < max(layers // 3, 1)


def last_layers(layers: int) -> np.ndarray:
    """`[layer]`: True for layers deeper than BERT's layer 10 of 12, at least for the last one."""
    return ~in_depth(layers, 0, 10)
