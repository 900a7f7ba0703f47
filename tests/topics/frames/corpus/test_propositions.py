"""Annotated propositions: made-up files, the published ones counted another way, and files that are wrong."""

import gzip
import re

import pytest

from generator.corpora.catalogue import CATALOGUE, FOLDER, CorpusEntry
from generator.corpora.formats.annotation import Element
from generator.corpora.opening import open_corpora, verify
from generator.errors import CorpusError
from generator.topics.frames.corpus.frames import FRAMES
from generator.topics.frames.corpus.propositions import read_propositions

PROPOSED = """# sent_id = a
# text = Tom gave up and sold what Ann made .
1-2\tTomgave\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_\t_
1\tTom\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_\t_\tARG0\tARG0
2\tgave\t_\tVERB\t_\t_\t0\troot\t_\t_\tgive_up.01\tV\t_
3\tup\t_\tADP\t_\t_\t2\tcompound\t_\t_\t_\tC-V\t_
4\tand\t_\tCCONJ\t_\t_\t5\tcc\t_\t_\t_\t_\tARGM-DIS
4.1\the\t_\tPRON\t_\t_\t_\t_\t_\t_\t_\t_\tARG0
5\tsold\t_\tVERB\t_\t_\t2\tconj\t_\t_\tsell.01\t_\tV
6\twhat\t_\tPRON\t_\t_\t5\tobj\t_\t_\t_\t_\tARG1
7\tAnn\t_\tPROPN\t_\t_\t8\tnsubj\t_\t_\t_\t_\tR-ARG1
8\tmade\t_\tVERB\t_\t_\t6\tacl\t_\t_\t_\t_\tC-ARG1

# sent_id = nothing
1\tYes\t_\tINTJ\t_\t_\t0\troot\t_\t_\t_\t_

# sent_id = too few columns
1\tGo\t_\tVERB\t_\t_\t0\troot\t_\t_\tgo.01

"""


def proposed(tmp_path, text=PROPOSED, name="x-up-dev.conllu"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_arguments_are_head_words_and_the_target_is_the_predicate_with_its_particle(tmp_path):
    gave, sold = read_propositions("up", [proposed(tmp_path)]).items
    assert gave.words == sold.words == ("Tom", "gave", "up", "and", "sold", "what", "Ann", "made")
    assert (gave.id, gave.sentence, gave.target) == ("a/2", "a", (1, 2))
    assert gave.elements == (Element("ARG0", True, (0,)),)
    assert (sold.id, sold.target) == ("a/5", (4,))
    assert sold.elements == (
        Element("ARG0", True, (0,)),
        Element("ARGM-DIS", False, (3,)),
        Element("ARG1", True, (5, 7)),
        Element("R-ARG1", True, (6,)),
    )


def test_packed_propositions_with_a_byte_order_mark_are_the_same(tmp_path):
    plain = read_propositions("up", [proposed(tmp_path)])
    packed = tmp_path / "p.conllu.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + PROPOSED.replace("\n", "\r\n").encode()))
    assert read_propositions("up", [packed]).items == plain.items


def test_words_that_are_left_out_come_from_the_treebank_beside(tmp_path):
    whole = read_propositions("up", [proposed(tmp_path)])
    bare = re.sub(r"^(\d+)\t[^\t]+", r"\1\t_", PROPOSED, flags=re.MULTILINE)
    path = proposed(tmp_path, bare)
    with pytest.raises(CorpusError, match=r"found them left out; put their treebank beside it"):
        read_propositions("up", [path])
    tree = "\n".join("\t".join(line.split("\t")[:10]) for line in PROPOSED.split("\n"))
    (tmp_path / "x-ud-dev.conllu").write_text(tree)
    assert read_propositions("up", [path]).items == whole.items
    (tmp_path / "x-ud-dev.conllu").write_text(tree.replace("sent_id = a", "sent_id = b"))
    with pytest.raises(CorpusError, match=r"Expected 8 words for 'a' of .* in the treebank beside it, found 0"):
        read_propositions("up", [path])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2\tgave", "3\tgave", r"Expected word 2 in .*, line 5, found '3'; number them in order"),
        ("2\tgave", "x\tgave", r"Expected word 2 in .*, line 5, found 'x'; number them in order"),
        ("3\tup\t_\t", "3\tup\t", r"Expected 13 columns separated by tabs in .*, line 6, found 12"),
        ("\tgo.01", "", r"Expected more than 10 columns separated by tabs in .*, line 18, found 10; correct"),
        ("1\tTom\t_\tPROPN", "1\tTom\t\udcff\tPROPN", r"Expected UTF-8 text in .*, line 4"),
        (PROPOSED, "", "Expected frames with filled roles in up, found none"),
        ("sent_id = nothing", "sent_id = a\n" + PROPOSED, "found 'a/2' twice"),
    ],
)
def test_broken_propositions_are_refused_with_the_line(tmp_path, old, new, message):
    path = tmp_path / "x-up-dev.conllu"
    path.write_bytes(PROPOSED.replace(old, new).encode("utf-8", "surrogateescape"))
    with pytest.raises(CorpusError, match=message):
        read_propositions("up", [path])


