"""Means over defined values: a document or a head for which a number is undefined is left out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from generator.numbers.on_disk import OnDisk

NOWHERE = -1
"""The place of what is not there yet."""


def defined_mean(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """Mean over an axis of all values that are not NaN; NaN where all are.

    >>> defined_mean(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([ 2., nan])
    """
    defined = ~np.isnan(values)
    count = defined.sum(axis)
    total = np.where(defined, values, 0).sum(axis)
    mean: np.ndarray = np.divide(
        # At least float32, because whole numbers have no NaN.
        total,
        count,
        out=np.full(total.shape, np.nan, np.result_type(total, np.float32)),
        where=count > 0,
    )
    return mean


class DocumentMeans:
    """Gathers arrays of one shape for the parts of documents: a document counts once, as the mean of its parts.

    Parts are numbered from 1 and added up in their order, so that the order in which they come changes no bit. A text
    is read with its longest inputs first, in which the parts of a document follow each other but for the last, so few
    have to wait for one that comes before them. Sums lie in a file: those of a long text may be more than memory holds.
    """

    def __init__(self) -> None:
        self._documents: dict[str, _Document] = {}
        self._totals, self._counts = OnDisk(float), OnDisk(np.uint32)
        self._shape: tuple[int, ...] = ()

    def add(self, document: str, part: int, values: np.ndarray) -> None:
        """Add the numbers of one part; NaN where undefined."""
        values = np.asarray(values, dtype=float)
        self._shape = values.shape
        sums = self._documents.setdefault(document, _Document())
        sums.waiting[part] = values
        while sums.next in sums.waiting:
            self._follow(sums, sums.waiting.pop(sums.next))
            sums.next += 1

    @property
    def names(self) -> list[str]:
        """The documents, sorted."""
        return sorted(self._documents)

    def rows(self) -> np.ndarray:
        """`[document, ...]` in the order of names: means over the parts that define a number, NaN where none does.

        They lie in a file. They are asked for once, as what was gathered is given away.
        """
        documents = [self._documents[name] for name in self.names]
        self._documents = {}
        for sums in documents:
            for part in sorted(sums.waiting):
                self._follow(sums, sums.waiting.pop(part))
            if sums.count != NOWHERE:
                total, count = self._totals.read(sums.total, self._shape), self._counts.read(sums.count, self._shape)
                mean = np.divide(total, count, out=np.full(self._shape, np.nan), where=count > 0)
                self._totals.replace(sums.total, mean)
        found = self._totals.whole().reshape(len(documents), *self._shape)
        _arrange(found, [sums.total // math.prod(self._shape) for sums in documents])
        return found

    def _follow(self, one: "_Document", values: np.ndarray) -> None:
        """Add what comes next to the sum of a document."""
        if one.total == NOWHERE:
            one.total = self._totals.add(values)
            return
        total, defined = self._totals.read(one.total, self._shape), ~np.isnan(values)
        if one.count == NOWHERE:
            count = (~np.isnan(total)).astype(np.uint32)
            total = np.where(count > 0, total, 0)
            one.count = self._counts.add(count)
        else:
            count = self._counts.read(one.count, self._shape)
        self._totals.replace(one.total, total + np.where(defined, values, 0))
        self._counts.replace(one.count, count + defined)


@dataclass(slots=True)
class _Document:
    """What is known so far of one document."""

    total: int = NOWHERE
    """The place of its sum: as it came while it is that of one part; then without what is undefined."""
    count: int = NOWHERE
    """The place of how many parts define each number, once there are several."""
    next: int = 1
    """The part that is added next."""
    waiting: dict[int, np.ndarray] = field(default_factory=dict)


def _arrange(rows: np.ndarray, order: Sequence[int]) -> None:
    """Put rows into another order without a copy of all: in place `at` comes row `order[at]`."""
    # Along each cycle of the order, so that a single row has to be put aside.
    left = set(range(len(order)))
    while left:
        start = at = left.pop()
        first = rows[start].copy()
        while order[at] != start:
            rows[at] = rows[order[at]]
            at = order[at]
            left.remove(at)
        rows[at] = first
