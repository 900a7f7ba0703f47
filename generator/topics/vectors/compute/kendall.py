"""Kendall's rank correlation of many rows, pair by pair in compiled code."""

import numpy as np

from generator.numbers.compiled import compiled


def kendall(first: np.ndarray, second: np.ndarray, counts: np.ndarray | bool = True) -> np.ndarray:
    """Kendall's tau-b of each row of `first [..., entry]` with that of `second`, `[...]`; NaN where either is constant.

    Only entries marked in `counts [..., entry]` count.

    >>> kendall(np.array([1.0, 2, 3, 3]), np.array([1.0, 3, 2, 2])).round(3).item()
    0.2
    """
    first, second, counts = np.broadcast_arrays(first, second, counts)
    size = first.shape[-1]
    pairs = np.zeros((first.size // max(size, 1), 3), np.int64)
    for at, (a, b, known) in enumerate(
        zip(*(array.reshape(-1, size) for array in (first, second, counts)), strict=True)
    ):
        _count_pairs(a[known].astype(float), b[known].astype(float), pairs[at])
    agree, *untied = pairs.T
    with np.errstate(invalid="ignore"):
        tau: np.ndarray = np.clip(agree / np.sqrt(untied[0]) / np.sqrt(untied[1]), -1, 1)
    return tau.reshape(first.shape[:-1])


@compiled()
def _count_pairs(a: np.ndarray, b: np.ndarray, found: np.ndarray) -> None:
    """Fills `found` with counts of pairs of entries: those in the same order on both sides minus those that are not,
    then those that are not tied on the first side, and on the second.
    """
    agree, untied_a, untied_b = 0, 0, 0
    for at in range(len(a)):
        for other in range(at):
            up_a = (a[at] > a[other]) - (a[at] < a[other])
            up_b = (b[at] > b[other]) - (b[at] < b[other])
            agree += up_a * up_b
            untied_a += up_a * up_a
            untied_b += up_b * up_b
    found[0], found[1], found[2] = agree, untied_a, untied_b
