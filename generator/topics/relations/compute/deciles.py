"""Sentences in which a head attends most strongly, in between and least: chosen by rank, not by eye.

The strength of a head in a sentence is the mean over its words of the largest weight on a word, Voita et al.'s
confidence (2019, section 4) at word level without special tokens. Sentences are ranked by it for every head; three of
them are shown, each from the middle of a decile: the highest, the fifth and the lowest.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from generator.attention.observed import Observed
from generator.attention.words import WordMaps
from generator.corpora import treebank
from generator.corpora.catalogue import TREEBANK
from generator.studies.procedure import Procedure, Subject, Watcher

SHOWN = (10, 5, 1)
"""Deciles, the highest first."""
LONGEST = 16
"""The most tokens of a sentence, because every head's page contains three of these maps."""


class _Seen(NamedTuple):
    name: str
    ids: tuple[int, ...]
    weights: np.ndarray
    strength: np.ndarray
    """`[layer, head]`."""


class DecileExamples:
    """Keeps the maps of sentences that are short enough, and picks some of them for every head."""

    def __init__(self) -> None:
        self._seen: list[_Seen] = []

    def add(self, seen: Observed, maps: WordMaps) -> None:
        """Look at one sentence; the order of calls does not matter."""
        assert seen.weights is not None, "sentences are ranked with their weights"
        if len(seen.input) <= LONGEST:
            strength = maps.weights.max(-1).mean(-1)
            self._seen.append(_Seen(seen.input.document, seen.input.input_ids, seen.weights, strength))

    def table(self, corpus: str, pieces: Callable[[list[int]], list[str]]) -> pd.DataFrame:
        """One row per head and decile; `pieces` gives the text of vocabulary ids. No rows without sentences."""
        ordered = sorted(self._seen, key=lambda one: one.name)
        rows = []
        if ordered:
            strengths = np.stack([seen.strength for seen in ordered])
            ranked = np.argsort(strengths, axis=0, kind="stable")
            for layer, head in np.ndindex(strengths.shape[1:]):
                for decile in SHOWN:
                    # The middle of the decile.
                    at = ranked[int((decile - 0.5) / 10 * len(ordered)), layer, head]
                    rows.append(
                        {
                            "corpus": corpus,
                            "layer": layer + 1,
                            "head": head + 1,
                            "decile": decile,
                            "strength": float(strengths[at, layer, head]),
                            "tokens": pieces(list(ordered[at].ids)),
                            "weights": ordered[at].weights[layer, head].ravel(),
                        }
                    )
        return pd.DataFrame(rows)


def _watch(of: Subject) -> Watcher:
    """A watcher that only makes rows for the treebank that comes with the program, as other text may not be shown."""
    examples, shown = DecileExamples(), of.corpus == TREEBANK.name
    return Watcher(
        lambda seen: examples.add(seen.seen, seen.maps),
        lambda: {"deciles": [examples.table(of.corpus, of.pieces)] if shown else []},
    )


PROCEDURE = Procedure("deciles", treebank.TREEBANK, _watch, tables=("deciles",))
