"""Where partners stand: counted by hand, and against loops over the treebank that comes with the program."""

from collections import Counter

import numpy as np
import pytest

from generator.corpora.catalogue import TREEBANK
from generator.corpora.treebank import Sentence, Word, read_treebank
from generator.topics.tokens.derived.partners import partners
from generator.topics.tokens.records.tokens import SAMPLE


def test_a_form_that_always_looks_at_the_next_word_has_no_entropy_and_roots_do_not_count():
    pair = (Word("The", "DET", 2, "det"), Word("sea", "NOUN", 0, "root"), Word(".", "PUNCT", 2, "punct"))
    found = partners([Sentence(f"s{at}", pair) for at in range(SAMPLE)], ["the", ".", "sea", "fish"])
    assert [one[:2] for one in found] == [("the", SAMPLE), (".", SAMPLE)]
    assert [(one.entropy, one.offset, one.share) for one in found] == [(0, 1, 1), (0, -1, 1)]


def test_of_equally_common_offsets_the_smallest_counts_and_few_occurrences_have_no_entropy():
    words = (Word("a", "DET", 2, "det"), Word("x", "NOUN", 0, "root"), Word("a", "DET", 2, "det"))
    (found,) = partners([Sentence("s", words)], ["a"])
    assert found[:2] == ("a", 2)
    assert np.isnan(found.entropy)
    assert (found.offset, found.share) == (-1, 0.5)


@pytest.mark.parametrize("form", ["the", ".", ","])
def test_entropies_are_those_of_samples_of_real_trees(form):
    """The mean entropy of samples that are drawn, as the expected entropy is exact."""
    sentences = read_treebank(TREEBANK.name, TREEBANK.paths).items
    offsets = [
        word.head - at
        for sentence in sentences
        for at, word in enumerate(sentence.words, start=1)
        if word.form.lower() == form and word.head
    ]
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(2000):
        shares = np.array([*Counter(rng.choice(offsets, SAMPLE, replace=False).tolist()).values()]) / SAMPLE
        drawn.append(-(shares * np.log(shares)).sum())
    (found,) = partners(sentences, [form])
    assert found.entropy == pytest.approx(np.mean(drawn), abs=0.02)
    assert found.share == max(Counter(offsets).values()) / len(offsets)
    assert found.occurrences == len(offsets)
