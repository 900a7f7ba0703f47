"""When the mean curve of a corpus has made half of its change over checkpoints, and which of two curves was first.

Documents (or sentences) are resampled whole, so that a step has an interval. Only documents that define a number at
every checkpoint count, so that a curve is of the same documents throughout. A change counts where the 95 % interval of
last minus first, paired by document, does not contain 0; elsewhere there is no change to date and no step.

A step is one of the checkpoints, the first at which enough of the change is made, and can be no finer than they are:
what happened between two of them is given the later one.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from generator.numbers.number import Grid, Number
from generator.numbers.resampling import DRAWS, TAILS, outwards, sample_counts
from generator.studies.learning.curve import HALF, TIE

CELLS = 8_000_000
"""Numbers of drawn curves that are held at once: 64 MB."""


class Rise(NamedTuple):
    """The change of mean curves, and when half of it was made; arrays of one shape."""

    start: np.ndarray
    """Mean at the first checkpoint."""
    end: np.ndarray
    """Mean at the last one."""
    step: np.ndarray
    """NaN without a change."""
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    """Documents that define the number at every checkpoint."""


class _Births(NamedTuple):
    """Arrays `[column, curve]`; places are those of `steps`, and mean nothing where there is no change."""

    start: np.ndarray
    end: np.ndarray
    place: np.ndarray
    changed: np.ndarray
    n: np.ndarray
    """Documents, the same for all curves of a column."""
    drawn: np.ndarray
    """Places, `[draw, column, curve]`."""


def rise(steps: Sequence[float], values: np.ndarray, seed: int, share: float = HALF) -> Rise:
    """The first step at which the mean curve has made this share of its change from first to last, with its interval.

    `values` is `[document, step, ...]`, NaN where a document does not define a number; `steps` ascend. The interval is
    of 95 %, by whole checkpoints, outwards. A draw of documents whose change goes the other way, one in forty at most,
    counts as the last step. With fewer than two documents there is nothing to resample, and the step is NaN. Neither
    the order of documents nor other columns change a number.

    >>> rise([0, 10, 20], np.array([[5.0, 5.0, 1.0], [6.0, 5.5, 1.0]]), seed=0).step.item()
    20.0
    """
    born = _births(steps, values[..., None], seed, share)
    step, low, high = np.full((3, len(born.n)), np.nan)
    changed = born.changed[:, 0]
    at = np.asarray(steps, dtype=float)
    step[changed] = at[born.place[changed, 0]]
    low[changed], high[changed] = outwards(at[born.drawn[:, changed, 0]])
    shape = values.shape[2:]
    found = born.start[:, 0], born.end[:, 0], step, low, high, born.n[:, 0]
    return Rise(*(part.reshape(shape) for part in found))


def order(steps: Sequence[float], first: np.ndarray, second: np.ndarray, seed: int, share: float = HALF) -> Grid:
    """How much later the second mean curve makes this share of its change than the first: log2 of the ratio of steps.

    1 is twice as late, below 0 is earlier. Both are `[document, step, ...]` of the same documents in the same order,
    which are drawn together; those that define both at every step count. A step is never the first checkpoint, where
    no change is made, so that a first checkpoint of step 0 does no harm. NaN where one of the two has no change.
    """
    born = _births(steps, np.stack([first, second], axis=-1), seed, share)
    value, low, high = np.full((3, len(born.n)), np.nan)
    changed = born.changed.all(-1)
    at = np.asarray(steps, dtype=float)
    value[changed] = _doublings(at[born.place[changed]])
    low[changed], high[changed] = outwards(_doublings(at[born.drawn[:, changed]]))
    return Number(*(part.reshape(first.shape[2:]) for part in (value, low, high, born.n[:, 0])))


def _births(steps: Sequence[float], values: np.ndarray, seed: int, share: float) -> _Births:
    """The births of curves `[document, step, ..., curve]`; the axes between are flattened to columns."""
    documents, points, *between, curves = values.shape
    assert len(steps) == points
    assert (np.diff(steps) > 0).all(), "steps ascend"
    assert 0 < share <= 1
    columns = math.prod(between)
    flat = values.reshape(documents, points, columns, curves)
    width = max(CELLS // (DRAWS * points * curves), 1)
    parts = [_block(flat[:, :, at : at + width], seed, share) for at in range(0, max(columns, 1), width)]
    return _Births(*(np.concatenate(part, axis=-2) for part in zip(*parts, strict=True)))


def _block(rows: np.ndarray, seed: int, share: float) -> _Births:
    """The births of curves `[document, step, column, curve]`, computed at once."""
    _, points, columns, curves = rows.shape
    whole = ~np.isnan(rows).any((1, 3))
    n = whole.sum(0)
    rows = _sorted(np.where(whole[:, None, :, None], rows.astype(float), np.nan))
    start, end = np.full((2, columns, curves), np.nan)
    place = np.full((columns, curves), points - 1)
    changed = np.zeros((columns, curves), dtype=bool)
    drawn = np.full((DRAWS, columns, curves), points - 1, dtype=np.int16)
    for size in np.unique(n[n > 0]):
        here = n == size
        own = rows[:size, :, here]
        start[here], end[here] = own[:, 0].mean(0), own[:, -1].mean(0)
        since = np.moveaxis(own - own[:, :1], 1, -1)  # of each document by itself: no change is then exactly 0
        total = since.sum(0)
        rising = since * np.sign(total[..., -1:])
        place[here] = _places(np.abs(total[..., -1]), rising.sum(0), share)
        if size > 1:
            draws = (sample_counts(int(size), seed) @ rising.reshape(size, -1)).reshape(DRAWS, *rising.shape[1:])
            changed[here] = np.quantile(draws[..., -1], TAILS[0], axis=0) > 0
            drawn[:, here] = _places(draws[..., -1], draws, share)
    return _Births(start, end, place, changed, np.stack([n] * curves, axis=-1), drawn)


def _places(change: np.ndarray, curves: np.ndarray, share: float) -> np.ndarray:
    """The first place of `[..., step]` that made this share of `change [...]`; the last one for one below 0."""
    places = (curves >= ((share - TIE) * change)[..., None]).argmax(-1)
    return np.where(change > 0, places, curves.shape[-1] - 1)


def _sorted(rows: np.ndarray) -> np.ndarray:
    """The documents of every column in the order of their curves, those that are NaN last.

    Draws go by place, so this makes them a matter of what the documents hold and not of the order they came in.
    """
    documents, points, columns, curves = rows.shape
    keys = rows.transpose(3, 1, 2, 0).reshape(curves * points, columns, documents)[
        ::-1
    ]  # lexsort goes by the last key first
    return np.take_along_axis(rows, np.lexsort(keys).T[:, None, :, None], axis=0)


def _doublings(pairs: np.ndarray) -> np.ndarray:
    """Doublings from the first step to the second of `[..., 2]`."""
    return np.log2(pairs[..., 1] / pairs[..., 0])
