"""Which rows of an input are compared: all, or some of a long one, drawn by its name; and what that may err by.

Comparing all pairs of heads takes a time that grows with the square of the length, and the rows of all layers have to
be held at once, unlike all else that looks at maps.
"""

import numpy as np

from generator.attention.observed import Look, Observed
from generator.corpora.pairs import Input
from generator.studies.distances.divergence import pairwise
from generator.studies.inputs.changed import draws

ELEMENTS = 2**17
"""Weights of a head that are compared: all of an input of 362 tokens, of a longer one as many rows as that holds."""
FEWEST = 64
"""Rows that are compared in any case."""
GROUPS = 8
"""Groups of the rows that were drawn; how much their means differ tells the error of the mean over all."""


def compared_rows(item: Input) -> Look:
    """Takes `[head, row, key]` of the rows that are compared.

    They go into one array for a layer: small ones, kept between the blocks, would leave holes in memory.
    """
    places = _places(item)
    found = np.empty(0, np.float32)

    def look(weights: np.ndarray, first: int) -> np.ndarray:
        nonlocal found
        if weights.shape[1] == len(item) == len(places):
            return weights
        if first == 0:
            found = np.empty((len(weights), len(places), len(item)), np.float32)
        rows = (places >= first) & (places < first + weights.shape[1])
        found[:, rows] = weights[:, places[rows] - first]
        return found

    return look


def divergence(seen: Observed) -> tuple[np.ndarray, np.ndarray]:
    """Mean divergence of every pair of heads, `[pair]` as `pairwise` gives it, and its standard error, `[pair]`, which
    is 0 where all rows were compared.
    """
    layers = seen.by_layer(compared_rows)
    count, all_rows = layers[0].shape[1], len(seen.input)
    if count == all_rows:
        found = pairwise(np.stack(layers))
        return found, np.zeros_like(found)
    group = draws(seen.input, "groups of rows", 0).permutation(count) % GROUPS
    chosen = (group == number for number in range(GROUPS))
    parts = np.stack([pairwise(np.stack([layer[:, rows] for layer in layers])) for rows in chosen])
    return parts.mean(0), np.sqrt(parts.var(0, ddof=1) / GROUPS * (1 - count / all_rows))


def _places(item: Input) -> np.ndarray:
    tokens = len(item)
    rows = min(max(ELEMENTS // tokens, FEWEST) // GROUPS * GROUPS, tokens) if tokens**2 > ELEMENTS else tokens
    return np.sort(draws(item, "rows", 0).permutation(tokens)[:rows])
