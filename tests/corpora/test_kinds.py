"""Kinds of corpus: each has its own name, knows its files from those of others, and survives a change of process."""

import pickle

import pytest

from generator.corpora.files import TEXT
from generator.corpora.kind import Corpus, _never
from generator.corpora.kinds import KINDS, kind_called
from generator.corpora.opening import PACKED, open_corpora
from generator.corpora.questions import QUESTIONS
from generator.corpora.treebank import TREEBANK
from generator.errors import CorpusError, RowError
from generator.topics.frames.corpus.frames import FRAMES
from generator.topics.mentions.corpus.gap import COLUMNS
from generator.topics.mentions.corpus.mentions import MENTIONS

WORD = "1\tSo\t_\tADV\t_\t_\t0\troot\t_\t_"
LINKED = "# global.Entity = eid-etype-head-other\n"
LINKS = (
    "1\tAnn\t_\tPROPN\t_\t_\t0\troot\t_\tEntity=(1-x)",
    "2\tshe\t_\tPRON\t_\t_\t1\tobj\t_\tEntity=(1-x)",
)
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


@pytest.mark.parametrize("name", ["a.csv", "a.conll", "a.xml", "a.md", "a.txt.gz", "a.conllu.bz2", "a.zip"])
def test_a_file_of_no_kind_is_refused_with_every_ending_that_is_read(tmp_path, name):
    (tmp_path / name).write_text("#begin document (bc/x); part 000\n")
    with pytest.raises(
        CorpusError, match=rf"found '.*; {'unpack' if name.endswith(PACKED) else 'convert'} it\.$"
    ) as refused:
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


@pytest.mark.parametrize(("name", "ending"), [("a.TXT", ".txt"), ("a.CoNLLU.GZ", ".conllu.gz"), ("a.Tsv", ".tsv")])
def test_an_ending_in_capitals_is_to_be_written_small(tmp_path, name, ending):
    (tmp_path / name).write_text("One.\n\nTwo.\n")
    with pytest.raises(CorpusError, match=rf"found '.*{name}'; rename it to end in {ending}\.$"):
        open_corpora([str(tmp_path / name)])


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.conllu", "a.tsv"])
@pytest.mark.parametrize(("start", "what"), [(b"\x1f\x8b\x08", "a gzipped file"), (b"PK\x03\x04", "a zip archive")])
def test_a_packed_file_under_the_name_of_a_text_is_to_be_unpacked(tmp_path, name, start, what):
    (tmp_path / name).write_bytes(start + bytes(20))
    with pytest.raises(CorpusError, match=rf"in .*{name}.*, found {what}; unpack it\."):
        open_corpora([str(tmp_path / name)])


def test_every_ending_that_is_recognised_is_that_of_a_kind():
    assert all(kind.endings for kind in KINDS if kind.recognises is not _never)


