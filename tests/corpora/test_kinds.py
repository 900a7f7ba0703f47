"""Kinds of corpus: each has its own name, knows its files from those of others, and survives a change of process."""

import pickle

import pytest

from generator.corpora.files import TEXT
from generator.corpora.frames import FRAMES
from generator.corpora.kind import Corpus, _never
from generator.corpora.kinds import KINDS, kind_called
from generator.corpora.mentions import MENTIONS
from generator.corpora.opening import open_corpora
from generator.corpora.questions import QUESTIONS
from generator.corpora.treebank import TREEBANK
from generator.errors import CorpusError

WORD = "1\tSo\t_\tADV\t_\t_\t0\troot\t_\t_"
LINKED = "# global.Entity = eid-etype-head-other\n"
FILES = {
    "a.txt": ("", {TEXT}),
    "a.jsonl": ("", {TEXT}),
    "a.conllu": (f"# sent_id = 1\n{WORD}\n", {TREEBANK}),
    "linked.conllu": (f"{LINKED}{WORD}\n", {TREEBANK, MENTIONS}),
    "a.tsv": ("", {MENTIONS}),
    "proposed.conllu": (f"{WORD}\tso.01\tV\n", {FRAMES}),
    "linked-and-proposed.conllu": (f"{LINKED}{WORD}\tso.01\tV\n", {FRAMES}),
    "a.tar.gz": ("", {FRAMES}),
    "a.toml": ("", {QUESTIONS}),
    "a.json": ("", {QUESTIONS}),
    "a.csv": ("", set()),
}


def test_every_kind_has_a_name_of_its_own_by_which_a_manifest_finds_it():
    assert [kind_called(kind.name) for kind in KINDS] == list(KINDS)
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    with pytest.raises(ValueError, match="should be one of text, treebank"):
        kind_called("texts")


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_of_the_kinds_that_recognise_it(tmp_path, name):
    (tmp_path / name).write_text(FILES[name][0])
    assert {kind for kind in KINDS if kind.recognises(tmp_path / name)} == FILES[name][1]


@pytest.mark.parametrize("name", ["a.csv", "a.conll", "a.xml", "a.TXT", "a.txt.gz"])
def test_a_file_of_no_kind_is_refused_with_every_ending_that_is_read(tmp_path, name):
    (tmp_path / name).write_text("#begin document (bc/x); part 000\n")
    with pytest.raises(CorpusError, match=r"found '.*; convert it\.$") as refused:
        open_corpora([str(tmp_path / name)])
    listed = (
        str(refused.value).partition("ending in ")[2].partition(", or a folder")[0].replace(" or ", ", ").split(", ")
    )
    assert {".txt", ".jsonl", ".conllu", ".conllu.gz", ".conllup", ".cupt", ".tsv", ".toml", ".json", ".tgz"} <= set(
        listed
    )
    assert len(listed) == len(set(listed))
    for ending in listed:
        path = tmp_path / f"b{ending}"
        path.write_text("")
        assert [kind for kind in KINDS if kind.recognises(path)], ending


def test_every_ending_that_is_recognised_is_that_of_a_kind():
    assert all(kind.endings for kind in KINDS if kind.recognises is not _never)


def test_a_folder_holds_frames(tmp_path):
    assert [kind for kind in KINDS if kind.recognises(tmp_path)] == [FRAMES]


def test_corpora_stand_in_the_order_in_which_their_numbers_are_preferred(tmp_path):
    (tmp_path / "trees.conllu").write_text(f"{WORD}\n\n")
    (tmp_path / "a.txt").write_text("One.\n\nTwo.\n")
    names = ["questions", str(tmp_path / "trees.conllu"), str(tmp_path / "a.txt"), "articles"]
    found = open_corpora(names).all
    assert [one.kind for one in found] == [TEXT, TEXT, TREEBANK, QUESTIONS]
    assert [one.name for one in found] == ["a.txt", "articles", "trees.conllu", "questions"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_corpus_goes_from_one_process_to_another(kind):
    corpus = Corpus("some", kind, "1", ())
    there = pickle.loads(pickle.dumps(corpus))
    assert there == corpus
    assert hash(there.kind) == hash(kind)
    assert KINDS.index(there.kind) == KINDS.index(kind)
