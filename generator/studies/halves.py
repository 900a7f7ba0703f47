"""Two halves of a corpus: one to choose on, the other to report on; and how a head that was chosen is stored."""

import hashlib
from collections.abc import Sequence

import numpy as np

from generator.numbers.number import Number, alone

FEWEST = 5
"""The fewest sentences in either half with which probes are taught and judged."""
HELD_OUT = "held-out"
"""Protocol: a head is chosen on one half, and its number comes from the other half."""
SAME_DATA = "same data"
"""Protocol: a head is chosen on all of the text, and its number comes from the same text, as in Clark et al. 2019."""


def reported(names: Sequence[str], seed: int) -> np.ndarray:
    """`[name]`: whether it belongs to the half on which numbers are reported.

    Each name is drawn by itself, so its half depends neither on the order nor on what else the corpus holds.
    """
    return np.array([_drawn(name, seed)[0] % 2 == 1 for name in names], dtype=bool)


def order(names: Sequence[str], seed: int) -> list[str]:
    """The names in a random order: which of two comes first depends on the seed and on these two alone."""
    # The first byte decides on the half of a name, so that the order rests on the others.
    return sorted(names, key=lambda name: _drawn(name, seed)[1:])


def at_place(name: str, layer: int | np.integer, head: int | np.integer, n: int) -> dict[str, Number]:
    """A chosen head, given by 0-based layer and head, as two numbers of the model whose names begin with `name`.

    >>> [(name, one.value) for name, one in at_place("best", 2, 0, 5).items()]
    [('best.layer', 3), ('best.head', 1)]
    """
    return {f"{name}.layer": alone(int(layer) + 1, n), f"{name}.head": alone(int(head) + 1, n)}


def _drawn(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode()).digest()
