"""Heads with doubles: planted pairs are found, random heads have none to spare, and numbers equal loops."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.corpora.files import TEXT
from generator.corpora.kind import Corpus
from generator.models.twin import untrained_twin
from generator.numbers.resampling import DRAWS
from generator.studies.all import PROCEDURES
from generator.topics.distances.compute.divergence import pairwise
from generator.topics.distances.compute.doubles import RANDOM_SETS, doubles, random_shares, shares_with_double
from generator.topics.distances.compute.study import DOCUMENTS, TWINS
from tests.attention.observations import DOCUMENTS as TEXTS
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS
from tests.studies.surveyed import of_study, survey

SEED = 2


def slow_share(pairs, heads):
    """From the distances of all pairs in order."""
    distance = dict(zip(itertools.combinations(range(heads), 2), pairs, strict=True))
    half = sum(pairs) / len(pairs) / 2
    return sum(any(distance[min(a, b), max(a, b)] < half for b in range(heads) if b != a) for a in range(heads)) / heads


def points(heads, dimensions, seed):
    return np.random.default_rng(seed).normal(size=(heads, dimensions))


@pytest.mark.parametrize(("nearest", "expected"), [(0.499, 2 / 4), (0.501, 0.0)])
def test_a_double_is_nearer_than_half_of_the_mean(nearest, expected):
    """Two heads that lie `nearest` times the mean apart; the distances of the others make up for it."""
    rest = (6 - nearest) / 5
    distance = np.full((4, 4), rest) - np.eye(4) * rest
    distance[0, 1] = distance[1, 0] = nearest
    assert shares_with_double(squareform(distance)[None]).tolist() == [expected]


def test_shares_and_their_intervals_equal_loops_over_resampled_documents():
    rows = np.random.default_rng(0).uniform(0.01, 0.3, size=(6, 28)) ** 2
    found = doubles(rows, SEED)
    assert found["doubles"].value == slow_share(rows.mean(0), 8)
    times = np.random.default_rng(SEED).multinomial(6, np.full(6, 1 / 6), size=DRAWS)
    shares = [slow_share((drawn @ rows) / 6, 8) for drawn in times]
    assert [found["doubles"].low, found["doubles"].high] == pytest.approx(np.quantile(shares, [0.025, 0.975]))
    random = random_shares(rows.mean(0), SEED)
    assert len(random) == RANDOM_SETS
    assert found["doubles.random"].value == pytest.approx(random.mean())
    ends = np.quantile(random, [0.025, 0.975])
    assert [found["doubles.random"].low, found["doubles.random"].high] == pytest.approx(ends)
    excess = [share - other for share in shares for other in random]
    assert found["doubles.excess"].value == pytest.approx(slow_share(rows.mean(0), 8) - random.mean())
    ends = np.quantile(excess, [0.025, 0.975])
    assert [found["doubles.excess"].low, found["doubles.excess"].high] == pytest.approx(ends)
    assert all(one.n == 6 for one in found.values())


def test_random_heads_have_the_covariance_of_the_heads():
    """Their shares are those of points drawn with the covariance of the points that the distances were made of."""
    heads = points(60, 8, 0) * [1, 1, 1, 0.5, 0.5, 0.2, 0.2, 0.1] @ np.linalg.qr(points(8, 8, 1))[0]
    covariance = np.cov(heads, rowvar=False)
    rng = np.random.default_rng(3)
    drawn = [rng.multivariate_normal(np.zeros(8), covariance, size=60) for _ in range(300)]
    expected = [slow_share(pdist(one) ** 2, 60) for one in drawn]
    found = random_shares(pdist(heads) ** 2, SEED)
    error = math.hypot(np.std(found) / math.sqrt(len(found)), np.std(expected) / math.sqrt(len(expected)))
    assert abs(found.mean() - np.mean(expected)) < 4 * error
    assert np.std(found) == pytest.approx(np.std(expected), rel=0.3)


def test_points_at_random_in_few_dimensions_nearly_all_have_a_double_and_that_is_no_excess():
    rows = pdist(points(72, 3, 5))[None] ** 2 * np.random.default_rng(1).uniform(0.9, 1.1, size=(12, 2556))
    found = doubles(rows, SEED)
    assert found["doubles"].value > 0.9
    assert found["doubles.excess"].low <= 1e-9
    assert found["doubles.excess"].value < 0.05


def test_planted_pairs_exceed_random_heads():
    """Forty heads in pairs: random heads of their covariance, which has nineteen dimensions, lie farther apart."""
    pairs = np.repeat(points(20, 60, 4), 2, axis=0) + 0.05 * points(40, 60, 6)
    rows = pdist(pairs)[None] ** 2 * np.random.default_rng(1).uniform(0.9, 1.1, size=(12, 780))
    found = doubles(rows, SEED)
    assert found["doubles"].value == 1
    assert found["doubles.random"].high < 0.9
    assert found["doubles.excess"].low > 0.1


def test_heads_that_do_not_differ_have_no_doubles_and_one_document_no_interval():
    for double in doubles(np.zeros((3, 66)), SEED).values():
        assert np.isnan([double.value, double.low, double.high]).all()
    found = doubles(np.random.default_rng(0).uniform(size=(1, 66)), SEED)
    assert not np.isnan([one.value for one in found.values()]).any()
    for name in ("doubles", "doubles.excess"):
        assert np.isnan([found[name].low, found[name].high]).all()
    assert found["doubles.random"].low <= found["doubles.random"].high


def test_untrained_twins_read_the_first_parts_as_the_model_does(encoder):
    one = encoder("bert")
    inputs = inputs_of(one, max_tokens=32)
    text = Corpus("texts", TEXT, "1" * 64, TEXTS, "en")

    def found(corpus):
        studies = [each for each in PROCEDURES if each.study in ("measures", "landscape")]
        return of_study(survey(one, corpus, studies=studies, seed=SEED, max_tokens=32).tables, "landscape")

    table = found(text).set_index("name")
    first = sorted((item for item in inputs if item.part == 1), key=lambda item: item.document)
    assert len(first) <= DOCUMENTS
    assert len(first) < len(inputs)

    def share(model):
        seen = list(observe(model, examine(model), first, Options(keep_weights=True)))
        maps = {each.input.document: each.weights for each in seen}
        return slow_share(np.mean([pairwise(maps[item.document]) for item in first], axis=0), LAYERS * HEADS)

    twins = np.mean([share(untrained_twin(one, SEED, draw)) for draw in range(TWINS)])
    assert table.loc["doubles.twin", "value"] == pytest.approx(twins)
    assert table.loc["doubles.twin.excess", "value"] == pytest.approx(share(one) - twins)
    for row in table.loc[["doubles.twin", "doubles.twin.excess"]].itertuples():
        assert row.low <= row.value <= row.high
        assert (row.study, row.layer, row.n) == ("landscape", 0, len(first))
    other = found(replace(text, items=TEXTS[::-1])).set_index("name")
    np.testing.assert_allclose(other["value"], table["value"])
