"""Which head a study chose on one half of its text, stored beside the number that the other half gives."""

import numpy as np

from generator.numbers.number import Number, alone


def at_place(name: str, layer: int | np.integer, head: int | np.integer, n: int) -> dict[str, Number]:
    """A chosen head, given by 0-based layer and head, as two numbers of the model whose names begin with `name`.

    >>> [(name, one.value) for name, one in at_place("best", 2, 0, 5).items()]
    [('best.layer', 3), ('best.head', 1)]
    """
    return {f"{name}.layer": alone(int(layer) + 1, n), f"{name}.head": alone(int(head) + 1, n)}
