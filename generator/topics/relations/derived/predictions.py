"""Which word each head picks for each word of a treebank: enough for all dependency scores, and without any text.

Clark et al. 2019, section 4.2: a head's prediction for a word is the other word with the largest weight. It is read
both ways: the dependent attends to its head (`dep->head`), or the head to its dependent (`head<-dep`). A fixed offset
picks the word at that distance, beyond an end of the sentence the first or the last word. All picks are arrays
`[..., word]` of 0-based places.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from generator.corpora.treebank import Sentence

OFFSETS = (-3, -2, -1, 1, 2, 3)
"""Fixed offsets that are tried as baselines; the paper stops at 2."""
CLITICS = ("'s", "'", "\u2019s", "\u2019")
"""English possessive markers; a head that finds the possessed noun attends from the marker."""
NOTHING = -1
"""The prediction for a word that is alone in its sentence, and the gold head of a root."""


def predict(weights: np.ndarray) -> np.ndarray:
    """`[direction, layer, head, word]`, 0-based: the word each head picks, from `[layer, head, query, key]`.

    Of equal weights the first word wins; special tokens have been left out of the map.
    """
    words = weights.shape[-1]
    if words == 1:
        return np.full((2, *weights.shape[:2], 1), NOTHING, dtype=np.int16)
    others = weights.copy()
    # Below every weight: with 0, a word to which all other weights are 0 would pick itself.
    others[..., np.arange(words), np.arange(words)] = -1
    return np.stack([others.argmax(-1), others.argmax(-2)]).astype(np.int16)


@dataclass(frozen=True)
class Predictions:
    """The gold trees and every head's predictions for one treebank; arrays run over all of its words."""

    sentences: tuple[str, ...]
    """The names of the sentences."""
    sentence: np.ndarray
    """`[word]`: number of the sentence that each word is in."""
    place: np.ndarray
    """`[word]`: 0-based place of each word in its sentence."""
    length: np.ndarray
    """`[word]`: number of words in its sentence."""
    gold: np.ndarray
    """`[word]`: 0-based place of its head; NOTHING for a root."""
    relation: np.ndarray
    marked: np.ndarray
    """`[word]`: whether a possessive marker follows."""
    predicted: np.ndarray
    """`[direction, layer, head, word]`: 0-based place of the word that each head picks."""

    @property
    def offsets(self) -> np.ndarray:
        """`[offset, word]`: place of the word at each of OFFSETS; beyond an end of the sentence, its first or last."""
        places: np.ndarray = np.clip(self.place + np.array(OFFSETS)[:, None], 0, self.length - 1)
        return places

    @property
    def shape(self) -> tuple[int, int, int]:
        """Directions, layers, heads."""
        directions, layers, heads, _ = self.predicted.shape
        return directions, layers, heads

    @classmethod
    def of(cls, sentences: Sequence[tuple[Sentence, np.ndarray]]) -> Self:
        """The predictions for sentences, each given with the result of `predict`; sorted by the sentences' names."""
        ordered = sorted(sentences, key=lambda pair: pair[0].id)
        trees = [sentence.words for sentence, _ in ordered]
        words = [word for tree in trees for word in tree]
        following = [form for tree in trees for form in (*(word.form for word in tree[1:]), "")]
        return cls._arranged(
            tuple(sentence.id for sentence, _ in ordered),
            lengths=np.array([len(tree) for tree in trees]),
            gold=np.array([word.head - 1 for word in words]),
            relation=np.array([word.relation for word in words]),
            marked=np.array([form in CLITICS for form in following]),
            predicted=np.concatenate([predicted for _, predicted in ordered], axis=-1),
        )

    @classmethod
    def from_table(cls, table: pd.DataFrame, layers: int, heads: int) -> Self:
        """The predictions for one corpus, from the rows that the method `table` made."""
        lengths = table["gold"].map(len).to_numpy()
        return cls._arranged(
            tuple(table["sentence"]),
            lengths=lengths,
            gold=np.concatenate(table["gold"].to_list()),
            relation=np.concatenate(table["relations"].to_list()),
            marked=np.concatenate(table["marked"].to_list()),
            predicted=np.concatenate([row.reshape(2, layers, heads, -1) for row in table["predicted"]], axis=-1),
        )

    @classmethod
    def _arranged(
        cls,
        names: tuple[str, ...],
        lengths: np.ndarray,
        gold: np.ndarray,
        relation: np.ndarray,
        marked: np.ndarray,
        predicted: np.ndarray,
    ) -> Self:
        starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
        return cls(
            sentences=names,
            sentence=np.repeat(np.arange(len(names)), lengths),
            place=np.arange(lengths.sum()) - starts,
            length=np.repeat(lengths, lengths),
            gold=gold,
            relation=relation,
            marked=marked.astype(bool),
            predicted=predicted,
        )

    def table(self, corpus: str) -> pd.DataFrame:
        """The table `predictions`: one row per sentence with lists over its words, from which all scores follow."""
        cuts = np.flatnonzero(np.diff(self.sentence)) + 1
        columns = {"gold": self.gold, "relations": self.relation, "marked": self.marked}
        split = {name: np.split(values, cuts) for name, values in columns.items()}
        predicted = [part.ravel() for part in np.split(self.predicted, cuts, axis=-1)]
        return pd.DataFrame({"corpus": corpus, "sentence": self.sentences, **split, "predicted": predicted})
