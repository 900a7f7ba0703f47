"""A passage asks about its pronoun, its answer is the name that stands there, and what is cut is counted."""

import pytest
import torch

from generator.errors import CorpusError
from generator.models.load import load
from generator.models.source import locate
from generator.topics.mentions.run.spans.passages import batch, lower_words, make_passages, nearest_name, question
from tests.encoders import write as write_encoder
from tests.topics.mentions.run import made


def encoder_of(folder, family="bert"):
    return load(locate(str(write_encoder(family, folder / family))), torch.device("cpu"))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gap")
    made.write(folder / "train.tsv", made.rows("train", 12))
    return folder


@pytest.mark.parametrize("family", ["bert", "roberta", "mpnet"])
def test_the_answer_and_the_pronoun_stand_where_the_passage_says(place, family, tmp_path):
    encoder, corpus = encoder_of(tmp_path, family), made.opened(place / "train.tsv")
    found = make_passages(corpus, encoder, 128, lower_words(corpus.items))
    asked = {one.id: (one, *question(one)) for one in corpus.items if question(one)}
    assert (len(found.read), found.cut, found.lost) == (8, 0, 0)
    assert {one.id for one in found.read} == set(asked)
    tokenizer = encoder.tokenizer

    def pieces(words):
        return [token for word in words for token in tokenizer(f" {word}", add_special_tokens=False)["input_ids"]]

    for one in found.read:
        document, pronoun, answer = asked[one.id]
        inside = one.ids[one.begin : one.begin + one.tokens]
        assert list(inside) == pieces(document.words)
        assert list(inside[one.answer[0] : one.answer[1] + 1]) == pieces(document.words[answer.start : answer.end])
        around = document.words[max(0, pronoun.start - 4) : pronoun.start + 5]
        assert document.words[pronoun.start] == "she"
        assert list(one.ids) == tokenizer(f" {' '.join(around)}", f" {' '.join(document.words)}")["input_ids"]
        if encoder.segments:
            assert set(one.segments[one.begin : one.begin + one.tokens]) == {1}
            assert set(one.segments[: one.begin]) == {0}


def test_a_passage_that_is_too_long_loses_its_end_and_goes_with_its_answer(place, tmp_path):
    encoder, corpus = encoder_of(tmp_path), made.opened(place / "train.tsv")
    lower = lower_words(corpus.items)
    whole = make_passages(corpus, encoder, 128, lower).read
    for most in range(max(map(len, whole)), 30, -1):
        some = make_passages(corpus, encoder, most, lower)
        kept = [one for one in whole if one.begin + one.answer[1] + 1 < most]
        assert [one.id for one in some.read] == [one.id for one in kept]
        assert some.lost == len(whole) - len(kept)
        assert some.cut == sum(len(one) > most for one in kept)
        assert all(short.ids[:-1] == one.ids[: len(short) - 1] for short, one in zip(some.read, kept, strict=True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Then Ada Lovelace met him", "Ada Lovelace"),
        ("Ada saw Bea Hall and then Cy left", "Cy"),
        ("then he went home", None),
        ("Met by Ada", "Ada"),
        ("Ada Then Bea", "Bea"),
    ],
)
def test_the_nearest_name_begins_with_capitals(text, found):
    words = text.split()
    place = nearest_name(words, len(words), frozenset({"then", "met", "by"}))
    assert (place and " ".join(words[slice(*place)])) == found


def test_a_simple_rule_is_right_where_its_name_is_the_answer(place, tmp_path):
    corpus = made.opened(place / "train.tsv")
    found = make_passages(corpus, encoder_of(tmp_path), 128, lower_words(corpus.items)).read
    assert [(one.nearest, one.given) for one in found] == [(False, False), (True, True)] * 4


def test_a_batch_is_padded_and_only_the_passage_can_be_chosen(place, tmp_path):
    corpus = made.opened(place / "train.tsv")
    passages = make_passages(corpus, encoder_of(tmp_path), 128, lower_words(corpus.items)).read
    read = batch(passages, 7)
    for row, one in enumerate(passages):
        n = len(one)
        assert read.ids[row].tolist() == [*one.ids, *[7] * (read.ids.shape[1] - n)]
        assert read.attended[row].tolist() == [*[1] * n, *[0] * (read.ids.shape[1] - n)]
        assert read.inside[row].nonzero().flatten().tolist() == list(range(one.begin, one.begin + one.tokens))
        assert read.answers[row].tolist() == [one.begin + one.answer[0], one.begin + one.answer[1]]


def test_too_few_passages_are_refused_in_a_sentence(place, tmp_path):
    encoder, corpus = encoder_of(tmp_path), made.opened(place / "train.tsv")
    with pytest.raises(CorpusError, match=r"^Expected at least 2 passages of train\.tsv .* found 0 of 12; give more"):
        make_passages(corpus, encoder, 20, frozenset())
