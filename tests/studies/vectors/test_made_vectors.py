"""Vectors made by hand, of which is known how alike they are and what one direction explains."""

import math

import numpy as np
import pytest

from generator.numbers.resampling import DRAWS
from generator.studies.vectors.contextuality import intra_similarity, random_words_alike, self_similarity
from generator.studies.vectors.explained_variance import centred, explained
from tests.studies.vectors.slowly import SLOW, cosine, slow_centred

SEED = 5


def test_random_words_are_resampled_one_by_one_and_make_no_pair_with_themselves():
    vectors = np.random.default_rng(0).normal(size=(7, 2, 5)) + 1
    found = random_words_alike(vectors.swapaxes(0, 1), SEED)
    times = np.random.default_rng(SEED).multinomial(7, np.full(7, 1 / 7), size=DRAWS)
    direction = np.linalg.svd(vectors[:, 1])[2][0]
    for draw in (0, 1, DRAWS - 1):
        chosen = [at for at, often in enumerate(times[draw]) for _ in range(often)]
        pairs = [cosine(vectors[a, 1], vectors[b, 1]) for a in chosen for b in chosen if a != b]
        assert found[0].draws[draw, 1] == pytest.approx(np.mean(pairs))
        sample = vectors[chosen, 1]
        assert found[1].draws[draw, 1] == pytest.approx((sample @ direction).var() / sample.var(axis=0).sum())
    assert found[0].value[1] == pytest.approx(SLOW["self_similarity"](list(vectors[:, 1])))
    assert found[1].value[1] == pytest.approx(slow_centred(list(vectors[:, 1])))


def test_a_draw_of_one_word_alone_has_no_pair():
    cosines, _ = random_words_alike(np.array([[[1.0, 0], [0.6, 0.8]]]), SEED)
    assert cosines.value == pytest.approx([0.6])
    times = np.random.default_rng(SEED).multinomial(2, [0.5, 0.5], size=DRAWS)
    alone = (times == 2).any(1)
    assert alone.any()
    np.testing.assert_allclose(cosines.draws[:, 0], np.where(alone, np.nan, 0.6))


def test_one_direction_explains_all_some_or_nothing():
    """The mean of the first four vectors points where they all point, and so does what they differ in."""
    line = np.outer([1.0, 2, 3, 4], [1, 1, 0])
    across = np.array([[5.0, 1, 0], [5, -1, 0], [5, 1, 0], [5, -1, 0]])
    same = np.tile([1.0, 2, 3], (4, 1))
    shares = explained(np.stack([rows @ rows.T for rows in (line, across, same)]))
    np.testing.assert_allclose(shares.uncentred, [1, 100 / 104, 1], atol=1e-12)
    np.testing.assert_allclose(shares.centred, [1, 0, np.nan], atol=1e-12)
    np.testing.assert_allclose(shares.pca, [1, 1, np.nan], atol=1e-12)
    each = np.ones((1, 4))
    np.testing.assert_allclose([centred(rows, each)[0] for rows in (line, across, same)], [1, 0, np.nan], atol=1e-12)


def test_equal_opposite_and_orthogonal_vectors_by_hand():
    x, y = np.array([1.0, 0, 0]), np.array([0, 2.0, 0])
    vectors = np.stack([np.stack([x, x, x]), np.stack([3 * x, -x, y])])  # two occurrences, three layers
    rows = vectors.swapaxes(0, 1)
    products = rows @ rows.swapaxes(1, 2)
    np.testing.assert_allclose(self_similarity(products), [1, -1, 0], atol=1e-12)
    np.testing.assert_allclose(explained(products).uncentred, [1, 1, 4 / 5], atol=1e-12)
    states = np.stack([np.stack([y, x, 5 * x, y]), np.stack([y, x, y / 2, y])])
    within = intra_similarity(states, [slice(1, 3), slice(2, 4)])
    np.testing.assert_allclose(within, [[1, 7 / 2 / math.sqrt(29)], [math.sqrt(1 / 2), 1]])
    assert intra_similarity(states, []).shape == (2, 0)
