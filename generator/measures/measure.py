"""What a measure is: a definition a reader can check, and the function that computes it from primitives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from generator.attention.sums.primitives import Primitives
from generator.corpora.classes import ADDED, CLASSES, TokenClass
from generator.corpora.pairs import SEGMENTS, Input
from generator.numbers.quantity import Of, Quantity


@dataclass(frozen=True, kw_only=True)
class Measure(Quantity):
    """A number of every document and head; most give one, distant words two, the pattern five, offsets nineteen.

    `compute` takes the primitives of one document, `[layer, head, ...]`, and the document's token counts, and returns
    `[layer, head]`, or `[layer, head, part]` where there are parts. A number that the document cannot define is NaN.
    """

    compute: Callable[[Primitives, "Counts"], np.ndarray]
    of: tuple[Of, ...] = ("head",)
    parts: tuple[str, ...] = ()
    """Names of the numbers, where there are several."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The measure's columns in the store."""
        return self.parts or (self.name,)


@dataclass(frozen=True)
class Counts:
    """How many tokens one document's input has, in all, of each class and in each segment."""

    tokens: int
    by_class: np.ndarray
    """`[class]`."""
    by_segment: np.ndarray
    """`[segment]`; 0 for a second segment that is not there."""

    @classmethod
    def of(cls, item: Input) -> Self:
        """The counts of one input."""
        by_class = np.bincount(item.classes, minlength=CLASSES)
        return cls(len(item), by_class, np.bincount(item.segment_ids, minlength=SEGMENTS))


def ratio(total: np.ndarray, count: float) -> np.ndarray:
    """`total / count`; NaN if the count is 0."""
    return total / count if count else np.full_like(total, np.nan)


def where_added(kind: TokenClass, values: np.ndarray, counts: Counts) -> np.ndarray:
    """The values, or NaN if `kind` is a class of added tokens that the tokenizer does not add.

    A class of text tokens that does not occur keeps its values, which are 0.
    """
    return np.full_like(values, np.nan) if kind in ADDED and not counts.by_class[kind] else values
