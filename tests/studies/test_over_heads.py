"""Correlations over heads against scipy, with heads that have no number."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from generator.studies.over_heads import explains_cost, links_next_door

RNG = np.random.default_rng(5)
LINK, PREVIOUS, FOLLOWING = RNG.random((3, 3, 4))


def test_links_are_compared_with_the_sum_of_both_neighbours():
    found = links_next_door(LINK, PREVIOUS, FOLLOWING, 0)
    assert found.value == pytest.approx(spearmanr(LINK.ravel(), (PREVIOUS + FOLLOWING).ravel()).statistic)
    assert found.n == LINK.size
    assert found.low < found.value < found.high


def test_cost_is_the_loss_of_the_score():
    change = -2 * LINK**3
    assert explains_cost(LINK, change, 0).value == pytest.approx(1)
    assert explains_cost(LINK, -change, 0).value == pytest.approx(-1)


def test_a_head_without_a_number_is_left_out():
    link = LINK.copy()
    link[1, 2] = np.nan
    kept = ~np.isnan(link)
    found = links_next_door(link, PREVIOUS, FOLLOWING, 0)
    assert found.n == LINK.size - 1
    assert found.value == pytest.approx(spearmanr(LINK[kept], (PREVIOUS + FOLLOWING)[kept]).statistic)
