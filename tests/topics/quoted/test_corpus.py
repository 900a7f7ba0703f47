"""The example sentences are those of the file, and sentences like them are those of as many words."""

from pathlib import Path

import pytest

from generator.corpora.kind import Corpus
from generator.corpora.treebank import TREEBANK, Sentence, read_treebank
from generator.errors import CorpusError
from generator.pages.bibliography import read_bibliography
from generator.topics.quoted.corpus import Quote, alike, quotes
from tests.pages.written.test_knowledge import BIBLIOGRAPHY, DOCS
from tests.topics.quoted.trees import LIKE, UNLIKE, conllu

EXAMPLE = 'source = "a"\ntext = "Tom is a black cat"\n'


def bank(place: Path, *sentences: str) -> Corpus[Sentence]:
    """A treebank of these."""
    path = place / "trees.conllu"
    path.write_text(conllu(sentences), encoding="utf-8")
    content = read_treebank("trees", [path])
    return Corpus("trees", TREEBANK, content.sha256, content.items)


def test_every_sentence_is_of_a_source_and_stands_on_a_page() -> None:
    """What nobody is shown need not be read."""
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    assert quotes()
    for quote in quotes().values():
        assert quote.source in read_bibliography(BIBLIOGRAPHY)
        assert f'"{quote.text}"' in pages
        assert f'quoted("{quote.key}")' in pages


def test_places_and_what_stands_between_are_those_of_the_words(tmp_path: Path) -> None:
    path = tmp_path / "quoted.toml"
    path.write_text(f'[there]\n{EXAMPLE}from = "cat"\nto = "Tom"\n[back]\n{EXAMPLE}from = "Tom"\nto = "black"\n')
    there, back = quotes(path).values()
    assert (there.words[there.start], there.words[there.end]) == ("cat", "Tom")
    assert there.words[there.between] == ("is", "a", "black")
    assert back.words[back.between] == ("is", "a")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f'[a]\n{EXAMPLE}from = "dog"\nto = "Tom"', "'dog' 0 times in 'Tom is a black cat' of a"),
        ('[a]\nsource = "a"\ntext = "a b a"\nfrom = "a"\nto = "b"', "'a' 2 times in 'a b a' of a"),
        (f'[a]\n{EXAMPLE}from = "Tom"\nto = "is"', "no word between 'Tom' and 'is' of a"),
        (f'[a]\n{EXAMPLE}from = "cat"', "Field required at a.to"),
        ("[a", "Expected ']'"),
    ],
)
def test_a_file_that_holds_no_such_sentences_is_refused(tmp_path: Path, text: str, found: str) -> None:
    path = tmp_path / "quoted.toml"
    path.write_text(text)
    with pytest.raises(
        CorpusError, match=r"^Expected sentences with source, text, from and to in .*correct the"
    ) as error:
        quotes(path)
    assert found in str(error.value)


QUOTE = Quote("a", "b", ("Tom", "is", "a", "black", "cat"), 4, 0)


def test_sentences_like_it_have_as_many_words_and_no_mark_but_at_their_end(tmp_path: Path) -> None:
    found = alike(QUOTE, bank(tmp_path, *UNLIKE, *LIKE))
    assert [" ".join(words) for words in found.values()] == [text.rstrip("!. ") for text in LIKE]


def test_too_few_of_them_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"Expected two sentences .* of 5 words, as .* in trees, found 1; give a"):
        alike(QUOTE, bank(tmp_path, *UNLIKE, LIKE[0]))
