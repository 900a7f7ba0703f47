"""What the stored numbers of a comparison say over all heads: how many changed, how far, where their twins stand."""

import numpy as np

from generator.numbers.makers import makes
from generator.numbers.number import Grid, one_minus
from generator.topics.compare.records.changes import OF_CHANGES


@makes(OF_CHANGES, "maps")
def change_of_maps(cosine: Grid) -> Grid:
    """1 minus the cosine of the maps of every head, `[layer, head]`; so the ends of the intervals are swapped."""
    return one_minus(cosine)


@makes(OF_CHANGES, "leaves_out_zero")
def leaves_out_zero(change: Grid) -> int:
    """How many changes have an interval of their own that leaves out 0."""
    return int(((change.low > 0) | (change.high < 0)).sum())


@makes(OF_CHANGES, "twins.same_layer")
def in_same_layer(layers: np.ndarray) -> tuple[int, int]:
    """How many heads have a twin in their own layer, and how many have a twin at all.

    `layers` is `[layer, head]`: the 1-based layer of each head's twin, NaN where it has none.
    """
    same = layers == np.arange(1, len(layers) + 1)[:, None]
    return int(same.sum()), int((~np.isnan(layers)).sum())
