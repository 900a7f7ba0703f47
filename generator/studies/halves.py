"""Two halves of a corpus: one to choose on, the other to report on."""

import hashlib
from collections.abc import Sequence

import numpy as np

HELD_OUT = "held-out"
"""A head is chosen on one half and its number taken from the other."""
SAME_DATA = "same data"
"""A head is chosen, and its number taken, on all of the text, as Clark et al. 2019 do."""


def reported(names: Sequence[str], seed: int) -> np.ndarray:
    """`[name]`: whether it belongs to the half on which numbers are reported.

    Each name is drawn by itself, so the halves do not depend on the order nor on what else the corpus holds.
    """
    return np.array([_drawn(name, seed)[0] % 2 == 1 for name in names], dtype=bool)


def order(names: Sequence[str], seed: int) -> list[str]:
    """The names in random order, drawn for each alone: so the first few are the same in whatever order they came."""
    return sorted(names, key=lambda name: _drawn(name, seed)[1:])


def _drawn(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{name}".encode()).digest()
