"""Study "matching": whether heads match identical words across segments (Kovaleva et al. 2019, section 5).

A type is a vocabulary id; it is shared when it stands in both segments. Special tokens and pieces without a letter or
digit are left out. M(s, t) is the mean weight from the occurrences of type s in one segment to those of type t in the
other, and the mean of both directions. Every shared type counts once, however often it occurs:

    same            mean of M(t, t) over shared types
    other           mean over shared types of the weight to the other segment's tokens of any other type
    gain            same - other, paired by document
    matched         mean of M(s, t) over ordered pairs of different shared types
    matched.gain    same - matched

A head that prefers frequent words, or words that stand in both segments, has a gain without matching anything. In
`matched` every shared type is query and key as often as in `same`, so that a weight which depends on the query's type
or on the key's type alone has a matched gain of exactly 0: only heads that compare the two have one.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from generator.attention.stream import Observed
from generator.corpora.classes import TokenClass
from generator.corpora.kinds import CorpusKind
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
"""What the best head is chosen by."""


class MatchingScores:
    """Gathers the inputs of one corpus; each is added once, in any order."""

    def __init__(self, pieces: Callable[[list[int]], list[str]]) -> None:
        """`pieces` gives the text of vocabulary ids."""
        self._pieces = pieces
        self._words: dict[int, bool] = {}
        self._rows = DocumentRows()

    def add(self, seen: Observed) -> None:
        """Measure one input, whose weights must have been kept."""
        assert seen.weights is not None, "matching is measured on weights"
        self._rows.add(seen.input, matching(seen.weights, seen.input, self._text(seen.input)))

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "matching"; both are empty where no document has a shared type.

        `n` counts the documents that define a number. The best head is chosen on one half of the documents and reported
        on the other; it is left out where either half defines none.
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


def matching(weights: np.ndarray, item: Input, text: np.ndarray) -> np.ndarray:
    """`[layer, head, 5]` in the order of NAMES; `weights` is `[layer, head, query, key]`, `text` a flag per token.

    NaN where no type is shared, for `other` where the other segment holds nothing else, and for `matched` where only
    one type is shared.
    """
    ids, segment = np.asarray(item.input_ids), np.asarray(item.segment_ids)
    first, second = (np.flatnonzero(text & (segment == number)) for number in (0, 1))
    shared = np.intersect1d(ids[first], ids[second])
    found = np.full((*weights.shape[:2], 3), np.nan)
    if len(shared):
        sides = [_kernels(ids[a], ids[b], shared) for a, b in ((first, second), (second, first))]
        pairs = [weights[:, :, a[:, None], b].astype(float) for a, b in ((first, second), (second, first))]
        found = np.mean([np.tensordot(w, k, axes=((2, 3), (1, 2))) for w, k in zip(pairs, sides, strict=True)], axis=0)
    same, other, matched = np.moveaxis(found, -1, 0)
    return np.stack([same, other, same - other, matched, same - matched], axis=-1)


def _kernels(queries: np.ndarray, keys: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """`[3, query, key]`: what `same`, `other` and `matched` multiply the weights of one direction with."""
    from_type, to_type = (ids == shared[:, None] for ids in (queries, keys))
    rows, columns = (part / part.sum(1, keepdims=True) for part in (from_type, to_type))
    types, rest = len(shared), (~to_type).sum(1, keepdims=True)
    same = rows.T @ columns / types
    other = rows.T @ (~to_type / rest) / types if rest.all() else np.full(same.shape, np.nan)
    apart = np.outer(rows.sum(0), columns.sum(0)) / types - same
    matched = apart / (types - 1) if types > 1 else np.full(same.shape, np.nan)
    return np.stack([same, other, matched])


def _best(rows: np.ndarray, shown: np.ndarray, seed: int) -> Grid | None:
    """The best head of `rows [document, layer, head]`, chosen on the documents that are not shown."""
    defined = ~np.isnan(rows[:, 0, 0])
    choosing, reporting = rows[defined & ~shown], rows[defined & shown]
    if not len(choosing) or not len(reporting):
        return None
    layer, head = np.unravel_index(choosing.mean(0).argmax(), rows.shape[1:])
    return bootstrap(reporting[:, layer, head], seed)


def _watch(of: Subject) -> Watcher:
    scores = MatchingScores(of.pieces)
    return watched_by(scores, scores.add, of)


PROCEDURE = Procedure("matching", CorpusKind.TEXT, _watch)
