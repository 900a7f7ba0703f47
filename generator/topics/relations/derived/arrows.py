"""Which arrows of a head are strong."""

import numpy as np

HALF = 0.5
"""A strong arrow has more than this share of what words get, so a word has one at most."""


def strong(weights: np.ndarray) -> np.ndarray:
    """`[layer, head, word]`: whether the arrow from each word is strong, from words' `[layer, head, query, key]`."""
    words = weights.shape[-1]
    others = weights.copy()
    others[..., np.arange(words), np.arange(words)] = 0
    found: np.ndarray = others.max(-1) > HALF * weights.sum(-1)
    return found
