"""Means over defined values: a document or a head for which a number is undefined is left out."""

from collections import defaultdict

import numpy as np


def defined_mean(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """Mean over an axis of all values that are not NaN; NaN where all are.

    >>> defined_mean(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([ 2., nan])
    """
    defined = ~np.isnan(values)
    count = defined.sum(axis)
    total = np.where(defined, values, 0).sum(axis)
    mean: np.ndarray = np.divide(
        total, count, out=np.full(total.shape, np.nan, np.result_type(total, np.float32)), where=count > 0
    )
    return mean


class DocumentMeans:
    """Gathers arrays of one shape for the parts of documents: a document counts once, as the mean of its parts.

    Parts are numbered from 1 and added up in their order, so that the order in which they come changes no bit. A text
    is read with its longest inputs first, in which the parts of a document follow each other but for the last, so few
    have to wait for one that comes before them.
    """

    def __init__(self) -> None:
        self._documents: dict[str, _Running] = defaultdict(_Running)

    def add(self, document: str, part: int, values: np.ndarray) -> None:
        """Add the numbers of one part; NaN where undefined."""
        self._documents[document].add(part, np.asarray(values, dtype=float))

    @property
    def names(self) -> list[str]:
        """The documents, sorted."""
        return sorted(self._documents)

    def rows(self) -> np.ndarray:
        """`[document, ...]` in the order of names: means over the parts that define a number, NaN where none does.

        It is asked for once, as what was gathered is given away.
        """
        found = np.empty(0)
        for at, name in enumerate(names := self.names):
            mean = self._documents.pop(name).mean()
            if not at:
                found = np.empty((len(names), *mean.shape))
            found[at] = mean
        return found


class _Running:
    """What is known so far of one document."""

    def __init__(self) -> None:
        self._total: np.ndarray | None = None
        """As it came while it is that of one part; then without what is undefined."""
        self._count: np.ndarray | None = None
        """How many parts define each number, once there are several."""
        self._next = 1
        self._waiting: dict[int, np.ndarray] = {}

    def add(self, part: int, values: np.ndarray) -> None:
        self._waiting[part] = values
        while self._next in self._waiting:
            self._follow(self._waiting.pop(self._next))
            self._next += 1

    def mean(self) -> np.ndarray:
        for part in sorted(self._waiting):
            self._follow(self._waiting.pop(part))
        assert self._total is not None, "a document has a part"
        if self._count is None:
            return self._total
        return np.divide(self._total, self._count, out=np.full(self._total.shape, np.nan), where=self._count > 0)

    def _follow(self, values: np.ndarray) -> None:
        if self._total is None:
            self._total = values
            return
        if self._count is None:
            self._count = (~np.isnan(self._total)).astype(np.uint32)
            self._total = np.where(self._count > 0, self._total, 0)
        defined = ~np.isnan(values)
        self._count += defined
        self._total += np.where(defined, values, 0)
