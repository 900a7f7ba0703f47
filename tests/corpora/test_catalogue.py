"""Corpora by name or by file, and samples of their documents."""

import hashlib

import pytest

from generator.corpora.catalogue import ARTICLES, CATALOGUE, FOLDER
from generator.corpora.files import TEXT
from generator.corpora.opening import open_corpora
from generator.corpora.treebank import TREEBANK
from generator.errors import CorpusError
from generator.home import DATA
from generator.results.examples import EXAMPLES
from generator.topics.mentions.corpus.mentions import MENTIONS


@pytest.fixture
def file(tmp_path):
    """A file of thirty documents."""
    path = tmp_path / "thirty.txt"
    path.write_text("\n\n".join(f"# d{number}\n\none of {number}\n\ntwo of {number}" for number in range(30)))
    return path


def open_text(name, sample=None, seed=0):
    """One text."""
    (text,) = open_corpora([name], sample, seed).of(TEXT)
    return text


def test_what_comes_with_the_program_opens_by_its_name():
    text, treebank = open_text("articles"), open_corpora(["treebank"]).all[0]
    assert (text.name, treebank.name) == ("articles", "treebank")
    assert text.items
    files = (DATA / "corpora" / "treebank").glob("*.conllu")
    assert len(treebank.items) == sum(path.read_text(encoding="utf-8").count("# sent_id = ") for path in files)


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_every_corpus_says_what_it_is_and_a_public_one_where_it_is_published(entry):
    assert entry.title
    assert entry.licence
    public = not all(path.is_absolute() for path in entry.files)
    assert public == bool(entry.source)
    assert len(entry.sha256) == (len(entry.files) if public else 0)


@pytest.mark.parametrize("entry", [entry for entry in CATALOGUE if entry.source], ids=lambda entry: entry.name)
def test_public_corpora_are_the_published_files_where_they_are_on_this_machine(entry, public, monkeypatch):
    monkeypatch.setenv(FOLDER, str(public(".")))
    for path, checksum in zip(entry.paths, entry.sha256, strict=True):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == checksum


def test_a_public_corpus_that_is_not_here_says_where_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(CorpusError, match=r"get it from https://github.com/UniversalDependencies/UD_English-EWT \(CC"):
        open_corpora(["ud-english-ewt-test"])


def test_a_treebank_whose_mentions_are_linked_is_both(public, monkeypatch):
    monkeypatch.setenv(FOLDER, str(public(".")))
    found = open_corpora(["ud-english-gum-test"], sample=3)
    assert [len(bank.items) for bank in found.of(TREEBANK)] == [3]
    assert [len(linked.items) for linked in found.of(MENTIONS)] == [3]
    assert list(found.checksums) == ["ud-english-gum-test"]


def test_a_file_is_named_by_its_last_part(file):
    corpus = open_text(str(file))
    assert (corpus.name, len(corpus.items)) == ("thirty.txt", 30)


@pytest.mark.parametrize("documents", [None, 30, 31, 10_000])
def test_all_documents_are_read_unless_fewer_are_asked_for(file, documents):
    assert open_text(str(file), documents) == open_text(str(file))


@pytest.mark.parametrize("documents", [1, 7, 29])
def test_a_sample_has_as_many_documents_as_were_asked_for_in_the_order_of_the_file(file, documents):
    whole = open_text(str(file)).items
    sample = open_text(str(file), documents, seed=3).items
    places = [whole.index(document) for document in sample]
    assert len(places) == documents
    assert places == sorted(set(places))


def test_the_same_seed_draws_the_same_sample_and_another_seed_another(file):
    assert open_text(str(file), 10, seed=1) == open_text(str(file), 10, seed=1)
    assert open_text(str(file), 10, seed=1) != open_text(str(file), 10, seed=2)


def test_every_document_can_be_drawn(file):
    drawn = {document.id for seed in range(60) for document in open_text(str(file), 5, seed).items}
    assert len(drawn) == 30


def test_a_sample_keeps_the_checksum_of_the_file_it_was_drawn_from(file):
    assert open_text(str(file), 3).sha256 == open_text(str(file)).sha256


@pytest.mark.parametrize("name", ["artikles", "nowhere", "a" * 5000, "\0"], ids=lambda name: repr(name[:10]))
def test_an_unknown_name_is_refused_with_the_known_ones(name):
    with pytest.raises(CorpusError, match=rf"Expected a corpus name \({ARTICLES.name}, .*\) or a file, found"):
        open_text(name)


@pytest.mark.parametrize("name", ["nowhere.txt", "nowhere/c.jsonl"])
def test_a_name_that_looks_like_a_file_is_taken_for_one(name):
    with pytest.raises(CorpusError, match="Expected a corpus file at nowhere"):
        open_text(name)


def test_two_corpora_of_one_name_are_refused(file, tmp_path):
    (tmp_path / "b").mkdir()
    other = tmp_path / "b" / file.name
    other.write_text(file.read_text())
    assert len(open_corpora([str(file), "articles"]).all) == 2
    with pytest.raises(CorpusError, match=r"found 'thirty\.txt' twice; rename a file"):
        open_corpora([str(file), "articles", str(other)])


def test_there_are_at_least_four_example_sentences_all_different():
    assert len(set(EXAMPLES)) == len(EXAMPLES) >= 4
