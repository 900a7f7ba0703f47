"""Corpora by name or by file, and samples of their documents."""

import pytest

from generator.corpora.catalogue import ARTICLES, CATALOGUE, EXAMPLES, check_names, open_corpus
from generator.corpora.document import Corpus
from generator.errors import CorpusError


@pytest.fixture
def file(tmp_path):
    """A file of thirty documents."""
    path = tmp_path / "thirty.txt"
    path.write_text("\n\n".join(f"# d{number}\n\none of {number}\n\ntwo of {number}" for number in range(30)))
    return path


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_every_corpus_of_the_catalogue_opens_by_its_name_and_says_what_it_is(entry):
    corpus = open_corpus(entry.name)
    assert corpus.name == entry.name
    assert corpus.documents
    assert entry.title
    assert entry.licence


def test_a_file_is_named_by_its_last_part(file):
    corpus = open_corpus(str(file))
    assert (corpus.name, len(corpus.documents)) == ("thirty.txt", 30)


@pytest.mark.parametrize("documents", [None, 30, 31, 10_000])
def test_all_documents_are_read_unless_fewer_are_asked_for(file, documents):
    assert open_corpus(str(file), documents) == open_corpus(str(file))


@pytest.mark.parametrize("documents", [1, 7, 29])
def test_a_sample_has_as_many_documents_as_were_asked_for_in_the_order_of_the_file(file, documents):
    whole = open_corpus(str(file)).documents
    sample = open_corpus(str(file), documents, seed=3).documents
    places = [whole.index(document) for document in sample]
    assert len(places) == documents
    assert places == sorted(set(places))


def test_the_same_seed_draws_the_same_sample_and_another_seed_another(file):
    assert open_corpus(str(file), 10, seed=1) == open_corpus(str(file), 10, seed=1)
    assert open_corpus(str(file), 10, seed=1) != open_corpus(str(file), 10, seed=2)


def test_every_document_can_be_drawn(file):
    drawn = {document.id for seed in range(60) for document in open_corpus(str(file), 5, seed).documents}
    assert len(drawn) == 30


def test_a_sample_keeps_the_checksum_of_the_file_it_was_drawn_from(file):
    assert open_corpus(str(file), 3).sha256 == open_corpus(str(file)).sha256


@pytest.mark.parametrize("name", ["artikles", "nowhere", "a" * 5000, "\0"], ids=lambda name: repr(name[:10]))
def test_an_unknown_name_is_refused_with_the_known_ones(name):
    with pytest.raises(CorpusError, match=rf"Expected a corpus name \({ARTICLES.name}\) or a file, found"):
        open_corpus(name)


@pytest.mark.parametrize("name", ["nowhere.txt", "nowhere/c.jsonl"])
def test_a_name_that_looks_like_a_file_is_taken_for_one(name):
    with pytest.raises(CorpusError, match="Expected a corpus file at nowhere"):
        open_corpus(name)


def test_two_corpora_of_one_name_are_refused():
    check_names([Corpus("a", "", ()), Corpus("b", "", ())])
    with pytest.raises(CorpusError, match=r"found 'a\.txt' twice; rename a file"):
        check_names([Corpus("a.txt", "1", ()), Corpus("b", "2", ()), Corpus("a.txt", "3", ())])


def test_there_are_at_least_four_example_sentences_all_different():
    assert len(set(EXAMPLES)) == len(EXAMPLES) >= 4
