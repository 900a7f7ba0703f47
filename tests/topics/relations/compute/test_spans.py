"""Attention within spans between punctuation: loops over pairs of words, and sentences whose spans are known."""

import numpy as np
import pytest

from generator.corpora.treebank import Sentence, Word
from generator.numbers.resampling import DRAWS, bootstrap_ratio
from generator.topics.relations.compute.spans import OUTSIDE, span_masses, spans
from tests.studies.stored import ROUNDING, SEED, row, same
from tests.topics.relations.compute.words import HEADS, LAYERS, by_name, every_head, maps_of, numbers_of, of_one_head


def _text(marked, name="s"):
    """Words in one string; a punctuation mark is a word of its own."""
    return Sentence(name, tuple(Word(form, "X" if form.isalpha() else "PUNCT", 0, "dep") for form in marked.split()))


def _slow_spans(sentence, weights):
    """Sums over words: weight on the same span, and the mean weight at its keys' distances; and words."""
    marks = [at for at, word in enumerate(sentence.words) if word.upos == "PUNCT"]
    text = [at for at in range(len(sentence.words)) if at not in marks]
    part = {at: sum(mark < at for mark in marks) for at in text}
    if len(set(part.values())) < 2:
        return 0.0, 0.0, 0
    inside = matched = 0.0
    for query in text:
        for key in text:
            if key != query and part[key] == part[query]:
                at_distance = [float(weights[i, j]) for i in text for j in text if j - i == key - query]
                inside += float(weights[query, key])
                matched += sum(at_distance) / len(at_distance)
    return inside, matched, len(text)


@every_head
def test_spans_equal_loops_over_pairs_of_words(corpus, tables, layer, head):
    rows = np.array([_slow_spans(sentence, maps.weights[layer, head]) for sentence, maps, _ in by_name(corpus)])
    inside, matched, words = rows.T
    assert 0 < (words > 0).sum() < len(corpus)
    parts = {"span.inside": inside, "span.matched": matched, "span.gain": inside - matched}
    for name, part in parts.items():
        same(row(tables[1], name, layer + 1, head + 1), bootstrap_ratio(part, words, SEED))


def test_the_ratio_of_layers_resamples_sentences_and_takes_their_heads_together(corpus, tables):
    """Of the last third of layers, which is one here, and of each layer; a ratio of two means in every draw."""
    each = np.array(
        [
            [[_slow_spans(sentence, maps.weights[layer, head]) for head in range(HEADS)] for layer in range(LAYERS)]
            for sentence, maps, _ in by_name(corpus)
        ]
    )
    inside, matched = each[..., 0].mean(2), each[..., 1].mean(2)
    times = np.random.default_rng(SEED).multinomial(len(each), np.full(len(each), 1 / len(each)), size=DRAWS)
    found = tables[0][tables[0].name == "span.ratio"].set_index("layer")
    for place, layer in [(0, LAYERS - 1), *((layer + 1, layer) for layer in range(LAYERS))]:
        row = found.loc[place]
        assert row.value == pytest.approx(inside[:, layer].sum() / matched[:, layer].sum(), abs=ROUNDING)
        drawn = (times @ inside[:, layer]) / (times @ matched[:, layer])
        assert [row.low, row.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist(), abs=ROUNDING)
        assert row.n == (each[:, 0, 0, 2] > 0).sum()


def test_spans_of_a_sentence_made_by_hand():
    assert spans(_text("a b , c ; d e f .")).tolist() == [0, 0, -1, 1, -1, 2, 2, 2, -1]
    assert spans(_text('" a , , b')).tolist() == [-1, 0, -1, -1, 1]
    assert spans(_text(". .")).tolist() == [OUTSIDE] * 2


def test_a_head_that_sees_only_its_span_is_far_above_its_distances():
    sentence = _text("a b c , d e f")
    span = spans(sentence)
    same = (span[:, None] == span) & (span != OUTSIDE)[:, None]
    found = numbers_of(sentence, of_one_head(same / same.sum(-1, keepdims=True).clip(1)))
    assert found["span.inside"] == pytest.approx(2 / 3)
    at_distance = {1: 4 / 4, 2: 2 / 3}  # pairs of one span among the pairs of words so far apart
    expected = (4 * at_distance[1] + 2 * at_distance[2]) * 2 / 6 / 3
    assert found["span.matched"] == pytest.approx(expected)
    assert found["span.gain"] == pytest.approx(2 / 3 - expected)


@pytest.mark.parametrize("seed", range(3))
def test_a_head_that_knows_only_distances_gains_nothing(seed):
    """Its weights are those of `table` by signed distance, whatever the spans are."""
    sentence = _text("a b , c d e ; f . g h i j !")
    words = len(sentence.words)
    place = np.arange(words)
    table = np.random.default_rng(seed).random(2 * words - 1) / (2 * words)
    found = numbers_of(sentence, of_one_head(table[place - place[:, None] + words - 1]))
    assert found["span.inside"] > 0
    assert found["span.gain"] == pytest.approx(0, abs=1e-7)


def test_weight_on_punctuation_on_itself_and_from_punctuation_counts_nowhere():
    sentence = _text("a b , c d")
    weights = np.eye(5) * 0.2
    weights[:, 2] = 0.5
    weights[2] = 0.2
    found = numbers_of(sentence, of_one_head(weights))
    assert found[["span.inside", "span.matched"]].tolist() == [0, 0]


@pytest.mark.parametrize("text", ["a b c .", "a", ". , .", ", a b ."])
def test_a_sentence_of_one_span_says_nothing(text):
    sentence = _text(text)
    masses, words = span_masses(maps_of(len(sentence.words), 0).weights, sentence)
    assert words == 0
    assert masses.shape == (2, LAYERS, HEADS)
    assert not masses.any()
