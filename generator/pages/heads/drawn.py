"""What is drawn of one sentence: its words, and an arc from each word to what gets much of its attention."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from generator.charts.static.arcs import FAINT, Arc, Line, rounded
from generator.pages.inline import Prose

SPECIAL = 0.05
"""Special tokens that get less than this share are not mentioned."""
UNUSUAL = 0.1
"""Where the attention in a sentence is further than this from what is usual, both are told."""


class Drawn(NamedTuple):
    """What is drawn of one sentence, before the others are known."""

    line: Line
    seen: Prose
    caption: str


def hidden_note(names: str, share: float, usual: float = np.nan) -> str:
    """That special tokens are left out, if they get much; `usual` is what they get in whole documents."""
    return (
        f"Another {rounded(share)} goes to {names}, not drawn{beside(share, usual)}."
        if names and share >= SPECIAL
        else ""
    )


def beside(share: float, usual: float) -> str:
    """What is usual, in brackets, if a sentence shows clearly more or less.

    >>> beside(0.58, 0.19), beside(0.58, 0.5)
    (' (19 % in whole documents)', '')
    """
    return f" ({rounded(usual)} in whole documents)" if abs(share - usual) >= UNUSUAL else ""


def line_of(
    words: Sequence[str],
    weights: np.ndarray,
    coloured: Collection[tuple[int, int]],
    kind: str,
    dimmed: frozenset[int] = frozenset(),
    hues: Mapping[tuple[int, int], str] = MappingProxyType({}),
) -> Line:
    """The sentence with arcs for what gets FAINT or more; those in `coloured` have the colour of a kind of head, by
    `hues` of another one.
    """
    drawn = {*coloured, *pairs_of(weights >= FAINT)}
    of = [Arc(*pair, float(weights[pair]), pair in coloured, hues.get(pair, "")) for pair in sorted(drawn)]
    return Line(words, of, kind, dimmed)


def pairs_of(which: np.ndarray) -> list[tuple[int, int]]:
    """Query and key of each place that is true."""
    queries, keys = (places.tolist() for places in which.nonzero())
    return list(zip(queries, keys, strict=True))
