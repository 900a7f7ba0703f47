"""Which heads have a double, from the distances between them."""

import numpy as np

from generator.topics.distances.records import HALF


def with_double(distance: np.ndarray) -> np.ndarray:
    """`[head]`: whether another head is nearer than HALF of the mean distance of two; `distance` is `[head, head]`.

    >>> with_double(np.array([[0.0, 1, 9], [1, 0, 9], [9, 9, 0]])).tolist()
    [True, True, False]
    """
    others = ~np.eye(len(distance), dtype=bool)
    near = np.where(others, distance, np.inf).min(1) < HALF * distance[others].mean()
    found: np.ndarray = near
    return found
