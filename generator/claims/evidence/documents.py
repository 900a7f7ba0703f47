"""Statistics of means over documents, with intervals that resample documents and, where asked, heads."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from generator.claims.missing import NotTestable
from generator.numbers.number import Number
from generator.numbers.resampling import estimated, proportion, sample_counts

Statistic = Callable[..., np.ndarray]
"""A function that takes one array `[draw, layer, head]` per column and returns `[draw]`."""


@dataclass
class Documents:
    """Measured columns, each `[document, layer, head]`, documents in the same order. Means and draws are made once."""

    rows: dict[str, np.ndarray]
    _kept: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)
    _means: dict[str, np.ndarray] = field(default_factory=dict)

    def mean(self, column: str) -> np.ndarray:
        """`[layer, head]`, mean over the documents that define it; NaN where none does."""
        if column not in self._means:
            rows = self.rows[column]
            self._means[column] = _weighted_mean(np.ones((1, len(rows))), rows)[0]
        return self._means[column]

    def estimate(self, columns: Sequence[str], statistic: Statistic, seed: int, *, heads: bool = False) -> Number:
        """A statistic and its percentile interval. Draws in which it is undefined are left out.

        Raises NotTestable where a mean that it needs, or the statistic itself, is undefined. With fewer than two
        documents the interval is NaN.
        """
        value = _defined(statistic, [self.mean(column)[None] for column in columns])[0]
        if np.isnan(value):
            raise NotTestable(f"no document that was read defines {', '.join(columns)} for every head")
        n = self._documents(columns)
        draws = [self._draws(column, seed) for column in columns]
        found = _defined(statistic, _with_heads_drawn(draws, seed) if heads else draws)
        return estimated(value, found, n)

    def share_of_heads(self, columns: Sequence[str], chosen: Statistic, seed: int) -> Number:
        """The share of heads for which `chosen` is true; `n` counts heads.

        `chosen` takes means `[draw, layer, head]` and returns booleans of the same shape.
        """
        at_all = chosen(*(self.mean(column)[None] for column in columns))[0]
        heads = at_all.size

        def share(*means: np.ndarray) -> np.ndarray:
            found: np.ndarray = chosen(*means).mean((1, 2))
            return found

        return among_heads(self.estimate(columns, share, seed), heads)

    def _documents(self, columns: Sequence[str]) -> int:
        """The least number of documents that define a column for a head, over these columns and all heads."""
        return min(int((~np.isnan(self.rows[column])).sum(0).min()) for column in columns)

    def _draws(self, column: str, seed: int) -> np.ndarray:
        """Means of resampled documents, `[draw, layer, head]`; the same draws for every column."""
        if (column, seed) not in self._kept:
            rows = self.rows[column]
            self._kept[column, seed] = _weighted_mean(sample_counts(len(rows), seed), rows)
        return self._kept[column, seed]


def among_heads(share: Number, heads: int) -> Number:
    """A share of so many heads whose interval is over documents, with one that allows for their small number, too: that
    of `proportion` around both ends. `n` counts heads.
    """
    if math.isnan(share.low):
        return share._replace(n=heads)
    low, high = (proportion(round(end * heads), heads) for end in share[1:3])
    return Number(share.value, low.low, high.high, heads)


def _with_heads_drawn(draws: Sequence[np.ndarray], seed: int) -> list[np.ndarray]:
    """The draws with heads resampled: in every layer heads are drawn with replacement, the same in all columns."""
    shape = max((draw.shape for draw in draws), key=math.prod)
    # What uniform attention scores has one head for all and stays as it is.
    return [draw.take(_heads_drawn(shape, seed)) if draw.shape == shape else draw for draw in draws]


@lru_cache(maxsize=2)
def _heads_drawn(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Indices of the drawn heads in flattened draws of this shape, `[draw, layer, head]`."""
    # A stream of its own: with the seed alone the drawn heads would go with the drawn documents.
    which = np.random.default_rng([seed, 1]).integers(0, shape[2], shape)
    places: np.ndarray = which + shape[2] * np.arange(shape[0] * shape[1]).reshape(*shape[:2], 1)
    return places


def _defined(statistic: Statistic, means: Sequence[np.ndarray]) -> np.ndarray:
    """The statistic of each draw, `[draw]`; NaN if one of its means is undefined or it is not finite itself."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = statistic(*means)
    undefined = np.any([np.isnan(mean).any((1, 2)) for mean in means], axis=0)
    return np.where(undefined | ~np.isfinite(found), np.nan, found)


def _weighted_mean(counts: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Weighted means over documents, `[draw, layer, head]`; NaN where no document defines the number.

    The weights are `counts [draw, document]`: how often a draw has each document.
    """
    flat = rows.reshape(len(rows), math.prod(rows.shape[1:]))
    defined = ~np.isnan(flat)
    # Where nothing is missing all columns have the same weight, and no second product is needed.
    total = counts.sum(1, keepdims=True) if defined.all() else counts @ defined.astype(float)
    with np.errstate(invalid="ignore"):
        # A NaN would also reach the draws that do not have its document, as 0 times NaN is NaN.
        mean = (counts @ np.where(defined, flat, 0.0)) / total
    return mean.reshape(len(counts), *rows.shape[1:])
