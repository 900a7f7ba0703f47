"""Distances between heads against plain loops."""

from itertools import combinations

import numpy as np
import pytest

from generator.studies.between_heads import mean_divergence, profile_distance
from generator.topics.distances.compute.doubles import shares_with_double
from generator.topics.distances.derived.nearest import with_double

RNG = np.random.default_rng(3)
HEADS = 5


def test_divergences_are_averaged_over_documents_and_put_in_both_places():
    rows = RNG.random((3, HEADS * (HEADS - 1) // 2))
    found = mean_divergence(rows, HEADS)
    assert not found.diagonal().any()
    for at, (one, other) in enumerate(combinations(range(HEADS), 2)):
        expected = sum(row[at] for row in rows) / len(rows)
        assert found[one, other] == found[other, one] == pytest.approx(expected)


def test_measures_are_scaled_and_those_that_say_nothing_left_out():
    kept = RNG.random((HEADS, 2)) * [1, 1000]
    equal, missing = np.full(HEADS, 0.3), np.array([1, 2, np.nan, 3, 4])
    found = profile_distance(np.column_stack([kept, equal, missing]))
    scaled = (kept - kept.mean(0)) / np.sqrt(((kept - kept.mean(0)) ** 2).mean(0))
    for one, other in combinations(range(HEADS), 2):
        assert found[one, other] == pytest.approx(sum((scaled[one] - scaled[other]) ** 2) ** 0.5)


def test_as_many_heads_have_a_double_as_the_share_that_is_stored_says():
    for _ in range(20):
        rows = RNG.random((3, HEADS * (HEADS - 1) // 2))
        found = with_double(mean_divergence(rows, HEADS))
        assert found.mean() == shares_with_double(rows.mean(0)[None])[0]
    assert with_double(np.ones((HEADS, HEADS))).tolist() == [False] * HEADS
