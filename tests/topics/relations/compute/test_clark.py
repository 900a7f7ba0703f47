"""What we compute in one pass is what Clark et al.'s formulas give on whole maps of the same segments."""

import numpy as np
import pytest

from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import PairMaker
from generator.measures import COLUMNS, compute
from generator.topics.distances.compute.divergence import pairwise
from generator.topics.relations.derived.predictions import predict
from tests import clark
from tests.attention.observations import counts_of, inputs_of


@pytest.fixture(scope="module", params=["bert", "roberta"])
def seen(request, encoder, anatomy):
    inputs = inputs_of(encoder(request.param))[:3]
    options = Options(smoothing=1e-4, keep_weights=True)
    return list(observe(encoder(request.param), anatomy(request.param), inputs, options))


def test_averages_and_entropies(seen):
    for one in seen:
        kinds = np.array(one.input.classes)
        at = {kind: np.flatnonzero(kinds == kind).tolist() for kind in TokenClass}
        maps = one.weights.astype(np.float64)
        expected = clark.averages(maps, at[TokenClass.BEGIN], at[TokenClass.SEPARATOR], at[TokenClass.PUNCTUATION])
        found = compute(one.primitives, counts_of(one.input))
        for name, values in {**expected, **clark.entropies(maps)}.items():
            np.testing.assert_allclose(found[..., COLUMNS.index(name)], values, rtol=0, atol=2e-6, err_msg=name)


def test_divergences(seen):
    for one in seen:
        expected = clark.divergences(one.weights.astype(np.float64))
        np.testing.assert_allclose(pairwise(one.weights), expected[np.triu_indices(len(expected), 1)], atol=3e-6)


def test_dependency_picks(encoder, anatomy):
    maker = PairMaker(encoder("bert").tokenizer, 128)
    item = maker.words("s", ["The", "old", "lighthouse", "keeper", "knew", "a", "name", "."])
    (one,) = observe(encoder("bert"), anatomy("bert"), [item.input], Options(keep_weights=True))
    groups = np.split(item.pieces, item.starts[1:])
    found = predict(word_maps(one.weights, item).weights)
    np.testing.assert_array_equal(found, clark.dependency_picks(one.weights, groups))
