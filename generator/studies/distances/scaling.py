"""The map of heads: places in two dimensions with nearly the distances of the heads (Clark et al. 2019, section 6).

The method is SMACOF (Borg and Groenen 2005), with the settings of Clark et al.'s released notebook, but seeded.
scikit-learn's MDS gives the same and takes several times as long.
"""

from operator import itemgetter

import numpy as np
from scipy.spatial.distance import squareform

from generator.numbers.compiled import compiled_sums

STARTS, STEPS, ENOUGH = 5, 1000, 1e-10
"""Random starts of the map; the most steps of each; the least fall of the squared error after which steps go on, as a
share of the sum of squared distances.
"""
NEAREST = 1e-5
"""The distance given to heads that lie in one place, because the scaling divides by distances."""


def placed(mean: np.ndarray, seed: int) -> tuple[np.ndarray, float]:
    """Coordinates `[head, 2]` and their stress-1, from distances `[pair]`.

    The map is turned so that x is its longer axis and the head farthest along an axis has a positive coordinate.
    """
    distance = squareform(mean)
    if not mean.any():
        return np.zeros((len(distance), 2)), np.nan  # scaling would divide by 0
    rng = np.random.RandomState(seed)
    starts = (rng.uniform(size=(len(distance), 2)) for _ in range(STARTS))
    place, stress = min((_scaled(distance, start) for start in starts), key=itemgetter(1))
    turned, lengths, _ = np.linalg.svd(place - place.mean(0), full_matrices=False)
    turned *= lengths
    return turned * np.sign(turned[np.abs(turned).argmax(0), [0, 1]]), stress


def _scaled(distance: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, float]:
    """Where SMACOF gets from `place [head, 2]`, and the stress-1 there; `distance` is `[head, head]`."""
    place, before = np.ascontiguousarray(place.T), np.inf
    for step in range(STEPS + 1):
        further, off, size = _step(distance, place)
        if step == STEPS or before - off < ENOUGH * size:
            break
        place, before = further, off
    return place.T, float(np.sqrt(off / size))


@compiled_sums
def _step(distance: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, float, float]:
    """The next `place [2, head]`, the squared error of this one, and the sum of its squared distances."""
    heads, x, y = len(distance), place[0], place[1]
    further = np.empty_like(place)
    off = size = 0.0
    for a in range(heads):
        along_x = along_y = 0.0
        for b in range(heads):
            across, up = x[a] - x[b], y[a] - y[b]
            apart = np.sqrt(across**2 + up**2)
            pull = distance[a, b] / max(apart, NEAREST)
            along_x += pull * across
            along_y += pull * up
            off += (apart - distance[a, b]) ** 2
            size += apart**2
        further[0, a], further[1, a] = along_x / heads, along_y / heads
    return further, off, size
