"""Distances between the heads of a model, from stored tables: by divergence or, if it is missing, by measures."""

import numpy as np
import pandas as pd

from generator.numbers.makers import makes
from generator.studies.derived_quantities import OF_HEADS


@makes(OF_HEADS, "distance.divergence")
def mean_divergence(table: pd.DataFrame, heads: int) -> np.ndarray:
    """`[head, head]`, the mean over documents of the divergences of one corpus in the table `divergence`, in nats."""
    square = np.zeros((heads, heads))
    documents = table["documents"].to_numpy(float)
    square[np.triu_indices(heads, k=1)] = documents @ np.stack(table["divergence"].to_list()) / documents.sum()
    both: np.ndarray = square + square.T
    return both


@makes(OF_HEADS, "distance.measures")
def profile_distance(profile: np.ndarray) -> np.ndarray:
    """`[head, head]`, the Euclidean distance of measures, `[head, measure]`, each scaled to mean 0 and deviation 1.

    Measures that are undefined for some head, or equal for all heads, are left out.
    """
    kept = profile[:, ~np.isnan(profile).any(0)]
    spread = kept.std(0)
    scaled = (kept[:, spread > 0] - kept[:, spread > 0].mean(0)) / spread[spread > 0]
    distances: np.ndarray = np.linalg.norm(scaled[:, None] - scaled[None], axis=-1)
    return distances
