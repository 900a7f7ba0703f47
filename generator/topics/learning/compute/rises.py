"""When the mean curve of a corpus has made half of its change over checkpoints, and which of two curves was first.

Documents (or sentences) are resampled, so that a step has an interval. Only documents that define a number at every
checkpoint count, so that a curve is always about the same documents. There is a change only if the 95 % interval of the
last value minus the first, paired by document, does not contain 0; otherwise there is no step.

A step is the first checkpoint at which enough of the change is made. It cannot be more exact than the checkpoints: what
happened between two of them is dated to the later one.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from generator.numbers.number import Grid, Number
from generator.numbers.resampling import DRAWS, TAILS, outwards, sample_counts
from generator.topics.learning.compute.curve import HALF, TIE

CELLS = 8_000_000
"""The most numbers of drawn curves that are held in memory at once: 64 MB."""


class Rise(NamedTuple):
    """The change of mean curves, and when half of it was made; arrays of one shape."""

    start: np.ndarray
    """Mean at the first checkpoint."""
    end: np.ndarray
    """Mean at the last checkpoint."""
    step: np.ndarray
    """The step at which half of the change was made; NaN if there is no change."""
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    """Documents that define the number at every checkpoint."""


class _Births(NamedTuple):
    """When curves made their change; arrays are `[column, curve]`. Places are indices of `steps`; they mean nothing if
    there was no change.
    """

    start: np.ndarray
    end: np.ndarray
    place: np.ndarray
    changed: np.ndarray
    n: np.ndarray
    """Number of documents, the same for all curves of a column."""
    drawn: np.ndarray
    """Places in resampled documents, `[draw, column, curve]`."""


def rise(steps: Sequence[float], values: np.ndarray, seed: int) -> Rise:
    """The first step at which the mean curve has made half of its change from first to last, with its interval.

    `values` is `[document, step, ...]`, NaN where a document does not define a number; `steps` ascend. The ends of the
    95 % interval are whole checkpoints, rounded outwards. A draw of documents whose change has the other direction, at
    most one in forty, counts as the last step. With fewer than two documents there is nothing to resample, and the step
    is NaN. Neither the order of documents nor other columns change a number.

    >>> rise([0, 10, 20], np.array([[5.0, 5.0, 1.0], [6.0, 5.5, 1.0]]), seed=0).step.item()
    20.0
    """
    born = _births(steps, values[..., None], seed)
    step, low, high = np.full((3, len(born.n)), np.nan)
    changed = born.changed[:, 0]
    at = np.asarray(steps, dtype=float)
    step[changed] = at[born.place[changed, 0]]
    low[changed], high[changed] = outwards(at[born.drawn[:, changed, 0]])
    shape = values.shape[2:]
    found = born.start[:, 0], born.end[:, 0], step, low, high, born.n[:, 0]
    return Rise(*(part.reshape(shape) for part in found))


def order(steps: Sequence[float], first: np.ndarray, second: np.ndarray, seed: int) -> Grid:
    """How much later the second mean curve makes half of its change than the first: log2 of the ratio of steps.

    1 means twice as late, below 0 earlier. Both are `[document, step, ...]` of the same documents in the same order,
    which are drawn together; only documents that define both at every step count. A step is never the first
    checkpoint, where no change is made yet, so a first checkpoint at step 0 does no harm. NaN if one of the two curves
    has no change.
    """
    born = _births(steps, np.stack([first, second], axis=-1), seed)
    value, low, high = np.full((3, len(born.n)), np.nan)
    changed = born.changed.all(-1)
    at = np.asarray(steps, dtype=float)
    value[changed] = _doublings(at[born.place[changed]])
    low[changed], high[changed] = outwards(_doublings(at[born.drawn[:, changed]]))
    return Number(*(part.reshape(first.shape[2:]) for part in (value, low, high, born.n[:, 0])))


def _births(steps: Sequence[float], values: np.ndarray, seed: int) -> _Births:
    """When curves `[document, step, ..., curve]` made their change; the axes in between are flattened to columns."""
    documents, points, *between, curves = values.shape
    assert len(steps) == points
    assert (np.diff(steps) > 0).all(), "steps ascend"
    columns = math.prod(between)
    flat = values.reshape(documents, points, columns, curves)
    width = max(CELLS // (DRAWS * points * curves), 1)
    parts = [_block(flat[:, :, at : at + width], seed) for at in range(0, max(columns, 1), width)]
    return _Births(*(np.concatenate(part, axis=-2) for part in zip(*parts, strict=True)))


def _block(rows: np.ndarray, seed: int) -> _Births:
    """When curves `[document, step, column, curve]` made their change, all computed at once."""
    _, points, columns, curves = rows.shape
    whole = ~np.isnan(rows).any((1, 3))
    n = whole.sum(0)
    rows = _sorted(np.where(whole[:, None, :, None], rows.astype(float), np.nan))
    start, end = np.full((2, columns, curves), np.nan)
    place = np.full((columns, curves), points - 1)
    changed = np.zeros((columns, curves), dtype=bool)
    drawn = np.full((DRAWS, columns, curves), points - 1, dtype=np.int16)
    # Columns with as many documents share their draws.
    for size in np.unique(n[n > 0]):
        here = n == size
        own = rows[:size, :, here]
        start[here], end[here] = own[:, 0].mean(0), own[:, -1].mean(0)
        since = np.moveaxis(own - own[:, :1], 1, -1)  # each document's own change: exactly 0 if nothing changes
        total = since.sum(0)
        # Falling curves are turned round, so that half of a change is always reached from below.
        rising = since * np.sign(total[..., -1:])
        place[here] = _places(np.abs(total[..., -1]), rising.sum(0))
        if size > 1:
            draws = (sample_counts(int(size), seed) @ rising.reshape(size, -1)).reshape(DRAWS, *rising.shape[1:])
            changed[here] = np.quantile(draws[..., -1], TAILS[0], axis=0) > 0
            drawn[:, here] = _places(draws[..., -1], draws)
    return _Births(start, end=end, place=place, changed=changed, n=np.stack([n] * curves, axis=-1), drawn=drawn)


def _places(change: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """`[...]`: the first place of `curves [..., step]` with half of `change [...]`; the last if that is not above 0."""
    places = (curves >= ((HALF - TIE) * change)[..., None]).argmax(-1)
    return np.where(change > 0, places, curves.shape[-1] - 1)


def _sorted(rows: np.ndarray) -> np.ndarray:
    """The documents of every column sorted by their curves, with NaN last.

    Documents are drawn by place, so this makes the draws depend on the documents' contents and not on their order.
    """
    documents, points, columns, curves = rows.shape
    keys = rows.transpose(3, 1, 2, 0).reshape(curves * points, columns, documents)[
        ::-1
    ]  # lexsort goes by the last key first
    return np.take_along_axis(rows, np.lexsort(keys).T[:, None, :, None], axis=0)


def _doublings(pairs: np.ndarray) -> np.ndarray:
    """`[...]`: log2 of the second step divided by the first, from `[..., 2]`."""
    return np.log2(pairs[..., 1] / pairs[..., 0])
