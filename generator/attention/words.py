"""From pieces to words: the attention among the words of one sentence (Clark et al. 2019, section 4.1).

Attention to a split word is the sum over its pieces, attention from it the mean over its pieces, so that rows still
sum to one. The paper's released code takes the first piece's row by default; both that and the largest are offered.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import WordInput

Rows = Literal["mean", "first", "max"]


@dataclass(frozen=True)
class WordMaps:
    """Attention from each word of a sentence to its words and to the tokens around it; each row sums to one."""

    weights: np.ndarray
    """`[layer, head, query word, key word]`; special tokens are left out and rows are not scaled up for it."""
    begin: np.ndarray
    """`[layer, head, query word]`: mass on the begin token."""
    separator: np.ndarray
    """`[layer, head, query word]`: mass on all other tokens that the tokenizer added."""


def word_maps(weights: np.ndarray, item: WordInput, rows: Rows = "mean") -> WordMaps:
    """Word-level maps of one input; `weights` is `[layer, head, query, key]`.

    `rows` says what becomes of the rows of a split word: their mean, the first, or the largest entries scaled to sum
    to one.
    """
    starts = item.starts
    split = len(starts) < len(item.pieces)
    to_words = np.add.reduceat(weights[..., item.pieces], starts, axis=-1) if split else weights[..., item.pieces]
    begin, separator = (weights[..., _columns(item, kind)].sum(-1) for kind in (TokenClass.BEGIN, TokenClass.SEPARATOR))
    whole = np.concatenate([to_words, begin[..., None], separator[..., None]], axis=-1)[..., item.pieces, :]
    if split and rows == "mean":
        whole = np.add.reduceat(whole, starts, axis=-2) / item.lengths[:, None]
    elif split and rows == "first":
        whole = whole[..., starts, :]
    elif split:
        whole = np.maximum.reduceat(whole, starts, axis=-2)
        whole = whole / whole.sum(-1, keepdims=True)
    whole = whole.astype(np.float32, copy=False)
    return WordMaps(whole[..., :-2], whole[..., -2], whole[..., -1])


def _columns(item: WordInput, kind: TokenClass) -> list[int]:
    return [at for at, found in enumerate(item.input.classes) if found is kind]
