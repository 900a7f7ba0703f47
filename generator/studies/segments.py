"""Whether a head keeps within the segment, or only looks near: attention within it beside the distances that it looks.

A head that looks a few tokens back stays within the segment most of the time whatever it does. So what it keeps within
the segment is compared with a head that looks over the same distances, and at all pairs of one distance alike.
"""

import numpy as np
import pandas as pd

from generator.attention.sums.primitives import REACH
from generator.measures.position import OFFSET_COLUMNS
from generator.numbers.makers import makes
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap
from generator.studies.derived_quantities import OF_HEADS

SAME = "attention.same_segment"


@makes(OF_HEADS, "segment.excess")
def segment_excess(documents: pd.DataFrame, uniform: pd.DataFrame, seed: int) -> Grid:
    """Attention within the segment minus that of a head with the same profile of offsets, `[layer, head]`.

    Takes the rows of one corpus of the tables `documents` and `uniform`; documents are resampled.
    """
    rows = documents.sort_values(["document", "layer", "head"], kind="stable")
    shape = rows["document"].nunique(), int(rows["layer"].max()), int(rows["head"].max())
    of = uniform.set_index("document").loc[rows["document"].iloc[:: shape[1] * shape[2]]]
    stays = np.stack([_stays(*document) for document in zip(of["tokens"], of[SAME], strict=True)])
    profile = rows[list(OFFSET_COLUMNS)].to_numpy().reshape(*shape, -1)
    expected = np.einsum("dlho,do->dlh", profile, stays)
    return bootstrap(rows[SAME].to_numpy().reshape(shape) - expected, seed)


def _stays(tokens: float, same: float) -> np.ndarray:
    """`[offset]`: of all pairs of tokens at an offset, the share that lies within one of two segments.

    `same` is that of all pairs at any offset, from which the sizes of the segments follow.
    """
    n = round(tokens)
    first = n * (1 + np.sqrt(max(2 * same - 1, 0))) / 2
    apart = np.arange(n)
    within = sum(np.maximum(size - apart, 0) for size in (first, n - first))
    near = within[: REACH + 1] / np.maximum(n - apart[: REACH + 1], 1)
    # Fewer tokens have no pair at the larger offsets.
    near = np.pad(near, (0, REACH + 1 - len(near)))
    beyond = within[REACH + 1 :].sum() / max((n - apart[REACH + 1 :]).sum(), 1)
    # Offsets before mirror those after; 0 comes once.
    return np.array([beyond, *near[:0:-1], *near, beyond])
