"""Which words occur in enough contexts, where sentences end, and which words are drawn at random."""

import numpy as np

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Document, Input
from generator.topics.vectors.compute.occurrences import (
    OCCURRENCES,
    pieces_of,
    random_words,
    sentence_ends,
    sentences_of,
    word_occurrences,
)
from tests.attention.observations import inputs_of
from tests.encoders import SENTENCES
from tests.studies.surveyed import contextuality
from tests.topics.vectors.compute.slowly import families, ordered, slow_occurrences


@families
def test_words_are_the_types_in_one_piece_that_occur_in_enough_contexts(encoder, corpus, family):
    inputs = corpus(family)
    expected = slow_occurrences(encoder(family), inputs, family)
    found = word_occurrences(encoder(family).tokenizer, inputs)
    assert found == [expected[token] for token in sorted(expected)]
    kept = {encoder(family).tokenizer.decode([token]).strip().lower() for token in expected}
    assert {"in", "and"} <= kept
    assert "lamplight" not in kept


def test_random_words_are_of_different_sentences_and_stand_anywhere_in_them(encoder, corpus):
    inputs = corpus("bert")
    ends = sentence_ends(encoder("bert").tokenizer, inputs)
    sentences = [(number, part) for number, item in enumerate(inputs) for part in sentences_of(item, ends)]
    drawn = [random_words(inputs, ends, np.random.default_rng(seed)) for seed in range(300)]
    for places in drawn:
        for (number, at), (expected, part) in zip(places, sentences, strict=True):
            assert number == expected
            assert part.start <= at < part.stop
    number, part = sentences[0]
    assert {places[0][1] for places in drawn} == set(range(part.start, part.stop))


def test_of_many_occurrences_a_sample_counts_that_the_seed_chooses(encoder):
    text = "the sea and the lamp and the rock and the door."
    documents = [Document(str(number), (f"{SENTENCES[number]} {text}", text)) for number in range(6)]
    inputs = inputs_of(encoder("bert"), documents, max_tokens=100)
    places = word_occurrences(encoder("bert").tokenizer, ordered(inputs))
    assert max(map(len, places)) > OCCURRENCES
    tables = [contextuality(encoder("bert"), inputs, "m", "c", seed).set_index("name") for seed in (1, 1, 2)]
    values = [table.loc["self_similarity", "value"].tolist() for table in tables]
    assert values[0] == values[1]
    assert values[0] != values[2]
    np.testing.assert_allclose(values[0], values[2], atol=0.05)


def test_sentences_end_at_marks_and_special_tokens_and_short_ones_are_left_out():
    begin, sep, mark, word = TokenClass.BEGIN, TokenClass.SEPARATOR, TokenClass.PUNCTUATION, TokenClass.OTHER
    end = 9
    ids = (1, 5, 5, 5, 5, end, 5, 5, end, 5, 5, 5, 5, 5, 2, 5, 5, 5, 5, 5, 5)
    kinds = [begin, *[mark if token == end else word for token in ids[1:14]], sep, *[word] * 6]
    item = Input("a", 1, ids, (0,) * len(ids), tuple(kinds))
    assert list(sentences_of(item, {end})) == [slice(1, 6), slice(9, 14), slice(15, 21)]


def test_pieces_that_begin_continue_or_are_words(encoder):
    tokenizer = encoder("bert").tokenizer
    ids = {piece: tokenizer.convert_tokens_to_ids(piece) for piece in ("the", "l", "##l", ",", "[SEP]", "-")}
    words, parts = pieces_of(tokenizer, list(ids.values()))
    assert words == {ids["the"], ids["l"]}
    assert parts == {ids["##l"], ids["[SEP]"]}
