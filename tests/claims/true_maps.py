"""Maps made by hand on which the claims that maps alone can decide are true by the way they were made.

Twelve layers of six heads. Early layers are broad, look at neighbours or at [CLS]; the middle looks at [SEP]; the last
two layers look at periods and commas, and [CLS] looks everywhere there. Each row is written down as it should be.
"""

from pathlib import Path

import numpy as np

LAYERS, HEADS, DOCUMENTS = 12, 6, 24
MIDDLE, LATE = range(4, 10), range(10, 12)
"""0-based layers; those before are early."""
POSITIONAL = 3
"""Layers, from the first, with a head for each neighbour."""


def write(path: Path) -> Path:
    """The archive of all documents."""
    arrays: dict[str, np.ndarray] = {}
    for number in range(DOCUMENTS):
        rng = np.random.default_rng(number)
        tokens = _tokens(rng)
        arrays[f"document {number:02}"] = _document(tokens, rng)
        arrays[f"document {number:02}.tokens"] = np.array(tokens)
    np.savez(path, **arrays)
    return path


def _tokens(rng: np.random.Generator) -> list[str]:
    """Two segments of some thirty tokens, a mark after every seven."""
    first, second = rng.integers(28, 36, 2)

    def words(count: int) -> list[str]:
        return ["." if at % 14 == 13 else "," if at % 7 == 6 else f"w{rng.integers(40)}" for at in range(count)]

    return ["[CLS]", *words(first), "[SEP]", *words(second), "[SEP]"]


def _document(tokens: list[str], rng: np.random.Generator) -> np.ndarray:
    n = len(tokens)
    names = np.array(tokens)
    begin, ends, marks = names == "[CLS]", names == "[SEP]", np.isin(names, (".", ","))
    segment = np.cumsum(np.roll(ends, 1) * (np.arange(n) > 0))
    maps = np.empty((LAYERS, HEADS, n, n))
    for layer in range(LAYERS):
        for head in range(HEADS):
            maps[layer, head] = _head(layer, head, begin, ends, marks, segment, rng)
    return maps / maps.sum(-1, keepdims=True)


def _head(
    layer: int,
    head: int,
    begin: np.ndarray,
    ends: np.ndarray,
    marks: np.ndarray,
    segment: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    n = len(begin)
    anywhere, to_begin = np.ones((n, n)), _mostly(np.broadcast_to(begin, (n, n)).astype(float), 0.6)
    if layer in MIDDLE:
        return _mostly(np.broadcast_to(ends, (n, n)).astype(float), 0.96)
    if layer in LATE:
        last = np.arange(n) == np.flatnonzero(marks)[-1]  # most of it to the last mark, so that it is a sink
        made = _mostly(np.broadcast_to(0.1 * marks + last, (n, n)).astype(float), 0.9)
        made[0] = 1 / n if layer == LAYERS - 1 else made[0]
        return made
    kinds = {
        0: anywhere,  # nearly a bag of words
        1: _mostly(_neighbour(n, -1), 0.95) if layer < POSITIONAL else to_begin,
        2: _mostly(_neighbour(n, 1), 0.95) if layer < POSITIONAL else to_begin,
        3: to_begin if layer else _mostly((segment[:, None] == segment).astype(float), 0.9),  # broad in its own segment
        4: to_begin,
    }
    if head in kinds:
        return kinds[head]
    if layer < POSITIONAL:
        return rng.dirichlet(np.full(n, 0.3), size=n)  # depends on the input
    return _mostly(np.broadcast_to(ends, (n, n)) / 2 + _neighbour(n, -1), 0.95)


def _neighbour(n: int, offset: int) -> np.ndarray:
    """Every row looks at its neighbour; the one that has none looks at itself."""
    made = np.eye(n, k=offset)
    at = 0 if offset < 0 else n - 1
    made[at, at] = 1
    return made


def _mostly(there: np.ndarray, share: float) -> np.ndarray:
    """This share of every row goes where `there` says, in its proportions, and the rest everywhere."""
    n = there.shape[-1]
    return share * there / there.sum(-1, keepdims=True) + (1 - share) / n
