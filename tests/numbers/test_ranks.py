"""The Mann-Whitney test gives what scipy gives."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from generator.numbers.ranks import higher


@pytest.mark.parametrize(("ours", "theirs"), [(1, 1), (2, 40), (4, 96), (8, 9), (9, 8), (9, 30)])
@pytest.mark.parametrize("step", [None, 0.5], ids=["no ties", "ties"])
def test_it_is_the_test_of_scipy(ours, theirs, step):
    for seed in range(20):
        random = np.random.default_rng(seed)
        one, other = random.normal(0.3, 1, ours), random.normal(0, 1, theirs)
        if step:
            one, other = (np.round(values / step) * step for values in (one, other))
        expected = mannwhitneyu(one, other, alternative="greater").pvalue
        assert higher(one, other) == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


def test_values_that_are_all_equal_are_no_higher():
    assert higher(np.ones(3), np.ones(20)) == mannwhitneyu(np.ones(3), np.ones(20), alternative="greater").pvalue
