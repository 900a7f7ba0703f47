"""Which rows of an input are compared: all, or for a long input a sample drawn by its name; and the sampling error.

The time to compare all pairs of heads grows with the square of the length, and the rows of all layers must be held in
memory at once, unlike in all other studies of maps.
"""

import numpy as np

from generator.attention.observed import Look, Observed
from generator.corpora.pairs import Input
from generator.studies.distances.divergence import pairwise
from generator.studies.inputs.changed import draws

ELEMENTS = 2**17
"""The most weights of a head that are compared: all of them up to 362 tokens, fewer rows of a longer input."""
FEWEST = 64
"""The fewest rows that are compared."""
GROUPS = 8
"""Into how many groups the drawn rows are divided; the spread of their means gives the error of the mean over all."""


def compared_rows(item: Input) -> Look:
    """A look that returns the rows that are compared, `[head, row, key]`.

    They are copied into one array per layer: small arrays, kept from block to block, would fragment memory.
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
    """Mean divergence of every pair of heads in nats, `[pair]` as in `pairwise`, and its standard error, `[pair]`; the
    error is 0 if all rows were compared.
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
