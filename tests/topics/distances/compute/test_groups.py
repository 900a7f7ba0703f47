"""Distances that are added up by groups of documents: the same in any order, the same as by document up to GROUPS."""

import numpy as np
import pytest

from generator.attention.observed import Observed
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.numbers.resampling import GROUPS
from generator.topics.distances.compute.divergence import pairwise
from generator.topics.distances.compute.groups import STEP, ExactSums
from generator.topics.distances.compute.landscape import NO_BEHAVIOUR, landscape
from generator.topics.distances.compute.study import DivergenceRows

SHAPE, TOKENS, SEED = (2, 2), 6, 0
RNG = np.random.default_rng(0)


def texts(documents):
    """So many documents, of which every third has two inputs."""
    places = [(f"d{at:03}", part) for at in range(documents) for part in (1, 2)[: 1 + (at % 3 == 0)]]
    classes = (TokenClass.OTHER,) * TOKENS
    inputs = [Input(name, part, (5,) * TOKENS, (0,) * TOKENS, classes) for name, part in places]
    maps = RNG.dirichlet(np.ones(TOKENS), size=(len(inputs), *SHAPE, TOKENS)).astype(np.float32)
    return [Observed(item, None, weights) for item, weights in zip(inputs, maps, strict=True)]


def gathered(seen):
    rows = DivergenceRows(SHAPE[0], [one.input for one in seen], SEED)
    for one in seen:
        rows.add(one)
    return rows


def by_document(seen):
    parts = {}
    for one in seen:
        parts.setdefault(one.input.document, []).append(pairwise(one.weights))
    return {name: np.mean(found, axis=0) for name, found in parts.items()}


def numbers(groups):
    return landscape(groups, SHAPE, np.full(SHAPE, NO_BEHAVIOUR), "m", "c", SEED).facts.set_index("name")


@pytest.mark.parametrize(("documents", "rows"), [(GROUPS, GROUPS), (GROUPS + 1, GROUPS), (3 * GROUPS - 1, GROUPS)])
def test_a_row_is_a_document_or_of_more_than_a_hundred_the_mean_of_a_few(documents, rows):
    seen = texts(documents)
    found, expected = gathered(seen).table("text"), by_document(seen)
    assert len(found) == rows
    assert found["documents"].sum() == documents
    assert found["documents"].max() - found["documents"].min() <= 1
    assert found["document"].is_monotonic_increasing
    assert set(found["tokens"]) == {TOKENS}
    whole = found["documents"].to_numpy() @ np.stack(found["divergence"].to_list()) / documents
    np.testing.assert_allclose(whole, np.mean([*expected.values()], axis=0), atol=1e-7)
    alone = found[found["documents"] == 1]
    for name, divergence in zip(alone["document"], alone["divergence"], strict=True):
        np.testing.assert_allclose(divergence, expected[name], atol=1e-7)


def test_of_many_documents_numbers_are_those_of_all_and_intervals_nearly_as_wide():
    """The interval is as wide as the standard error over documents says, because groups are drawn."""
    seen = texts(3 * GROUPS)
    groups = gathered(seen).groups()
    found = numbers(groups)
    assert (found["n"] == 3 * GROUPS).all()
    within = np.mean([*by_document(seen).values()], axis=0)[[0, 5]].mean()  # the pairs of layer 1 and of layer 2
    assert found.loc["within", "value"] == pytest.approx(within, abs=1e-9)
    each = np.array([row[[0, 5]].mean() for row in by_document(seen).values()])
    error = each.std() / np.sqrt(len(each))
    assert found.loc["within", "high"] - found.loc["within", "low"] == pytest.approx(2 * 1.96 * error, rel=0.3)


def test_the_order_of_inputs_changes_no_bit():
    seen = texts(GROUPS + 50)
    one, other = gathered(seen).groups(), gathered([seen[at] for at in RNG.permutation(len(seen))]).groups()
    np.testing.assert_array_equal(one.sums, other.sums)
    np.testing.assert_array_equal(one.documents, other.documents)


def test_sums_are_exact_up_to_half_a_step_for_each_addition():
    sums, values = ExactSums(2), RNG.uniform(0, np.log(2), size=(1000, 3))
    assert sums.sums.shape == (2, 0)
    for value in values:
        sums.add(1, value)
    np.testing.assert_allclose(sums.sums[1], values.sum(0), rtol=0, atol=len(values) * STEP / 2)
    assert not sums.sums[0].any()
