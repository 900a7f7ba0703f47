"""The text that comes with the program keeps what the project promises of it."""

import re
import string
from collections import Counter

import pytest

from generator.corpora.catalogue import ARTICLES
from generator.corpora.files import read_corpus
from generator.corpora.opening import open_corpora

REGISTERS = {"dialogue", "encyclopaedic", "instructions", "narrative", "news"}


@pytest.fixture(scope="module")
def articles():
    """The embedded documents."""
    return open_corpora([ARTICLES.name]).all[0].items


@pytest.fixture(scope="module")
def paragraphs(articles):
    """All their paragraphs."""
    return [paragraph for article in articles for paragraph in article.paragraphs]


def test_there_are_at_least_sixty_articles(articles):
    assert len(articles) >= 60


def test_every_article_has_at_least_three_paragraphs(articles):
    assert [article.id for article in articles if len(article.paragraphs) < 3] == []


def test_together_they_have_at_least_eighteen_thousand_words(paragraphs):
    assert sum(len(paragraph.split()) for paragraph in paragraphs) >= 18_000


def test_there_are_five_registers_of_at_least_ten_articles_each(articles):
    registers = Counter(article.id.partition("/")[0] for article in articles)
    assert set(registers) == REGISTERS == {path.stem for path in ARTICLES.files}
    assert min(registers.values()) >= 10


def test_no_register_is_more_than_a_third_of_the_words():
    words = [
        sum(len(p.split()) for d in read_corpus("one", [file]).items for p in d.paragraphs) for file in ARTICLES.files
    ]
    assert max(words) < sum(words) / 3


def test_titles_are_unique_over_all_registers(articles):
    titles = Counter(article.id.partition("/")[2].casefold() for article in articles)
    assert [title for title, times in titles.items() if times > 1] == []


def test_every_article_has_a_title_of_its_own_and_not_a_number(articles):
    assert [article.id for article in articles if re.fullmatch(r".*/\w+-\d+", article.id)] == []


def test_no_paragraph_is_empty_or_occurs_twice(paragraphs):
    assert all(paragraph.strip() for paragraph in paragraphs)
    assert len(set(paragraphs)) == len(paragraphs)


def test_paragraphs_are_prose_and_not_lines(paragraphs):
    """Below a handful of words there is nothing for a head to look at."""
    assert sum(len(paragraph.split()) for paragraph in paragraphs) / len(paragraphs) > 25


@pytest.mark.parametrize("file", ARTICLES.files, ids=lambda file: file.stem)
def test_punctuation_is_ascii(file):
    """Curly quotes and long dashes are other tokens than those the measures count."""
    text = file.read_bytes().decode()
    assert sorted({mark for mark in text if not mark.isalnum() and mark not in string.printable}) == []


def test_periods_and_commas_are_as_common_as_in_ordinary_prose(paragraphs):
    text = " ".join(paragraphs)
    words = len(text.split())
    assert 0.03 < text.count(".") / words < 0.15
    assert 0.03 < text.count(",") / words < 0.15


@pytest.mark.parametrize("file", ARTICLES.files, ids=lambda file: file.stem)
def test_files_end_in_one_newline_and_hold_no_trailing_space_tab_or_carriage_return(file):
    raw = file.read_bytes()
    assert raw.endswith(b"\n")
    assert not raw.endswith(b"\n\n")
    assert not re.search(rb"[ \t\r]\n|\t|\r", raw)


def test_no_markup_or_placeholder_is_left_in_the_text(paragraphs):
    found = [p for p in paragraphs if re.search(r"[<>{}\[\]_*`|\\]|https?:|lorem ipsum|\bTODO\b", p, re.IGNORECASE)]
    assert found == []
