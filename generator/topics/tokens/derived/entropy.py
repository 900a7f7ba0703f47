"""The entropy of counts that samples of one size would have."""

from collections.abc import Sequence

import numpy as np

from generator.topics.tokens.records.tokens import SAMPLE


def sample_entropy(counts: Sequence[int], size: int = SAMPLE) -> float:
    """Expected entropy, in nats, of `size` draws without replacement from these counts; NaN if they sum to less.

    A kind that is drawn k times adds -(k/size) ln(k/size); k is hypergeometric.

    >>> sample_entropy([30, 30], size=1), round(sample_entropy([1] * 100, size=50) - float(np.log(50)), 12)
    (0.0, 0.0)
    """
    total = sum(counts)
    if total < size:
        return float("nan")
    from scipy.stats import hypergeom  # noqa: PLC0415 - takes half a second to load, and claims read this file

    # Equal counts have equal chances.
    kinds, times = np.unique(np.asarray(counts), return_counts=True)
    drawn = np.arange(1, size + 1)
    chance = hypergeom.pmf(drawn[None], total, kinds[:, None], size)
    return float(times @ (chance @ (-(drawn / size) * np.log(drawn / size))))
