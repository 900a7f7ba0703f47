"""The numbers by which example maps are classed are those of the measures."""

import numpy as np
import pytest

from generator.attention.saved import SavedMaps
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.measures.patterns import PATTERN_COLUMNS, PATTERNS
from generator.topics.layers.derived.typical_maps import Sentence, classed, numbers_of

B, S, P, W = (TokenClass.BEGIN, TokenClass.SEPARATOR, TokenClass.PUNCTUATION, TokenClass.OTHER)
SENTENCES = ((B, W, W, P, W, W, S), (B, W, S), (B, P, W, W, W, W, W, W, S))
WORDS = {B: "[CLS]", S: "[SEP]", P: ",", W: "word"}


def maps(kinds, sharp):
    """`[layer, head, query, key]`, some weights of which are 0."""
    logits = np.random.default_rng(len(kinds)).normal(0, sharp, (2, 3, len(kinds), len(kinds)))
    weights = np.where(logits < -sharp, 0, np.exp(logits)) + np.eye(len(kinds)) * 1e-3
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("sharp", [0.1, 1, 8])
def test_numbers_and_patterns_are_those_that_an_analysis_measures(sharp):
    at = [COLUMNS.index(name) for name in PATTERN_COLUMNS]
    named = [COLUMNS.index(f"attention.{name}") for name in ("cls", "sep", "near", "segment_breadth")]
    weights = {str(place): maps(kinds, sharp) for place, kinds in enumerate(SENTENCES)}
    inputs = tuple(
        Input(str(place), 1, tuple(range(len(kinds))), (0,) * len(kinds), kinds)
        for place, kinds in enumerate(SENTENCES)
    )
    found = classed(
        [Sentence([WORDS[kind] for kind in kinds], weights[str(place)]) for place, kinds in enumerate(SENTENCES)],
        begins=True,
        separates=True,
    )
    by_place = {(one.sentence, one.layer, one.head): one for one in found}
    assert len(by_place) == 3 * 2 * 3
    for sentence, seen in enumerate(SavedMaps("some", "", inputs, (), weights).observe()):
        measured = compute(seen.primitives, Counts.of(seen.input))
        special, near, breadth = numbers_of(weights[str(sentence)], SENTENCES[sentence])
        begin, end, beside, broad = (measured[..., one] for one in named)
        np.testing.assert_allclose(special, begin + end, atol=1e-6)
        np.testing.assert_allclose(near, beside, atol=1e-6)
        np.testing.assert_allclose(breadth, broad, atol=1e-6)
        for layer, head in np.ndindex(2, 3):
            own = by_place[sentence, layer + 1, head + 1]
            assert own.pattern == PATTERNS[int(measured[layer, head][at].argmax())]
            assert own.numbers == pytest.approx((special[layer, head], near[layer, head], breadth[layer, head]))
