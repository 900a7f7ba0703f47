"""What a measure is: a definition a reader can check, and the function that computes it from primitives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from generator.attention.batches import SEGMENTS
from generator.attention.primitives import Primitives
from generator.corpora.classes import ADDED, CLASSES, TokenClass
from generator.corpora.pairs import Input

Unit = Literal["share", "nats"]
UNIT_TEXT: Mapping[Unit, str] = {
    "share": "share, 0 to 1",
    "nats": "nats, 0 to ln n",
}


@dataclass(frozen=True)
class Measure:
    """One definition; most give one number per head, the offset profile gives nineteen.

    `compute` takes the primitives of one document, `[layer, head, ...]`, and the document's token counts, and returns
    `[layer, head]`, or `[layer, head, part]` where there are parts. A number that the document cannot define is NaN.
    """

    name: str
    """Also the last part of its page's address."""
    title: str
    """As it stands in a table: "Attention to the previous token"."""
    definition: str
    formula: str
    """Plain text; A[i, j] is the attention from token i to token j, n the number of tokens."""
    uniform: str
    """What a head that attends to every token equally would score, in words or as a formula."""
    source: str
    unit: Unit
    compute: Callable[[Primitives, "Counts"], np.ndarray]
    caveats: tuple[str, ...] = ()
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
        """Those of an input."""
        by_class = np.bincount(item.classes, minlength=CLASSES)
        return cls(len(item), by_class, np.bincount(item.segment_ids, minlength=SEGMENTS))


def ratio(total: np.ndarray, count: float) -> np.ndarray:
    """A mean that is NaN where there was nothing to average."""
    return total / count if count else np.full_like(total, np.nan)


def where_added(kind: TokenClass, values: np.ndarray, counts: Counts) -> np.ndarray:
    """NaN for a class that the tokenizer adds to no text; a class of the text that is missing stays zero."""
    return np.full_like(values, np.nan) if kind in ADDED and not counts.by_class[kind] else values
