"""How broadly heads or layers attend: entropy as a share of that of uniform attention on the same text."""

from typing import Any

import numpy as np

from generator.numbers.number import Number
from generator.numbers.told import told
from generator.studies.told_quantities import OF_HEADS


@told(OF_HEADS, "breadth")
def breadth(entropy: Number[Any], uniform: float) -> Number[Any]:
    """Entropy and the ends of its interval, divided by the entropy of uniform attention, which is exact; in nats.

    No attention is broader than uniform attention, so no end lies above 1, although texts of other lengths that are
    drawn together may have a larger mean entropy than uniform attention has on all of them. Undefined where every text
    is one token.

    >>> breadth(Number(1.2, 1.1, 1.3, 70), 4.0)._replace(low=0, high=1)
    Number(value=0.3, low=0, high=1, n=70)
    >>> breadth(Number(3.9, 3.8, 4.1, 70), 4.0).high
    1.0
    """
    shares = (part / (uniform or np.nan) for part in entropy[:3])
    value, low, high = (np.minimum(one, 1.0) if isinstance(one, np.ndarray) else min(one, 1.0) for one in shares)
    return Number(value, low, high, entropy.n)
