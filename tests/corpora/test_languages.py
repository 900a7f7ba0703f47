"""What a corpus is written in is said by the catalogue, by the file or by its name, and otherwise is not known."""

import gzip
from collections import Counter

import pytest

from generator.corpora.catalogue import CATALOGUE, FOLDER
from generator.corpora.languages import NAMES, OTHERWISE, language_name, marked_otherwise
from generator.corpora.opening import open_corpora
from generator.errors import CorpusError
from tests.corpora.test_treebank import SMALL, written

SAYS = "# language = de"


def language(path):
    """What is known of one file."""
    return open_corpora([str(path)]).all[0].language


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_the_catalogue_says_what_every_corpus_is_written_in(entry):
    assert entry.language in NAMES
    named = [code for word, code in (("german", "de"), ("korean", "ko")) if word in entry.name]
    assert [entry.language] == (named or ["en"])


def test_what_comes_with_the_program_is_english_by_name():
    found = open_corpora(["articles", "treebank", "questions"])
    assert [(one.name, one.language) for one in found.all] == [
        ("articles", "en"),
        ("treebank", "en"),
        ("questions", "en"),
    ]


def test_a_public_treebank_has_the_language_of_its_entry(public, monkeypatch):
    monkeypatch.setenv(FOLDER, str(public(".")))
    names = ["ud-german-gsd-dev", "ud-korean-gsd-test", "ud-english-ewt-dev", "srl-up-english-ewt-dev"]
    assert [one.language for one in open_corpora(names, 3).all] == ["de", "ko", "en", "en"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("de_gsd-ud-dev.conllu", "de"),
        ("gsw_uzh-ud-test.conllu", "gsw"),
        ("fr_rhapsodie2-ud-train.conllu", "fr"),
        ("en_ewt-up-dev.conllu", "en"),
        ("my_trees.conllu", ""),
        ("to_read-2.conllu", ""),
        ("DE_gsd-ud-dev.conllu", ""),
        ("germ_gsd-ud-dev.conllu", ""),
        ("x_gsd-ud-dev.conllu", ""),
        ("old-de_gsd-ud-dev.conllu", ""),
    ],
)
def test_a_file_of_universal_dependencies_is_known_by_its_name_and_no_other_is(tmp_path, name, code):
    assert language(written(tmp_path, SMALL, name)) == code


@pytest.mark.parametrize("line", [SAYS, "#language=de", "#   language   =   de  "])
@pytest.mark.parametrize("name", ["t.conllu", "en_ewt-ud-dev.conllu"])
def test_a_line_in_the_file_says_the_language_and_outweighs_its_name(tmp_path, line, name):
    assert language(written(tmp_path, [line, *SMALL], name)) == "de"
    assert language(written(tmp_path, [*SMALL, line, *SMALL[1:]], name)) == "de"
    assert language(written(tmp_path, [line, *SMALL, line, *SMALL[1:]], name)) == "de", "it may be said twice"


def test_a_packed_treebank_and_one_with_other_comments_are_read_alike(tmp_path):
    packed = tmp_path / "t.conllu.gz"
    packed.write_bytes(gzip.compress("\r\n".join([SAYS, *SMALL]).encode()))
    assert language(packed) == "de"
    about = ["# language", "# languages = de", "# text = language = de", "# note = in the language = de"]
    assert language(written(tmp_path, [*about, *SMALL])) == ""


@pytest.mark.parametrize("wrong", ["German", "DE", "", "d", "deut", "de-AT", "d\u00e9"])
def test_a_language_that_is_no_code_is_refused_with_its_line(tmp_path, wrong):
    path = written(tmp_path, [SMALL[0], f"# language = {wrong}", *SMALL[1:]])
    with pytest.raises(CorpusError, match=r"^Expected a code of two or three letters .* line 2, found .*; name one"):
        open_corpora([str(path)])


def test_two_languages_in_one_file_are_refused(tmp_path):
    path = written(tmp_path, [SAYS, *SMALL, "# language = ko", *SMALL[1:]])
    with pytest.raises(CorpusError, match=r"Expected the code 'de', which stands above, .* found 'ko'; name one"):
        open_corpora([str(path)])


def test_nothing_is_known_of_a_text_that_is_a_file(tmp_path):
    path = tmp_path / "de_gsd-ud-dev.txt"
    path.write_text("# d1\n\none\n\ntwo\n")
    assert open_corpora([str(path)]).all[0].language == ""


def test_a_language_has_a_name_for_a_sentence():
    assert [language_name(code) for code in ("en", "ko", "fr", "")] == [
        "English",
        "Korean",
        'the language "fr"',
        "a language that is not known",
    ]


def test_a_relation_is_found_under_any_of_its_names():
    assert marked_otherwise("ko", ("auxpass", "aux:pass")) == OTHERWISE["ko"]["aux:pass"]
    assert marked_otherwise("de", ("nmod:poss", "poss")) == OTHERWISE["de"]["nmod:poss"]
    for code, relations in (("ko", ("det",)), ("de", ("aux:pass",)), ("en", ("nmod:poss",)), ("", ("case",))):
        assert marked_otherwise(code, relations) is None


@pytest.mark.parametrize("code", OTHERWISE)
def test_what_is_marked_otherwise_says_how_and_where_it_is_documented(code):
    assert code in NAMES
    assert code != "en", "claims were made on it"
    for one in OTHERWISE[code].values():
        assert one.how[0].islower()
        assert not one.how.endswith(".")
        assert one.source.startswith(f"https://universaldependencies.org/{code}/")


@pytest.mark.parametrize(
    ("code", "most"),
    [
        ("de", {"nmod:poss": 1, "compound": 0.02}),
        ("ko", {"aux:pass": 0, "compound:prt": 0, "mark": 0.001, "case": 0.02}),
    ],
)
def test_what_is_marked_otherwise_is_rare_in_a_treebank_of_the_language(public, monkeypatch, code, most):
    """Counts, and shares of words below 1, of dev and test together; English has 16 % of case."""
    monkeypatch.setenv(FOLDER, str(public(".")))
    names = [entry.name for entry in CATALOGUE if entry.language == code]
    banks = open_corpora(names).all
    found = Counter(word.relation for bank in banks for item in bank.items for word in item.words)
    assert set(most) == set(OTHERWISE[code])
    for relation, limit in most.items():
        assert found[relation] <= (limit * found.total() if limit < 1 else limit), relation
