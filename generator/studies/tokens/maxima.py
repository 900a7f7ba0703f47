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

import numpy as np
import pandas as pd

from generator.attention.observed import Look, Observed
from generator.attention.sums import REACH
from generator.corpora.classes import ADDED
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.numbers.number import UNDEFINED, Number, all_alone
from generator.numbers.resampling import bootstrap, estimated, sample_counts
from generator.studies.fact_rows import DocumentRows, facts, head_facts
from generator.studies.procedure import Procedure, Subject, Watcher, watched_by
from generator.studies.tokens.quantities import MAXIMA

OFFSETS = np.arange(-REACH, REACH + 1)
BINS = len(OFFSETS) + 2
"""Number of bins: one for each offset, and one each for all that lies before and after."""
MOST_ROWS = 0.9
"""Share of maxima on one neighbour that makes a head positional."""
CONFIDENT = 0.8
"""The mean of the largest weights that a positional head must exceed."""


class MaximaScores:
    """Gathers the inputs of one corpus; each is added once, in any order."""

    def __init__(self) -> None:
        self._rows = DocumentRows()
        self._text = DocumentRows()

    def add(self, seen: Observed) -> None:
        """Measure one input that was observed with the look `maxima`."""
        found = seen.of(maxima)
        for at, (rows, (queries, _)) in enumerate(zip((self._rows, self._text), _readings(seen.input), strict=True)):
            count = queries.sum()
            rows.add(seen.input, found[:, :, at] / count if count else np.full_like(found[:, :, at], np.nan))

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "maxima".

        The intervals of `positional` and `positional.text` count heads again in resampled documents. `offset` has no
        interval.
        """
        rows = self._rows.rows()
        estimate = bootstrap(rows, seed)
        by_column = [estimate.part(..., at) for at in range(rows.shape[-1])]
        commonest = estimate.value[..., :-1].argmax(-1)[..., None]
        share = Number(*(np.take_along_axis(part[..., :-1], commonest, -1)[..., 0] for part in estimate))
        found = {
            "previous": by_column[_column(-1)],
            "next": by_column[_column(1)],
            "offset.share": share,
            "offset": all_alone(OFFSETS[commonest[..., 0]].astype(float), share.n),
            "confidence": by_column[-1],
        }
        counted = {"positional": _positional(rows, seed), "positional.text": _positional(self._text.rows(), seed)}
        return facts(counted, MAXIMA, model, corpus), head_facts(found, MAXIMA, model, corpus)


def maxima(item: Input) -> Look:
    """A look that returns `[head, reading, 2 REACH + 2]`: the number of rows with their maximum at each offset, and
    last the sum of the maxima.

    The readings are: all rows except the last; and only tokens of the text, as queries and as keys.
    """
    readings = _readings(item)

    def look(weights: np.ndarray, first: int) -> np.ndarray:
        anywhere, found = weights.argmax(-1), []
        for queries, keys in readings:
            rows = np.flatnonzero(queries[first : first + weights.shape[1]])
            place = anywhere[:, rows]
            head, row = np.nonzero(~keys[place])
            among = weights[head, rows[row]]
            among[:, ~keys] = -1
            place[head, row] = among.argmax(-1)
            offset = (place - (first + rows)).clip(-REACH - 1, REACH + 1) + REACH + 1
            cells = np.arange(len(weights))[:, None] * BINS + offset
            counts = np.bincount(cells.ravel(), minlength=len(weights) * BINS).reshape(-1, BINS)[:, 1:-1]
            largest = weights[np.arange(len(weights))[:, None], rows, place].sum(-1, dtype=float)
            found.append(np.column_stack([counts, largest]))
        return np.stack(found, axis=1)

    return look


def _readings(item: Input) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each reading two arrays `[token]`: which queries count, and among which keys their maximum is sought."""
    text = ~np.isin(item.classes, ADDED)
    return [(np.arange(len(item)) < len(item) - 1, np.ones(len(item), bool)), (text, text)]


def _column(offset: int) -> int:
    return int(offset - OFFSETS[0])


def _positional(rows: np.ndarray, seed: int) -> Number:
    """The number of positional heads, from `[document, layer, head, column]`."""
    rows = rows[~np.isnan(rows[:, 0, 0, 0])][..., [_column(-1), _column(1), -1]]
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


PROCEDURE = Procedure("maxima", TEXT, _watch)
