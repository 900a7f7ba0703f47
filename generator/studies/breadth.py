"""How broadly heads attend: entropy as a share of that of uniform attention on the same text."""

import numpy as np
import pandas as pd

from generator.numbers.makers import makes
from generator.numbers.number import Grid
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.derived_quantities import OF_HEADS

ENTROPY = "entropy.all"


@makes(OF_HEADS, "breadth")
def breadth(documents: pd.DataFrame, uniform: pd.DataFrame, seed: int) -> Grid:
    """Mean entropy of every head divided by that of uniform attention on the same documents, `[layer, head]`.

    Takes the rows of one corpus of the tables `documents` and `uniform`. Both entropies of a document are drawn
    together, so no end lies above 1: no attention is broader than uniform attention.
    """
    rows = documents.sort_values(["document", "layer", "head"], kind="stable")
    shape = rows["document"].nunique(), int(rows["layer"].max()), int(rows["head"].max())
    entropy = rows[ENTROPY].to_numpy(float).reshape(shape)
    # One row of each document: they are sorted, and all have as many rows as the model has heads.
    most = uniform.set_index("document").loc[rows["document"].iloc[:: shape[1] * shape[2]], ENTROPY].to_numpy(float)
    defined = ~np.isnan(entropy) & ~np.isnan(most)[:, None, None]
    return bootstrap_ratio(np.where(defined, entropy, 0.0), np.where(defined, most[:, None, None], 0.0), seed)