GAP_ROW = ("t-{}", "Ann said she won .", "she", "9", "Ann", "0", "TRUE", "said", "4", "FALSE", "none")
LATIN = "\udce9"
"""Stands for a byte that is no UTF-8, an e with an accent in Latin-1."""
GOOD_AND_BAD = {
    "t.conllu": (
        [f"# sent_id = {name}\n{WORD}\n" for name in "abc"],
        [
            *("# sent_id = x\n1\tSo\n", "# sent_id = a\n" + WORD + "\n", WORD.replace("\t0\t", "\t7\t") + "\n"),
            *(WORD.replace("\t0\t", "\t_\t") + "\n", WORD.replace("1\t", "4\t") + "\n", WORD.replace("So", "") + "\n"),
            *(WORD.replace("So", f"S{LATIN}") + "\n", f"# text = {LATIN}\n{WORD}\n", f"# sent_id = {LATIN}\n{WORD}\n"),
        ],
        "",
    ),
    "t.conllup": (
        ["1\t0\troot\tSo\n"] * 3,
        ["1\t0\troot\n", f"1\t0\troot\t{LATIN}\n"],
        "# global.columns = ID HEAD DEPREL FORM\n",
    ),
    "linked.conllu": (
        [f"# newdoc id = {at}\n" + "\n".join(LINKS) + "\n" for at in range(2)],
        [LINKS[1] + "\n", "\n".join(LINKS).replace("Ann", LATIN) + "\n"],
        LINKED,
    ),
    "up.conllu": (
        [f"{WORD}\tso.01\tV\n2\tit\t_\tPRON\t_\t_\t1\tobj\t_\t_\t_\tARG1\n"] * 2,
        ["1\tSo\n", f"{WORD}\tso.01\t{LATIN}\n", f"{WORD}\tso.01\tV\n2\t \t_\tPRON\t_\t_\t1\tobj\t_\t_\t_\tARG1\n"],
        "",
    ),
    "t.jsonl": (
        [f'{{"id": "{name}", "paragraphs": ["So.", "It is."]}}' for name in "abc"],
        [
            "{",
            f'{{"id": "{LATIN}", "paragraphs": ["So."]}}',
            "[]",
            '{"id": "d"}',
            '{"id": "d", "paragraphs": [1]}',
            '{"id": "d", "paragraphs": ["\\ud800"]}',
        ],
        "",
    ),
    "t.txt": (
        [f"# {name}\n\nSo.\n\nIt is.\n" for name in "abc"],
        [f"# {LATIN}\n\nSo.\n", f"# d\n\nSo.\n\n{LATIN} and {LATIN}\n{LATIN}\n"],
        "",
    ),
    "t.tsv": (
        ["\t".join(GAP_ROW).format(at) for at in range(3)],
        ["\t".join(GAP_ROW[:-1]), "\t".join(GAP_ROW).replace("won", LATIN)],
        "\t".join(COLUMNS),
    ),
}
"""Name -> what is right, what is wrong, each alone, and how a file begins."""


@pytest.mark.parametrize("name", GOOD_AND_BAD)
def test_what_is_wrong_is_named_with_its_line_or_left_out_and_counted(tmp_path, name):
    good, bad, start = GOOD_AND_BAD[name]
    plain = tmp_path / "plain" / name
    plain.parent.mkdir()
    plain.write_text("\n".join([start, *good]).lstrip("\n") + "\n")
    expected = [one.items for one in open_corpora([str(plain)]).all]
    for wrong in bad:
        path = tmp_path / name
        text = "\n".join([start, good[0], wrong, *good[1:]]).lstrip("\n") + "\n"
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        with pytest.raises(RowError, match=rf"{name}, line \d+"):
            open_corpora([str(path)])
        found = open_corpora([str(path)], skip_bad=True).all
        assert [len(one.items) for one in found] == [len(items) for items in expected]
        assert all(len(one.bad) == 1 and "line" in one.bad[0] for one in found)
        assert not any(one.bad for one in open_corpora([str(plain)], skip_bad=True).all)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("t.conllu", ["# sent_id = a", WORD, "", "# sent_id = a", WORD, ""]),
        ("t.tsv", ["\t".join(COLUMNS), "\t".join(GAP_ROW), "\t".join(GAP_ROW)]),
        ("t.jsonl", ['{"id": "a", "paragraphs": ["So."]}', '{"id": "a", "paragraphs": ["It is."]}']),
        ("t.txt", ["# a", "", "So.", "", "# a", "", "It is."]),
    ],
)
def test_what_comes_twice_by_its_name_is_named_or_left_out_and_counted(tmp_path, name, rows):
    (tmp_path / name).write_text("\n".join(rows) + "\n")
    with pytest.raises(RowError, match="twice"):
        open_corpora([str(tmp_path / name)])
    (found,) = open_corpora([str(tmp_path / name)], skip_bad=True).all
    assert (len(found.items), len(found.bad)) == (1, 1)


@pytest.mark.parametrize("name", ["t.conllu", "t.tsv", "t.jsonl", "t.txt"])
def test_where_all_is_wrong_the_first_mistake_is_told(tmp_path, name):
    _, bad, start = GOOD_AND_BAD[name]
    text = "\n".join([start, bad[0], "", bad[-1]]).lstrip("\n") + "\n"
    (tmp_path / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(CorpusError, match=rf"found none but \d that (is|are) wrong \(Expected .*{name}, line \d"):
        open_corpora([str(tmp_path / name)], skip_bad=True)


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
