"""How differently two heads attend: the Jensen-Shannon divergence of every pair (Clark et al. 2019, section 6).

With M = (P + Q) / 2 a row's divergence is H(M) - (H(P) + H(Q)) / 2. The entropies of P and Q belong to single heads, so
a pair costs only one logarithm per element. Compiled code reads that logarithm off the bits of a float m = 2^e f, 1 <=
f < 2: exponent and mantissa, read as one integer in units of 2^-23, are log2 m + f - 1 - log2 f, and a polynomial gives
log2 f - (f - 1). Terms linear in m cancel in the difference, so the polynomial needs no constant term. Errors of the
logarithm stay below 2e-6 nats, and those of a mean over many rows below 1e-6. Without a compiler torch computes the
same.
"""

import numpy as np
import torch
from numpy.polynomial import Chebyshev, Polynomial
from torch import Tensor

from generator.numbers.compiled import COMPILES, compiled_sums, one_type

SMOOTHING = 1e-3
"""Clark et al.'s released code compares 0.999 A + 0.001/n."""
CPU = "cpu"
TOGETHER = 2**25
"""Elements of means of two heads that another device computes at once, 128 MiB; a choice."""
BLOCK = 2048
"""Elements of each head that are compared at a time: those of 144 heads stay in the processor's cache."""

DEGREE = 6
"""Degree of the polynomial; one degree more takes a tenth longer."""
UNIT = 2.0**-23
ONE = np.int32(np.float32(1).view(np.int32))
MANTISSA = np.int32(2**23 - 1)
_LOG2 = Chebyshev.interpolate(np.log2, 32, domain=[1, 2]).truncate(DEGREE + 1).convert(kind=Polynomial)
_C1, _C2, _C3, _C4, _C5, _C6 = (np.float32(c / UNIT) for c in (_LOG2 - Polynomial([-1, 1])).coef[1:])


def pairwise(weights: np.ndarray, smoothing: float = SMOOTHING, device: str = CPU) -> np.ndarray:
    """Mean over rows of the Jensen-Shannon divergence in nats, 0 to ln 2, for every pair of heads.

    `weights` is `[layer, head, query, key]` of one document, every row counting once; the answer is float64 `[pair]`
    in the order of `np.triu_indices(layers * heads, 1)`. Each row is compared as `(1 - smoothing) A + smoothing / n`.
    Clark et al. add up rows and documents; we take the mean over rows, so that long documents do not weigh more. On any
    `device` but a CPU torch computes it there.

    >>> pairwise(np.eye(2).reshape(1, 2, 1, 2), smoothing=0).round(4)
    array([0.6931])
    """
    if not COMPILES or device != CPU:
        return pairwise_torch(torch.tensor(weights, device=device), smoothing)
    layers, heads, queries, keys = weights.shape
    maps = one_type(weights)
    half, rest = np.float32((1 - smoothing) / 2), np.float32(smoothing / keys / 2)
    own, joint = _weighted_logs(maps.reshape(layers * heads, queries * keys), half, rest)
    return _divergence(own, joint) * UNIT * np.log(2) / queries


