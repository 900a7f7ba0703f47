"""Where the attention of a model rests: which of [CLS], [SEP], and periods and commas gets most in some layer.

The layer and the token are chosen among all of them, so intervals are widened for as many numbers. The share must
surely be PREFERRED times what uniform attention gives, and larger than those of the other tokens in that layer.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from generator.claims.gate.maps import FEWEST, PREFERRED, SPECIAL
from generator.numbers.number import Grid, Number
from generator.numbers.simultaneous import widened

PLACES = *SPECIAL, "attention.punctuation"
"""The measures of attention to these tokens."""


class Resting(NamedTuple):
    """The token that gets most of a layer's attention, in the layer that gives it most."""

    column: str
    layer: int
    """From 1."""
    share: Number
    """Mean over the layer's heads and the documents."""


def resting(layers: Mapping[str, Grid], uniform: Mapping[str, float]) -> Resting | None:
    """Where attention rests, from the numbers of each measure by layer and its share in uniform attention; None where
    the text leaves it open.
    """
    found = [
        Resting(column, at + 1, Number(*(part[at].item() for part in layers[column])))
        for column in PLACES
        for at in range(len(layers[column].value))
        if not np.isnan(layers[column].value[at])
    ]
    if not found:
        return None
    most = max(found, key=lambda candidate: candidate.share.value)
    low, *others = (
        widened(most.share, len(found)).low,
        *(widened(other.share, len(found)).high for other in found if other.layer == most.layer and other is not most),
    )
    sure = most.share.n >= FEWEST and low > max([PREFERRED * uniform[most.column], *others])
    return most if sure else None
