"""The softmax of attention, with what is known of a row once it is taken: its largest weight and its entropy.

With `Z` the sum of `e^(s - max s)` over a row of logits `s`, the largest weight `A` is `1 / Z` and the entropy is
`ln Z - sum A (s - max s)`, so no logarithm of the weights is taken. For one document on a CPU compiled code, tuned for
speed, puts the weights where the logits were. It takes `e^x = 2^n e^r` with a whole n and r at most ln 2 / 2 from 0: n
goes into the exponent of a float, and a polynomial gives `e^r`. For all else torch computes the same.
"""

import numpy as np
import torch
from numpy.polynomial import Chebyshev, Polynomial
from torch import Tensor

from generator.attention.dot_product import weigh
from generator.numbers.compiled import COMPILES, compiled_sums

DEGREE = 6
"""Degree of the polynomial: weights of random logits of 128 tokens are off by at most 1.1e-7, torch's by 1.3e-7."""
LOWEST = np.float32(-88)
"""A logit this far below the largest of its row leaves no weight: the smallest float32 with all digits is e^-87.3."""
LN2 = np.float32(np.log(2))
PER_LN2 = np.float32(1 / np.log(2))
HALF = np.float32(0.5)
BIAS, MANTISSA = np.int32(127), np.int32(23)
"""What the exponent of a float is stored with, and how many bits lie below it."""
SIGN, MAGNITUDE = np.int32(31), np.int32(2**31 - 1)
"""How many bits of a float lie below its sign, and these bits."""
_EXP = Chebyshev.interpolate(np.exp, 32, domain=[-np.log(2) / 2, np.log(2) / 2]).truncate(DEGREE + 1)
_C0, _C1, _C2, _C3, _C4, _C5, _C6 = (np.float32(c) for c in _EXP.convert(kind=Polynomial).coef)


def weigh_rows(
    query: Tensor, key: Tensor, bias: Tensor | None, scale: float, measured: bool = True
) -> tuple[Tensor, Tensor | None]:
    """The attention weights `[document, head, query, key]`, and what is known of their rows, `[2, document, head,
    query]`: the largest weight, and the entropy in nats. That may be None unless `measured`.

    Arguments are those of `weigh`; no gradients flow.
    """
    if not compiles(query):
        logits, weights = weigh(query, key, bias, scale)
        return weights, _known(logits, weights) if measured else None
    logits = torch.matmul(query, key.transpose(-1, -2))
    if bias is not None:
        logits.mul_(scale).add_(bias)
        scale = 1.0
    known = logits.new_empty(2, *logits.shape[:-1])
    _softmax(logits.numpy()[0], np.float32(scale), known.numpy()[:, 0])
    return logits, known


def compiles(states: Tensor) -> bool:
    """Whether compiled code serves for these states or weights `[document, ...]`: those of one document on a CPU."""
    return COMPILES and states.is_cpu and states.shape[0] == 1 and states.dtype == torch.float32


def _known(logits: Tensor, weights: Tensor) -> Tensor:
    """What is known of the rows of a softmax; the logits are overwritten."""
    # The largest weight is 1 over the sum of exponentials, so the logarithm of that sum is minus its own.
    largest = weights.amax(-1)
    logits -= logits.amax(-1, keepdim=True)
    return torch.stack([largest, -torch.log(largest) - logits.mul_(weights).sum(-1)])


@compiled_sums
def _softmax(logits: np.ndarray, scale: np.float32, known: np.ndarray) -> None:
    """Put the softmax of `scale` times the logits `[head, query, key]` in their place, and fill `known [2, head,
    query]`.

    Logits are scaled first, so that they round as torch rounds them. The largest is sought among whole numbers of the
    order of the floats, which takes an eighth of the time.
    """
    heads, queries, keys = logits.shape
    bits = logits.view(np.int32)
    for head in range(heads):
        for query in range(queries):
            row, whole = logits[head, query], bits[head, query]
            # Floats have the order of their bits, once these are turned where the sign is set; whole numbers know no
            # NaN.
            highest = -MAGNITUDE
            for key in range(keys):
                row[key] *= scale
            for key in range(keys):
                highest = max(highest, np.int32(whole[key] ^ ((whole[key] >> SIGN) & MAGNITUDE)))
            top = np.int32(highest ^ ((highest >> SIGN) & MAGNITUDE)).view(np.float32)
            total = below = np.float32(0)
            for key in range(keys):
                x = row[key] - top
                x = LOWEST if x < LOWEST else x  # NaN stays NaN
                n = np.floor(x * PER_LN2 + HALF)
                r = x - n * LN2
                power = (((((_C6 * r + _C5) * r + _C4) * r + _C3) * r + _C2) * r + _C1) * r + _C0
                # 2^n, written into the exponent of a float.
                weight = power * np.int32((np.int32(n) + BIAS) << MANTISSA).view(np.float32)
                row[key] = weight
                total += weight
                below += weight * x
            share = np.float32(1) / total
            for key in range(keys):
                row[key] *= share
            known[0, head, query] = share
            known[1, head, query] = np.log(total) - below * share
