"""Tables of `documents` and `uniform` from layer curves one writes down."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from generator.topics.layers.derived.profiles import SHOWN

TOKENS = 128


def tables(curves: Mapping[str, np.ndarray]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Curves `[document, layer, head]` by column of the store; a column that is not given is NaN."""
    documents, layers, heads = next(iter(curves.values())).shape
    places = np.indices((documents, layers, heads)).reshape(3, -1)
    names = [f"d{number:03}" for number in range(documents)]
    missing = np.full(documents * layers * heads, np.nan)
    table = pd.DataFrame(
        {
            "corpus": "made",
            "document": np.array(names)[places[0]],
            "layer": places[1] + 1,
            "head": places[2] + 1,
            **{name: curves[name].ravel() if name in curves else missing for name in SHOWN},
        }
    )
    return table, pd.DataFrame({"corpus": "made", "document": names, "entropy.all": np.log(TOKENS)})


def noisy(curve: np.ndarray, noise: float, documents: int = 20, heads: int = 2, seed: int = 0) -> np.ndarray:
    """`[layer]` -> `[document, layer, head]`."""
    shape = documents, len(curve), heads
    return np.asarray(curve)[None, :, None] + noise * np.random.default_rng(seed).normal(size=shape)
