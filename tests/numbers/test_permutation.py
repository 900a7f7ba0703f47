"""The chance of ranks against SciPy: its exact test, and, where numbers are equal, all permutations."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, permutation_test

from generator.numbers.permutation import chance_of_ranks


@pytest.mark.parametrize(("ours", "theirs"), [(1, 1), (1, 12), (3, 4), (4, 16), (5, 3)])
def test_chance_is_that_of_the_exact_test(ours, theirs):
    numbers = np.random.default_rng(ours * theirs).standard_normal((2, 20))
    first, second = numbers[0, :ours] + 0.5, numbers[1, :theirs]
    expected = mannwhitneyu(first, second, alternative="greater", method="exact").pvalue
    assert chance_of_ranks(first, second) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_equal_numbers_share_a_rank(seed):
    """How many are below, and half of those equal, over all pairs: another form of the same statistic."""
    numbers = np.random.default_rng(seed).integers(0, 4, 9).astype(float)
    first, second = numbers[:3], numbers[3:]

    def pairs(one, other):
        return np.sum((one[:, None] > other) + (one[:, None] == other) / 2)

    expected = permutation_test((first, second), pairs, alternative="greater", n_resamples=np.inf).pvalue
    assert chance_of_ranks(first, second) == pytest.approx(expected, abs=1e-12)
    assert chance_of_ranks(np.ones(2), np.ones(3)) == 1
