"""How broadly heads or layers attend: entropy as a share of that of uniform attention on the same text."""

from typing import Any

from generator.numbers.number import Number
from generator.numbers.told import told
from generator.studies.told_quantities import OF_HEADS


@told(OF_HEADS, "breadth")
def breadth(entropy: Number[Any], uniform: float) -> Number[Any]:
    """Entropy and the ends of its interval, divided by the entropy of uniform attention, which is exact; in nats.

    >>> breadth(Number(1.2, 1.1, 1.3, 70), 4.0)._replace(low=0, high=1)
    Number(value=0.3, low=0, high=1, n=70)
    """
    value, low, high = (part / uniform for part in entropy[:3])
    return Number(value, low, high, entropy.n)
