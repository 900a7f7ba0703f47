"""Study "matching": whether heads match identical words across segments (Kovaleva et al. 2019, section 5).

A type is a vocabulary id; it is shared if it occurs in both segments. Special tokens and pieces without a letter or
digit are left out. M(s, t) is the mean weight from the occurrences of type s in one segment to those of type t in the
other, averaged over both directions. Every shared type counts once, however often it occurs:

    same            mean of M(t, t) over shared types
    other           mean over shared types of the mean weight to one of the other segment's tokens of any other type
    gain            same - other, paired by document
    matched         mean of M(s, t) over ordered pairs of different shared types
    matched.gain    same - matched

A head that prefers frequent words, or words that occur in both segments, has a gain without matching anything. In
`matched` every shared type is query and key as often as in `same`, so a weight that depends only on the query's type or
only on the key's type has a matched gain of exactly 0: only heads that compare the two have one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from generator.attention.observed import Observed, Observer
from generator.corpora.classes import TokenClass
from generator.corpora.files import TEXT
from generator.corpora.pairs import Input
from generator.numbers.compiled import compiled_sums, one_type
from generator.numbers.number import Number
from generator.numbers.pieces import bare
from generator.numbers.resampling import bootstrap
from generator.studies.fact_rows import DocumentRows, facts, head_facts
from generator.studies.halves import at_place, reported
from generator.studies.procedure import Held, Procedure, Subject, Watcher, watched_by
from generator.topics.tokens.records.matching import MATCHING

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
        """Measure one input that was observed by `observer`."""
        same, other, matched = np.moveaxis(seen.of(self.observer), -1, 0)
        numbers = [same, other, same - other, matched, same - matched]
        self._rows.add(seen.input, np.stack(numbers, axis=-1))

    def observer(self, item: Input) -> Observer:
        """An observer that returns `[head, 3]`: `same`, `other` and `matched`.

        NaN if no type is shared; `other` also if the other segment has nothing else, and `matched` if only one type is
        shared.
        """
        of = _Shared.of(np.asarray(item.input_ids), np.asarray(item.segment_ids), self._text(item))

        def observe(weights: np.ndarray, first: int) -> np.ndarray:
            if of is None:
                return np.full((len(weights), 3), np.nan)
            return of.numbers(weights, first)

        return observe

    def tables(self, model: str, corpus: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        """`facts` and `head_facts` of study "matching"; both are empty if no document has a shared type.

        `n` counts the documents that define a number. The best head is chosen on one half of the documents and reported
        on the other, with its layer and its number; it is left out if in either half no document defines the number.
        """
        names = self._rows.names
        rows = self._rows.rows() if names else np.empty((0, 0, 0, len(NAMES)))
        if np.isnan(rows).all():
            return facts({}, MATCHING, model, corpus), head_facts({}, MATCHING, model, corpus)
        estimate = bootstrap(rows, seed)
        by_head = {name: estimate.part(..., at) for at, name in enumerate(NAMES)}
        shown = reported(names, seed)
        found: dict[str, Number[Any]] = {}
        for name in CHOSEN:
            found |= _best(f"best.{name}", rows[..., NAMES.index(name)], shown, seed)
        return facts(found, MATCHING, model, corpus), head_facts(by_head, MATCHING, model, corpus)

    def _text(self, item: Input) -> np.ndarray:
        """`[token]`: whether it is text with a letter or digit."""
        new = sorted(set(item.input_ids) - self._words.keys())
        texts = [bare(piece) for piece in self._pieces(new)]
        self._words |= {token: any(map(str.isalnum, text)) for token, text in zip(new, texts, strict=True)}
        return np.array(
            [
                self._words[token] and kind is TokenClass.OTHER
                for token, kind in zip(item.input_ids, item.classes, strict=True)
            ]
        )


@dataclass(frozen=True)
class _Shared:
    """The shared types of one input, and the factors by which weights are multiplied."""

    queries: np.ndarray
    """0-based positions of all tokens of shared types, in order."""
    share: np.ndarray
    """`[number, query]`: what the weight of a query to the other side adds to `other`, then to `matched`; the first two
    rows are for queries of the first segment, the others for those of the second.
    """
    keys: np.ndarray
    """`[number, token]`: the keys to which these weights go, and how much each of them counts."""
    pairs: np.ndarray
    """`[2, pair]`: query and key of all pairs of one type on both sides, ordered by query."""
    of_pairs: np.ndarray
    """`[pair, 3]`: what the weight of a pair adds to each number."""

    @classmethod
    def of(cls, ids: np.ndarray, segment: np.ndarray, text: np.ndarray) -> "_Shared | None":
        """From arrays `[token]`; `text` says which tokens are text. None if no type is shared."""
        sides = [text & (segment == number) for number in (0, 1)]
        types = np.intersect1d(*(ids[side] for side in sides))
        if not len(types):
            return None
        tokens = [np.flatnonzero(side & np.isin(ids, types)) for side in sides]
        kinds = [np.searchsorted(types, ids[at]) for at in tokens]
        counts = np.stack([np.bincount(kind, minlength=len(types)) for kind in kinds])
        beside = np.array([[side.sum()] for side in sides]) - counts
        # Where a side has no other word, there is nothing to compare with.
        beside = np.where(beside.all(), beside, np.nan)
        queries = np.sort(np.concatenate(tokens))
        side, kind = segment[queries], np.searchsorted(types, ids[queries])
        part = 0.5 / (counts[side, kind] * len(types))  # the mean of both directions, and over types
        keys = np.zeros((4, len(ids)))
        for number in (0, 1):
            keys[2 * number, sides[1 - number]] = 1
            keys[2 * number + 1, tokens[1 - number]] = 1 / counts[1 - number, kinds[1 - number]]
        others = len(types) - 1 or np.nan
        first, second = np.nonzero(np.equal.outer(*kinds))
        pairs = np.stack([tokens[0][first], tokens[1][second]])
        pairs = np.concatenate([pairs, pairs[::-1]], axis=1)
        # By query, then by key: the last row that lexsort gets decides first.
        pairs = pairs.take(np.lexsort(pairs[::-1]), axis=1)
        at = np.searchsorted(queries, pairs[0])
        same, other = part[at] / counts[1 - side[at], kind[at]], part / beside[1 - side, kind]
        of_pairs = np.stack([same, -other[at], -same / others], axis=1)
        share = np.stack(
            [np.where(side == number, weights, 0) for number in (0, 1) for weights in (other, part / others)]
        )
        return cls(queries, share, keys, pairs, of_pairs)

    def numbers(self, weights: np.ndarray, first: int) -> np.ndarray:
        """`[head, 3]`: what a block of queries from `first` on adds to `same`, `other` and `matched`."""
        found: np.ndarray = _added(
            one_type(weights),
            first=first,
            queries=self.queries,
            share=self.share,
            keys=self.keys,
            pairs=self.pairs,
            of_pairs=self.of_pairs,
        )
        return found


@compiled_sums
def _added(
    weights: np.ndarray,
    first: int,
    queries: np.ndarray,
    share: np.ndarray,
    keys: np.ndarray,
    pairs: np.ndarray,
    of_pairs: np.ndarray,
) -> np.ndarray:
    """What a block of queries from `first` on adds to each number, `[head, 3]`, from the factors of `_Shared`."""
    heads, rows, tokens = weights.shape
    found = np.zeros((heads, 3))
    # Queries and pairs are sorted by place, so those of this block lie together.
    from_query, to_query = np.searchsorted(queries, first), np.searchsorted(queries, first + rows)
    from_pair, to_pair = np.searchsorted(pairs[0], first), np.searchsorted(pairs[0], first + rows)
    for head in range(heads):
        for at in range(from_query, to_query):
            row = weights[head, queries[at] - first]
            for number in range(len(share)):
                if share[number, at] != 0:
                    total = 0.0
                    for to in range(tokens):
                        total += row[to] * keys[number, to]
                    found[head, 1 + number % 2] += share[number, at] * total
        for pair in range(from_pair, to_pair):
            weight = weights[head, pairs[0, pair] - first, pairs[1, pair]]
            for number in range(3):
                found[head, number] += weight * of_pairs[pair, number]
    return found


def _best(name: str, rows: np.ndarray, shown: np.ndarray, seed: int) -> dict[str, Number[Any]]:
    """The number of the best head from `rows [document, layer, head]`, its layer and its own number; the head is chosen
    on the documents that are not `shown` and reported on the others. Empty if either part defines none.
    """
    defined = ~np.isnan(rows[:, 0, 0])
    choosing, reporting = rows[defined & ~shown], rows[defined & shown]
    if not len(choosing) or not len(reporting):
        return {}
    layer, head = np.unravel_index(choosing.mean(0).argmax(), rows.shape[1:])
    return {name: bootstrap(reporting[:, layer, head], seed)} | at_place(name, layer, head, len(reporting))


def _watch(of: Subject) -> Watcher:
    scores = MatchingScores(of.pieces)
    return watched_by(scores, scores.add, of, scores.observer)


PROCEDURE = Procedure("matching", TEXT, _watch, held=Held(kept=len(NAMES)))
