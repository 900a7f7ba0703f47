"""Attention maps that are made to have one of the five patterns, so that a classifier can be trained without labels.

Each is a pure pattern with random noise over it, of random length, with one segment or two; a block always has two.
Heterogeneous maps are scattered attention over which another pattern may show faintly, as it does in real ones.
Which pattern a map was made with is its label, whatever the rule of `measures.patterns` would say of it.
"""

from typing import NamedTuple

import numpy as np

from generator.measures.patterns import PATTERNS

SHORTEST, LONGEST = 16, 128
PURE, FAINT = (0.45, 0.95), (0.0, 0.35)
"""How much of a map is its pattern, the rest being noise; how much of a heterogeneous one is of another pattern."""
NOISE = (0.5, 2.5)
"""Spread of the logits of noise: from nearly uniform rows to rows with a few large weights."""
DIVIDED = (0.25, 0.75)
"""Where the second segment may begin."""


class MadeMap(NamedTuple):
    """A map and what it was made to be."""

    weights: np.ndarray
    """`[query, key]`, float32; rows sum to one."""
    pattern: int
    """Place in PATTERNS."""


def made_maps(count: int, seed: int) -> list[MadeMap]:
    """So many maps, the patterns in turn; the same seed gives the same maps."""
    rng = np.random.default_rng(seed)
    return [_made(at % len(PATTERNS), rng) for at in range(count)]


def _made(pattern: int, rng: np.random.Generator) -> MadeMap:
    n = int(rng.integers(SHORTEST, LONGEST + 1))
    scattered = PATTERNS[pattern] == "heterogeneous"
    name = PATTERNS[int(rng.integers(len(PATTERNS) - 1))] if scattered else PATTERNS[pattern]
    first = int(n * rng.uniform(*DIVIDED)) if name == "block" or rng.random() < 0.5 else n
    over = _scattered(n, rng) if scattered else _softmax(rng.normal(0, rng.uniform(*NOISE), (n, n)))
    keep = rng.uniform(*(FAINT if scattered else PURE))
    return MadeMap((keep * _pure(name, n, first, rng) + (1 - keep) * over).astype(np.float32), pattern)


def _pure(name: str, n: int, first: int, rng: np.random.Generator) -> np.ndarray:
    if name == "block":
        return _block(n, first, rng)
    share = {"vertical": 1.0, "diagonal": 0.0}.get(name, rng.uniform(0.35, 0.65))
    return share * _stripes(n, first, rng) + (1 - share) * _band(n, rng)


def _stripes(n: int, first: int, rng: np.random.Generator) -> np.ndarray:
    """Every query attends to the begin token and the separators, in shares that vary a little between queries."""
    special = sorted({0, first - 1, n - 1})
    shares = rng.dirichlet(np.full(len(special), 0.3))
    weights = np.zeros((n, n))
    weights[:, special] = rng.dirichlet(20 * shares + 0.1, n)
    return weights


def _band(n: int, rng: np.random.Generator) -> np.ndarray:
    """Every query attends to itself and its neighbours; at the ends, to those that are there."""
    weights = sum(share * np.eye(n, k=o) for o, share in zip((-1, 0, 1), rng.dirichlet(np.full(3, 0.3)), strict=True))
    weights = np.asarray(weights) + 1e-6 * np.eye(n)
    return np.asarray(weights / weights.sum(-1, keepdims=True))


def _block(n: int, first: int, rng: np.random.Generator) -> np.ndarray:
    """Every query attends to its own segment, about equally."""
    second = np.arange(n) >= first
    logits = rng.normal(0, 0.5, (n, n))
    return _softmax(np.where(second[:, None] == second, logits, -np.inf))


def _scattered(n: int, rng: np.random.Generator) -> np.ndarray:
    """Every query attends to a few keys of its own, and all of them somewhat to a few tokens of the text."""
    popular = rng.choice(np.arange(1, n - 1), size=3, replace=False)
    logits = rng.normal(0, rng.uniform(1.5, 3), (n, n))
    logits[:, popular] += rng.uniform(0, 2)
    return _softmax(logits)


def _softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(weights / weights.sum(-1, keepdims=True))
