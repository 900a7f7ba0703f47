"""Study "matching": whether heads match identical words across segments (Kovaleva et al. 2019, section 5).

A type is a vocabulary id; it is shared if it occurs in both segments. Special tokens and pieces without a letter or
digit are left out. M(s, t) is the mean weight from the occurrences of type s in one segment to those of type t in the
other, averaged over both directions. Every shared type counts once, however often it occurs:

    same            mean of M(t, t) over shared types
    other           mean over shared types of the weight to the other segment's tokens of any other type
    gain            same - other, paired by document
    matched         mean of M(s, t) over ordered pairs of different shared types
    matched.gain    same - matched

A head that prefers frequent words, or words that occur in both segments, has a gain without matching anything. In
`matched` every shared type is query and key as often as in `same`, so a weight that depends only on the query's type or
only on the key's type has a matched gain of exactly 0: only heads that compare the two have one.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from generator.attention.observed import Look, Observed
from generator.corpora.classes import TokenClass
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.numbers.number import Grid, Number
from generator.numbers.pieces import SPACE
from generator.numbers.resampling import bootstrap
from generator.studies.fact_rows import DocumentRows, facts, head_facts
from generator.studies.halves import reported
from generator.studies.procedure import Procedure, Subject, Watcher, watched_by
from generator.studies.tokens.matching_quantities import MATCHING

NAMES = ("same", "other", "gain", "matched", "matched.gain")
CHOSEN = ("gain", "matched.gain")
"""The numbers by which a best head is chosen."""


class MatchingScores:
    """Gathers the inputs of one corpus; each is added once, in any order."""

    def __init__(self, pieces: Callable[[list[int]], list[str]]) -> None:
        """`pieces` gives the text of vocabulary ids."""
        self._pieces = pieces
        self._words: dict[int, bool] = {}
        self._rows = DocumentRows()

    def add(self, seen: Observed) -> None:
        """Measure one input that was observed with the look `look`."""
        same, other, matched = np.moveaxis(seen.of(self.look), -1, 0)
        numbers = [same, other, same - other, matched, same - matched]
        self._rows.add(seen.input, np.stack(numbers, axis=-1))

    def look(self, item: Input) -> Look:
        """A look that returns `[head, 3]`: `same`, `other` and `matched`.

        NaN if no type is shared; `other` also if the other segment has nothing else, and `matched` if only one type is
        shared.
        """
        ids, segment, text = np.asarray(item.input_ids), np.asarray(item.segment_ids), self._text(item)
        first, second = (text & (segment == number) for number in (0, 1))
        shared = np.intersect1d(ids[first], ids[second])
        sides = [(ids == shared[:, None]) & side for side in (first, second)]
        rest = [~own & side for own, side in zip(sides, (first, second), strict=True)]
        kernels = lru_cache(1)(partial(_kernels, sides, rest))

        def look(weights: np.ndarray, start: int) -> np.ndarray:
            if not len(shared):
                return np.full((len(weights), 3), np.nan)
            rows, kernel = kernels(start, start + weights.shape[1])
            return weights[:, rows].reshape(len(weights), -1).astype(float) @ kernel

        return look

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "matching"; both are empty if no document has a shared type.

        `n` counts the documents that define a number. The best head is chosen on one half of the documents and reported
        on the other; it is left out if in either half no document defines the number.
        """
        rows = self._rows.rows() if self._rows.names else np.empty((0, 0, 0, len(NAMES)))
        if np.isnan(rows).all():
            return facts({}, MATCHING, model, corpus), head_facts({}, MATCHING, model, corpus)
        estimate = bootstrap(rows, seed)
        by_head = {name: Number(*(part[..., at] for part in estimate)) for at, name in enumerate(NAMES)}
        shown = reported(self._rows.names, seed)
        best = {f"best.{name}": _best(rows[..., NAMES.index(name)], shown, seed) for name in CHOSEN}
        found = {name: one for name, one in best.items() if one is not None}
        return facts(found, MATCHING, model, corpus), head_facts(by_head, MATCHING, model, corpus)

    def _text(self, item: Input) -> np.ndarray:
        """`[token]`: whether it is text with a letter or digit."""
        new = sorted(set(item.input_ids) - self._words.keys())
        texts = [piece.strip(SPACE) for piece in self._pieces(new)]
        self._words |= {token: any(map(str.isalnum, text)) for token, text in zip(new, texts, strict=True)}
        return np.array(
            [
                self._words[token] and kind is TokenClass.OTHER
                for token, kind in zip(item.input_ids, item.classes, strict=True)
            ]
        )


def _kernels(
    sides: Sequence[np.ndarray], rest: Sequence[np.ndarray], start: int, end: int
) -> tuple[np.ndarray, np.ndarray]:
    """For queries `start` to `end`: which of them count, `[query]`, and the factors by which their weights are
    multiplied for `same`, `other` and `matched`, `[counting query x key, 3]`.

    `sides` holds for each segment `[type, token]`: which tokens are of which shared type; `rest` has all other tokens.
    """
    found = []
    for (queries, keys), others in zip((sides, sides[::-1]), rest[::-1], strict=True):
        rows, columns = (part / part.sum(1, keepdims=True) for part in (queries, keys))
        types, beside, rows = len(rows), others.sum(1, keepdims=True), rows[:, start:end]
        same = rows.T @ columns / types
        other = rows.T @ (others / beside) / types if beside.all() else np.full(same.shape, np.nan)
        apart = np.outer(rows.sum(0), columns.sum(0)) / types - same
        matched = apart / (types - 1) if types > 1 else np.full(same.shape, np.nan)
        found.append(np.stack([same, other, matched]))
    mean = (found[0] + found[1]) / 2
    counting = mean.any(axis=(0, 2))
    return counting, mean[:, counting].reshape(3, -1).T


def _best(rows: np.ndarray, shown: np.ndarray, seed: int) -> Grid | None:
    """The number of the best head from `rows [document, layer, head]`, chosen on the documents that are not `shown` and
    reported on the others; None if either part defines none.
    """
    defined = ~np.isnan(rows[:, 0, 0])
    choosing, reporting = rows[defined & ~shown], rows[defined & shown]
    if not len(choosing) or not len(reporting):
        return None
    layer, head = np.unravel_index(choosing.mean(0).argmax(), rows.shape[1:])
    return bootstrap(reporting[:, layer, head], seed)


def _watch(of: Subject) -> Watcher:
    scores = MatchingScores(of.pieces)
    return watched_by(scores, scores.add, of, scores.look)


PROCEDURE = Procedure("matching", TEXT, _watch)