def test_propositions_that_are_not_there_are_refused(tmp_path):
    (tmp_path / "x.conllu.gz").write_bytes(b"not packed")
    for name in ("x.conllu.gz", "nowhere.conllu"):
        with pytest.raises(CorpusError, match=f"Expected propositions at .*{name}, found"):
            read_propositions("up", [tmp_path / name])


def test_propositions_have_as_many_predicates_and_arguments_as_their_columns_say(public, monkeypatch):
    monkeypatch.setenv(FOLDER, str(public("srl-up-english-ewt").parent))
    (found,) = open_corpora(["srl-up-english-ewt-dev"]).all
    text = public("srl-up-english-ewt/en_ewt-up-dev.conllu").read_text(encoding="utf-8")
    predicates = arguments = sentences = 0
    for block in text.strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        columns = list(zip(*rows, strict=True))
        named = sum(frame not in ("", "_") for frame in columns[10])
        if named and len(columns) == 11 + named:
            sentences += 1
            predicates += named
            arguments += sum(mark not in ("", "_", "V", "C-V") for column in columns[11:] for mark in column)
    assert len(found.items) == predicates
    assert len({item.sentence for item in found.items}) == sentences
    assert sum(len(element.positions) for item in found.items for element in item.elements) == arguments


def test_frames_open_by_what_the_files_are(release, tmp_path):
    corpora = open_corpora([str(release), str(proposed(tmp_path))])
    assert [(one.name, one.kind) for one in corpora.all] == [
        ("fn", FRAMES),
        ("x-up-dev.conllu", FRAMES),
    ]
    assert list(corpora.checksums) == ["fn", "x-up-dev.conllu"]
    (sample,) = open_corpora([str(proposed(tmp_path))], sample=1).all
    assert len(sample.items) == 2, "a sentence is drawn with all of its frames"


def test_checksums_of_a_public_corpus_are_verified(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    path = tmp_path / "a.txt"
    path.write_bytes(b"abc")
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    entry = CorpusEntry(
        name="a",
        title="A",
        licence="MIT",
        language="en",
        files=(path.relative_to(tmp_path),),
        sha256=(abc,),
        source="https://example.org",
    )
    verify(entry)
    path.write_bytes(b"abd")
    with pytest.raises(
        CorpusError, match=rf"Expected .*a\.txt to have the checksum {abc}, found .*; get it again from ht"
    ):
        verify(entry)
    path.unlink()
    with pytest.raises(CorpusError, match=r"Expected a at .*, found nothing; get it from https://example.org"):
        verify(entry)
    for own in (each for each in CATALOGUE if not each.source):
        verify(own)
