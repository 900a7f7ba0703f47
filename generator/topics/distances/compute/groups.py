"""Distances of all heads, added up by groups of documents, so that what is held does not grow with their number.

The distances of a document are as many as there are pairs of heads: 82 KB for 144 heads, 588 KB for 384. What is made
of them needs the mean over all documents and, for intervals, means over documents that are resampled. Up to GROUPS
documents are each a group of their own; of more, groups are resampled.
"""

from threading import Lock
from typing import NamedTuple

import numpy as np

STEP = 2.0**-40
"""Sums are kept in whole steps of this size, in nats, so that they are the same in whatever order inputs come; none of
fewer than ten million distances is too large for an integer.
"""


class Groups(NamedTuple):
    """Distances of all heads by groups of documents."""

    sums: np.ndarray
    """`[group, pair]`: sums over the documents of a group, in nats."""
    documents: np.ndarray
    """`[group]`: how many these are."""

    @property
    def mean(self) -> np.ndarray:
        """`[pair]`: the mean over all documents."""
        found: np.ndarray = self.sums.sum(0) / self.documents.sum()
        return found


class ExactSums:
    """Adds up arrays of one shape in several rows, in any order, by any thread."""

    def __init__(self, rows: int) -> None:
        self._rows, self._alone = rows, Lock()
        self._steps = np.zeros((rows, 0), np.int64)

    def add(self, row: int, values: np.ndarray) -> None:
        """Add values `[pair]` to a row."""
        steps = np.rint(values / STEP).astype(np.int64)
        with self._alone:
            if not self._steps.size:
                self._steps = np.zeros((self._rows, len(steps)), np.int64)
            self._steps[row] += steps

    @property
    def sums(self) -> np.ndarray:
        """`[row, pair]`; `[row, 0]` if nothing was added."""
        found: np.ndarray = self._steps * STEP
        return found
