"""What is drawn of one sentence: its words, and an arc from each word to what gets much of its attention."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from generator.charts.static.arcs import FAINT, Arc, Line, rounded
from generator.pages.inline import Prose

SPECIAL = 0.05
"""Special tokens that get less than this share are not mentioned."""


class Drawn(NamedTuple):
    """What is drawn of one sentence, before the others are known."""

    line: Line
    seen: Prose
    caption: str


def hidden_note(names: str, share: float) -> str:
    """That special tokens are left out, if they get much."""
    return f"Another {rounded(share)} goes to {names}, not drawn." if names and share >= SPECIAL else ""


def line_of(
    words: Sequence[str],
    weights: np.ndarray,
    coloured: Collection[tuple[int, int]],
    kind: str,
    dimmed: frozenset[int] = frozenset(),
) -> Line:
    """The sentence with arcs for what gets FAINT or more; those in `coloured` have the colour of a kind of head."""
    drawn = {*coloured, *pairs_of(weights >= FAINT)}
    of = [Arc(query, key, float(weights[query, key]), (query, key) in coloured) for query, key in sorted(drawn)]
    return Line(words, of, kind, dimmed)


def pairs_of(which: np.ndarray) -> list[tuple[int, int]]:
    """Query and key of each place that is true."""
    queries, keys = (places.tolist() for places in which.nonzero())
    return list(zip(queries, keys, strict=True))
