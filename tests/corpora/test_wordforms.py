"""Words follow Unicode's rule, in every form of a text and in every format that has running text."""

import unicodedata

import pytest

from generator.corpora.wordforms import divided, whole_words, word_spans, words_of
from generator.errors import RowError
from generator.topics.frames.corpus.framenet import read_framenet
from generator.topics.mentions.corpus.gap import read_gap
from tests.topics.frames.corpus.framenet import DOCUMENT, TEXT
from tests.topics.mentions.corpus.test_gap import ROW, written


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("José met Zoë.", ["José", "met", "Zoë", "."]),
        ("O'Brien\u2019s don't", ["O'Brien\u2019s", "don't"]),
        ("well-known, '90s", ["well", "-", "known", ",", "'", "90s"]),
        ("हिन्दी में नमस्ते", ["हिन्दी", "में", "नमस्ते"]),
        ("1,000.5 in the U.S. x_1", ["1,000.5", "in", "the", "U.S", ".", "x_1"]),
        ("我爱 カタカナ", ["我", "爱", "カタカナ"]),
        ('"a" ...', ['"', "a", '"', ".", ".", "."]),
        (" \t\u00a0\n", []),
        ("\u200ba\u200b \ufeffb\u00ad\x07", ["a", "b\u00ad"]),
        ("\u06cc\u200c\u0645 \U0001f468\u200d\U0001f469", ["\u06cc\u200c\u0645", "\U0001f468\u200d\U0001f469"]),
        ("", []),
    ],
)
def test_words_are_those_of_unicode_whether_composed_or_not(text, words):
    for form in ("NFC", "NFD"):
        written_so = unicodedata.normalize(form, text)
        assert words_of(written_so) == [unicodedata.normalize(form, word) for word in words]
        assert [written_so[start:end] for start, end in word_spans(written_so)] == words_of(written_so)


def test_a_part_of_a_name_is_no_word_but_what_stands_before_an_apostrophe_is():
    name = unicodedata.normalize("NFD", "José's Jo")
    assert whole_words("Jose", name) == []
    assert whole_words("Jo", name) == [(8, 10)]
    assert whole_words(unicodedata.normalize("NFD", "José"), name) == [(0, 5)]
    assert divided(name, word_spans(name), [2, 4, 5]) == [(0, 5), (5, 7), (8, 10)]


def gap(folder, text, a, b="Bob"):
    row = ROW | {"Text": text, "Pronoun": "he", "Pronoun-offset": str(text.index(" he ") + 1), "A": a, "B": b}
    row |= {"A-offset": str(text.index(a)), "B-offset": str(text.index(b)), "A-coref": "TRUE", "B-coref": "FALSE"}
    return read_gap("t", [written(folder, [row])]).items[0]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("name", "head", "after"),
    [
        ("José", "José", ""),
        ("Jean-Noël", "Noël", ""),
        ("Seán O'Brien", "O'Brien", ""),
        ("Zoë", "Zoë", "'s"),
        ("नेहा", "नेहा", ""),
        ("Dvořák", "Dvořák", "\u2019s"),
    ],
)
def test_the_head_of_a_name_is_its_last_word_with_its_accents(tmp_path, form, name, head, after):
    name, head, after = (unicodedata.normalize(form, one) for one in (name, head, after))
    document = gap(tmp_path, f"{name}{after} dog met Bob at the river and then he ran home .", name)
    first = document.mentions[0]
    assert document.words[first.head] == head
    assert len(document.words) == len(words_of(name)) + bool(after) + 12


def test_composed_and_decomposed_texts_have_as_many_words_in_every_format(tmp_path):
    counts = set()
    for form in ("NFC", "NFD"):
        root = tmp_path / form
        (root / "frame").mkdir(parents=True)
        (root / "fulltext").mkdir()
        (root / "frame" / "Lending.xml").write_text('<frame name="Lending"><FE name="Time" coreType="Core"/></frame>')
        accented = unicodedata.normalize(form, DOCUMENT.replace("Monday .", "Måndág."))
        (root / "fulltext" / "bike.xml").write_text(accented, encoding="utf-8")
        (frame,) = read_framenet("f", [root]).items
        assert frame.words[-1] == "."
        counts.add((len(frame.words), frame.elements[-1].positions))
    assert len(counts) == 1
    assert TEXT.split()[-1] == "."


@pytest.mark.parametrize(
    "text", ["Mia_ saw Bob, and he ran.", "Mia_Li saw Bob, and he ran.", "\ufeffMia\u200b saw Bob, and he ran."]
)
def test_what_stands_before_an_underscore_or_something_unseen_is_a_word(tmp_path, text):
    found = gap(tmp_path, text, "Mia")
    assert [found.words[mention.start : mention.end] for mention in found.mentions] == [("Mia",), ("Bob",), ("he",)]
    assert all(word.strip("\ufeff\u200b") for word in found.words)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Mi", "a part of 'Mia'"),
        ("a sa", "a part of 'Mia saw'"),
        ("Mia ", "it with a blank at its end"),
        (" ", "it with a"),
    ],
)
def test_a_phrase_that_is_a_part_of_words_is_told_so(tmp_path, name, said):
    with pytest.raises(RowError, match=f"Expected A '{name}' as whole words at its offset .*, found {said}.*; correct"):
        gap(tmp_path, "Mia saw Bob, and he ran.", name)