def pairwise_torch(weights: Tensor, smoothing: float = SMOOTHING) -> np.ndarray:
    """The same as `pairwise`, by torch on the device of `weights`.

    A few heads are compared with all later ones at once: one on a CPU, as many as keep a GPU busy there.
    """
    layers, heads, _, keys = weights.shape
    # Halves, so that the sum of two is their mean.
    halves = (weights.flatten(0, 1).float() * (1 - smoothing) + smoothing / keys) / 2
    few = 1 if weights.device.type == CPU else max(TOGETHER // halves.numel(), 1)
    own, joint = _negative_entropy(halves * 2).mean(-1), []
    for start in range(0, layers * heads, few):
        block = halves[start : start + few]
        found = _negative_entropy(block[:, None] + halves[start:]).mean(-1)
        # Pairs with a later head alone, in the order of triu_indices.
        joint += [found[at, at + 1 :] for at in range(len(block))]
    return _divergence(own.cpu().double().numpy(), torch.cat(joint).cpu().double().numpy())


def by_row(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Jensen-Shannon divergence in nats of each row of two maps `[..., row, key]` as they are, `[..., row]`.

    Compiled code takes it from the same logarithm as `pairwise`, with the same error.

    >>> by_row(np.eye(2), np.full((2, 2), 0.5)).round(4)
    array([0.2158, 0.2158])
    """
    if not COMPILES:
        own, other, joint = map(_negative_entropy, map(torch.tensor, (first, second, (first + second) / 2)))
        return ((own + other) / 2 - joint).clamp_min(0).numpy()
    maps = [one_type(array).reshape(-1, array.shape[-1]) for array in (first, second)]
    found = _apart(*maps).reshape(first.shape[:-1])
    return np.maximum(found, 0) * UNIT * np.log(2)


def _negative_entropy(rows: Tensor) -> Tensor:
    """Negative entropy in nats of rows `[..., row, key]`.

    On a CPU this is twice as fast as `torch.special.entr`, whose logarithm is not vectorised.
    """
    if rows.device.type != CPU:
        return -torch.special.entr(rows).sum(-1)
    return (rows * rows.clamp_min(torch.finfo(rows.dtype).tiny).log_()).sum(-1)


def _divergence(own: np.ndarray, joint: np.ndarray) -> np.ndarray:
    """Divergences `[pair]` from negative entropies of heads, `own [head]`, and of means of two heads, `joint [pair]`.

    Rounding never makes them negative.
    """
    first, second = np.triu_indices(len(own), 1)
    return np.maximum((own[first] + own[second]) / 2 - joint, 0)


@compiled_sums
def _weighted_log(first: np.ndarray, second: np.ndarray) -> np.float32:
    """Sum of m log2 m in units of 2^-23, with m = `first` + `second`, up to a multiple of the sum of m, which cancels
    in the end.
    """
    total = np.float32(0)
    for at in range(first.size):
        m = np.float32(first[at] + second[at])
        bits = m.view(np.int32)
        f = np.int32((bits & MANTISSA) | ONE).view(np.float32)
        # The bits of a float, read as a number, are nearly its logarithm; what is missing depends on its digits alone.
        correction = (((((_C6 * f + _C5) * f + _C4) * f + _C3) * f + _C2) * f + _C1) * f
        total += m * (correction + np.float32(np.int32(bits - ONE)))
    return total


@compiled_sums
def _weighted_logs(maps: np.ndarray, half: np.float32, rest: np.float32) -> tuple[np.ndarray, np.ndarray]:
    """The sums of `_weighted_log` for each head with itself, `[head]`, and for each pair of heads, `[pair]`.

    `maps` is `[head, element]`; a weight enters as `weight * half + rest`.
    """
    heads, elements = maps.shape
    blocks = (elements + BLOCK - 1) // BLOCK
    # Nearly equal blocks, without a short one at the end.
    size = (elements + blocks - 1) // blocks
    own, joint = np.zeros(heads), np.zeros(heads * (heads - 1) // 2)
    block = np.zeros((heads, size), np.float32)
    for start in range(0, elements, size):
        count = min(size, elements - start)
        for head in range(heads):
            for at in range(count):
                block[head, at] = maps[head, start + at] * half + rest
            block[head, count:] = 0  # adds nothing: 0 log 0 is 0
        pair = 0
        for a in range(heads):
            own[a] += _weighted_log(block[a], block[a])
            for b in range(a + 1, heads):
                joint[pair] += _weighted_log(block[a], block[b])
                pair += 1
    return own, joint


@compiled_sums
def _apart(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The divergence of every row of two maps `[row, key]`, in the units of `_weighted_log`."""
    found = np.empty(len(first))
    for row in range(len(first)):
        a, b = first[row], second[row]
        found[row] = ((_weighted_log(a, a) + _weighted_log(b, b)) / 2 - _weighted_log(a, b)) / 2
    return found
