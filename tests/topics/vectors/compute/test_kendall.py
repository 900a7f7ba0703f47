"""Kendall's tau of many rows at once, against scipy's of each."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from generator.topics.vectors.compute.kendall import kendall


@pytest.mark.parametrize("size", [2, 3, 17, 128])
@pytest.mark.parametrize("kinds", [2, 9, 1000])
def test_kendall_of_every_row_is_scipys_with_ties_and_entries_left_out(size, kinds):
    rng = np.random.default_rng(size)
    first, second = rng.integers(kinds, size=(2, 3, 5, size)).astype(np.float32)
    for counts in (np.ones((5, size), bool), rng.random((3, 5, size)) < 0.7):
        found, marked = kendall(first, second, counts), np.broadcast_to(counts, first.shape)
        for place in np.ndindex(3, 5):
            a, b = first[place][marked[place]], second[place][marked[place]]
            varies = len(a) > 1 and np.ptp(a) and np.ptp(b)
            expected = kendalltau(a, b).statistic if varies else np.nan
            assert found[place] == pytest.approx(expected, abs=1e-14, nan_ok=True), place
