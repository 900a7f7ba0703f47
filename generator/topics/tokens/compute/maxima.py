"""Where the largest weight of every row lies: study "maxima", for the positional heads of Voita et al. 2019.

The paper leaves out the symbol that ends its sentences, but does not say whether as a query or as a key; its released
code has no such statistic. Here the row of the last token is left out; all other rows count, even the first, which has
no previous token. A second count uses the other reading: only tokens of the text, as queries and as keys, so that a
head that mostly attends to a separator is judged by the rest of its attention.

Offsets, key minus query, are counted up to REACH on either side. Of equal weights the first counts as the maximum, of
equally common offsets the first as the commonest. `offset.share` is a largest share, chosen and reported on the same
text. The paper calls a head positional if at least 90 % of its maxima are at one relative position, in practice -1 or
1; the mean of the largest weights of such heads was above 0.8.
"""

from typing import Any

import numpy as np
import pandas as pd

from generator.attention.observed import Observed, Observer
from generator.attention.sums.primitives import REACH
from generator.corpora.classes import ADDED
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.numbers.compiled import compiled, compiled_sums, one_type
from generator.numbers.number import UNDEFINED, Number, all_alone
from generator.numbers.resampling import bootstrap, estimated, sample_counts
from generator.studies.fact_rows import DocumentRows, facts, head_facts
from generator.studies.procedure import Held, Procedure, Subject, Watcher, watched_by
from generator.topics.tokens.records.tokens import CONFIDENT, MAXIMA, MOST_ROWS

OFFSETS = np.arange(-REACH, REACH + 1)
BINS = len(OFFSETS) + 2
"""Number of bins: one for each offset, and one each for all that lies before and after."""


def _column(offset: int) -> int:
    return int(offset - OFFSETS[0])


TELLING = [_column(-1), _column(1), -1]
"""The columns that tell whether a head is positional: shares of maxima at -1 and at 1, and the mean maximum."""


class MaximaScores:
    """Gathers the inputs of one corpus; each is added once, in any order."""

    def __init__(self) -> None:
        self._rows = DocumentRows()
        self._text = DocumentRows()
        """Of the reading of the text alone, only what tells positional heads."""

    def add(self, seen: Observed) -> None:
        """Measure one input that was observed by `maxima`."""
        found = seen.of(maxima)
        for at, (rows, (queries, _)) in enumerate(zip((self._rows, self._text), _readings(seen.input), strict=True)):
            count, counted = queries.sum(), found[:, :, at] if rows is self._rows else found[:, :, at, TELLING]
            rows.add(seen.input, counted / count if count else np.full_like(counted, np.nan))

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "maxima".

        The intervals of `positional` and `positional.text` count heads again in resampled documents. `offset` has no
        interval.
        """
        rows = self._rows.rows()
        estimate = bootstrap(rows, seed)
        by_column = [estimate.part(..., at) for at in range(rows.shape[-1])]
        # The last column is the mean maximum, no offset.
        commonest = estimate.value[..., :-1].argmax(-1)[..., None]
        share = Number(*(np.take_along_axis(part[..., :-1], commonest, -1)[..., 0] for part in estimate))
        found = {
            "previous": by_column[_column(-1)],
            "next": by_column[_column(1)],
            "offset.share": share,
            "offset": all_alone(OFFSETS[commonest[..., 0]].astype(float), share.n),
            "confidence": by_column[-1],
        }
        counted = {
            "positional": _positional(rows[..., TELLING], seed),
            "positional.text": _positional(self._text.rows(), seed),
        }
        return facts(counted, MAXIMA, model, corpus), head_facts(found, MAXIMA, model, corpus)


def maxima(item: Input) -> Observer:
    """An observer that returns `[head, reading, 2 REACH + 2]`: the number of rows with their maximum at each offset,
    and last the sum of the maxima.

    The readings are: all rows except the last; and only tokens of the text, as queries and as keys.
    """
    queries, keys = (np.stack(which) for which in zip(*_readings(item), strict=True))

    def observe(weights: np.ndarray, first: int) -> np.ndarray:
        counts, largest = _maxima(one_type(weights), first, queries, keys)
        return np.concatenate([counts[:, :, 1:-1], largest[:, :, None]], axis=-1)

    return observe


@compiled()
def _maxima(weights: np.ndarray, first: int, queries: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each head and reading, how many rows have their maximum in each bin, and the sum of these maxima.

    Of `queries` and `keys [reading, token]` those count that are true.
    """
    readings, tokens = queries.shape
    counts, largest = np.zeros((len(weights), readings, BINS)), np.zeros((len(weights), readings))
    bits, among = weights.view(np.int32), np.empty(tokens, np.int32)
    for head in range(len(weights)):
        for row in range(weights.shape[1]):
            # Mostly a key that counts in both readings, so that one search serves both.
            anywhere = first_largest(bits[head, row])
            for reading in range(readings):
                if not queries[reading, first + row]:
                    continue
                place = anywhere
                if not keys[reading, place]:
                    for at in range(tokens):
                        # No weight has a sign, so that -1 lies below the bits of each.
                        among[at] = bits[head, row, at] if keys[reading, at] else -1
                    place = first_largest(among)
                offset = min(max(place - first - row, -REACH - 1), REACH + 1)
                counts[head, reading, offset + REACH + 1] += 1
                largest[head, reading] += weights[head, row, place]
    return counts, largest


@compiled_sums
def first_largest(bits: np.ndarray) -> Any:
    """The place of the first largest of some weights, which have the order of their bits as integers, because none is
    negative; it is found twice as fast by these.
    """
    largest = bits[0]
    for at in range(len(bits)):
        largest = max(largest, bits[at])
    none = np.int32(len(bits))
    found = none
    for at in range(len(bits)):
        place = np.int32(at) if bits[at] == largest else none
        found = min(found, place)
    return found


def _readings(item: Input) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each reading two arrays `[token]`: which queries count, and among which keys their maximum is sought."""
    text = ~np.isin(item.classes, ADDED)
    return [(np.arange(len(item)) < len(item) - 1, np.ones(len(item), bool)), (text, text)]


def _positional(rows: np.ndarray, seed: int) -> Number:
    """The number of positional heads, from the columns TELLING, `[document, layer, head, 3]`."""
    rows = rows[~np.isnan(rows[:, 0, 0, 0])]
    documents = len(rows)
    if not documents:
        return UNDEFINED
    drawn = sample_counts(documents, seed) if documents > 1 else ()
    counts = [_count(np.tensordot(times, rows, axes=1) / documents) for times in drawn]
    return estimated(_count(rows.mean(0)), np.array(counts, float), documents)


def _count(means: np.ndarray) -> np.ndarray:
    """The number of positional heads, from `means [layer, head, 3]`: shares of maxima at -1 and at 1, mean maximum."""
    beside = means[..., :2].max(-1) >= MOST_ROWS
    return (beside & (means[..., 2] > CONFIDENT)).sum()


def _watch(of: Subject) -> Watcher:
    scores = MaximaScores()
    return watched_by(scores, scores.add, of, maxima)


PROCEDURE = Procedure("maxima", TEXT, _watch, held=Held(kept=BINS - 1 + len(TELLING)))
