"""Which rows of an input are compared: all, or for a long input a sample drawn by its name; and the sampling error.

The time to compare all pairs of heads grows with the square of the length, and the rows of all layers must be held in
memory at once, unlike in all other studies of maps.
"""

import math
from collections.abc import Callable

import numpy as np

from generator.attention.observed import Observed, Observer
from generator.corpora.pairs import Input
from generator.topics.distances.compute.divergence import CPU, pairwise
from generator.topics.inputs.compute.changed import draws

ELEMENTS = 2**17
"""The most weights of a head that are compared: all of them up to 362 tokens, fewer rows of a longer input."""
FEWEST = 64
"""The fewest rows that are compared."""
GROUPS = 8
"""Into how many groups the drawn rows are divided; the spread of their means gives the error of the mean over all."""


class ComparedRows:
    """Collects the rows to compare and computes their divergences on the device of the model.

    Arrays are reused, because allocating them takes longer than copying the rows. Several threads may use one object.
    """

    def __init__(self, layers: int, device: str = CPU, chosen: Callable[[Input], bool] = lambda _: True) -> None:
        """Of inputs that are not `chosen` no rows are kept."""
        self._layers, self._device, self._chosen = layers, device, chosen
        self._free: list[np.ndarray] = []
        """Flat arrays that hold nothing now and can be used again."""

    def observer(self, item: Input) -> Observer:
        """An observer that keeps the rows of this input that will be compared, `[head, row, key]`."""
        if not self._chosen(item):
            return lambda _weights, _first: np.empty(0)
        places, layer, held = _places(item), -1, np.empty(0)

        def observe(weights: np.ndarray, first: int) -> np.ndarray:
            nonlocal layer, held
            # Blocks come in order, so that query 0 begins the next layer.
            layer += first == 0
            if first == layer == 0:
                held = self._array((self._layers, len(weights), len(places), len(item)))
            rows: np.ndarray = held[layer]
            start, stop = np.searchsorted(places, (first, first + weights.shape[1]))
            whole = stop - start == weights.shape[1]
            rows[:, start:stop] = weights if whole else weights[:, places[start:stop] - first]
            return rows

        return observe

    def divergence(self, seen: Observed) -> tuple[np.ndarray, np.ndarray]:
        """Mean divergence of every pair of heads in nats, `[pair]` as in `pairwise`, and its standard error, `[pair]`;
        the error is 0 if all rows were compared. Call it once per chosen input, after observing that with `observer`.
        """
        layers = seen.by_layer(self.observer)
        piece = layers[0].base
        assert piece is not None, "the observer gives parts of one array"
        found = _divergence(seen.input, _part(piece, (len(layers), *layers[0].shape)), self._device)
        self._free.append(piece)
        return found

    def _array(self, shape: tuple[int, ...]) -> np.ndarray:
        """An array of this shape, in a free piece of memory if one is large enough."""
        size, found = math.prod(shape), np.empty(0, np.float32)
        while found.size < size:  # longer inputs come first: what is too small now is not needed again
            try:
                found = self._free.pop()
            except IndexError:
                found = np.empty(size, np.float32)
        return _part(found, shape)


def _divergence(item: Input, rows: np.ndarray, device: str) -> tuple[np.ndarray, np.ndarray]:
    count = rows.shape[2]
    if count == len(item):
        found = pairwise(rows, device=device)
        return found, np.zeros_like(found)
    group = draws(item, "groups of rows", 0).permutation(count) % GROUPS
    parts = np.stack([pairwise(rows[:, :, group == number], device=device) for number in range(GROUPS)])
    # Rows are drawn without replacement: the more of them are, the less is left to chance.
    return parts.mean(0), np.sqrt(parts.var(0, ddof=1) / GROUPS * (1 - count / len(item)))


def _part(piece: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return piece[: math.prod(shape)].reshape(shape)


def _places(item: Input) -> np.ndarray:
    tokens = len(item)
    rows = min(max(ELEMENTS // tokens, FEWEST) // GROUPS * GROUPS, tokens) if tokens**2 > ELEMENTS else tokens
    return np.sort(draws(item, "rows", 0).permutation(tokens)[:rows])
