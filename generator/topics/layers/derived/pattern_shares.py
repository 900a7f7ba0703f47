"""How the shares of the five patterns change with the cut-offs of the rule, computed from the stored documents.

A stored row is the mean over a document's inputs. So here a document in several parts is classed once per head, by its
mean numbers, while the stored shares class every input by itself. Both are means over the heads of one document.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, Self

import numpy as np
import pandas as pd

from generator.measures.patterns import CUTOFFS, PATTERN_COLUMNS, Cutoffs, classify
from generator.numbers.makers import makes
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap
from generator.studies.derived_quantities import OF_HEADS
from generator.topics.layers.records import PATTERN_SHARES

STEPS = tuple(round(0.3 + 0.05 * step, 2) for step in range(9))
"""Cut-offs that are tried, 0.3 to 0.7; the rule's own is in the middle."""
SPECIAL = ("attention.cls", "attention.sep")
COLUMN = ("sink.mass",)
"""Measure of vertical attention: the attention to the one token, special or not, that receives most."""
ONE_SEGMENT = 1 - 1e-9
"""If more than this share of uniform attention stays within the segment, the input has only one segment."""
Rule = tuple[tuple[str, ...], Callable[[float], Cutoffs]]
RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "special": (SPECIAL, lambda at: replace(CUTOFFS, special=at)),
        "near": (SPECIAL, lambda at: replace(CUTOFFS, near=at)),
        "both": (SPECIAL, lambda at: replace(CUTOFFS, special=at, near=at)),
        "column": (COLUMN, lambda at: replace(CUTOFFS, special=at)),
    }
)
"""Name of a rule -> the measures that count as vertical attention, and the cut-offs as a function of the one moved."""


def stored_shares(documents: pd.DataFrame) -> np.ndarray:
    """Stored shares, `[document, layer, head, pattern]`, documents sorted by name; the rows must be of one corpus."""
    return _cube(documents, PATTERN_COLUMNS)


def mean_shares(documents: pd.DataFrame, seed: int) -> Grid:
    """Shares of the maps of all heads, `[pattern]`, with intervals over the documents of one corpus."""
    return bootstrap(stored_shares(documents).mean((1, 2)), seed)


@makes(OF_HEADS, "commonest")
def heads_of_each(shares: np.ndarray) -> np.ndarray:
    """`[pattern]`: how many heads have more maps of a pattern than of any other; `shares` as for `commonest`."""
    return np.bincount(commonest(shares).ravel(), minlength=shares.shape[-1])


def commonest(shares: np.ndarray) -> np.ndarray:
    """Which pattern most maps of a head have, from `[layer, head, pattern]`; of equal ones the first. Heads without
    shares must have been left out.
    """
    return shares.argmax(-1)


class Vertical(NamedTuple):
    """What decides the pattern of every map, `[document, layer, head]`, under one of RULES."""

    special: np.ndarray
    near: np.ndarray
    within: np.ndarray
    breadth: np.ndarray
    several: np.ndarray
    """Whether the document has more than one segment, `[document, 1, 1]`."""

    @classmethod
    def of(cls, documents: pd.DataFrame, uniform: pd.DataFrame, rule: str) -> Self:
        """From the rows of one corpus, in any order."""
        near = ("attention.near", "attention.same_segment", "attention.segment_breadth")
        # Undefined where a text has no such token: then nothing goes to one.
        special = np.nan_to_num(_cube(documents, RULES[rule][0])).sum(-1)
        alone = uniform.sort_values("document")["attention.same_segment"].to_numpy() > ONE_SEGMENT
        beside, within, breadth = np.moveaxis(_cube(documents, near), -1, 0)
        return cls(special, beside, within, breadth, ~alone[:, None, None])

    def shares(self, cutoffs: Cutoffs) -> np.ndarray:
        """`[document, pattern]`: shares of the heads with these cut-offs."""
        shares: np.ndarray = classify(*self, cutoffs).mean((2, 3)).T
        return shares


def moved_shares(documents: pd.DataFrame, uniform: pd.DataFrame, rule: str, steps: Sequence[float]) -> np.ndarray:
    """`[document, step, pattern]`: shares of the heads with the cut-offs of one of RULES set to each of the steps."""
    found = Vertical.of(documents, uniform, rule)
    return np.stack([found.shares(RULES[rule][1](at)) for at in steps], axis=1)


@makes(PATTERN_SHARES, "{pattern}.{rule}.{cutoff}")
def sweep(documents: pd.DataFrame, uniform: pd.DataFrame, rule: str, seed: int) -> Grid:
    """Mean shares at each of STEPS with intervals over documents; arrays are `[step, pattern]`."""
    return bootstrap(moved_shares(documents, uniform, rule, STEPS), seed)


def _cube(documents: pd.DataFrame, columns: tuple[str, ...]) -> np.ndarray:
    """Columns of the stored documents as `[document, layer, head, column]`, documents sorted by name."""
    table = documents.sort_values(["document", "layer", "head"])
    shape = table["document"].nunique(), table["layer"].nunique(), -1, len(columns)
    return table[list(columns)].to_numpy(float).reshape(shape)
