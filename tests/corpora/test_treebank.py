"""Treebanks are read word by word, and one that is no treebank is refused with its file and line."""

import gzip
from collections import Counter
from pathlib import Path

import pytest

from generator.corpora.treebank import is_treebank, read_treebank
from generator.errors import CorpusError
from generator.home import DATA
from generator.topics.frames.corpus.frames import has_frames

OURS = sorted((DATA / "corpora" / "treebank").glob("*.conllu"))
RELATIONS = {
    "acl",
    "advcl",
    "advmod",
    "amod",
    "appos",
    "aux",
    "case",
    "cc",
    "ccomp",
    "compound",
    "conj",
    "cop",
    "csubj",
    "det",
    "discourse",
    "dislocated",
    "expl",
    "fixed",
    "flat",
    "iobj",
    "list",
    "mark",
    "nmod",
    "nsubj",
    "nummod",
    "obj",
    "obl",
    "orphan",
    "parataxis",
    "punct",
    "reparandum",
    "root",
    "vocative",
    "xcomp",
}
"""The universal relations, without subtypes."""
FREQUENT = {
    *("acl", "acl:relcl", "advcl", "advmod", "amod", "appos", "aux", "aux:pass", "case", "cc", "ccomp", "compound"),
    *("compound:prt", "conj", "cop", "det", "iobj", "mark", "nmod", "nmod:poss", "nsubj", "nsubj:pass", "nummod"),
    *("obj", "obl", "xcomp"),
}
"""With their subtypes: those that English uses often enough to be judged on our treebank."""


def line(number: int | str, form: str, head: int | str, relation: str) -> str:
    return f"{number}\t{form}\t{form}\tX\tX\t_\t{head}\t{relation}\t_\t_"


SMALL = [
    "# sent_id = one",
    "# text = We don't sing.",
    line(1, "We", 4, "nsubj"),
    line("2-3", "don't", "_", "_"),
    line(2, "do", 4, "aux"),
    line(3, "n't", 4, "advmod"),
    line(4, "sing", 0, "root"),
    line("4.1", "songs", "_", "_"),
    line(5, ".", 4, "punct"),
    "",
]


def written(folder: Path, lines: list[str], name: str = "t.conllu") -> Path:
    path = folder / name
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(CorpusError) as refused:
        read_treebank("t", [path])
    return str(refused.value)


def test_words_are_read_and_multiword_tokens_and_empty_nodes_are_not(tmp_path):
    (sentence,) = read_treebank("t", [written(tmp_path, SMALL)]).items
    assert sentence.id == "one"
    assert [word.form for word in sentence.words] == ["We", "do", "n't", "sing", "."]
    assert [word.head for word in sentence.words] == [4, 4, 4, 0, 4]
    assert [word.relation for word in sentence.words] == ["nsubj", "aux", "advmod", "root", "punct"]


@pytest.mark.parametrize("end", [[], [""], ["", "", ""]], ids=["no newline", "newline", "blank lines"])
def test_the_end_of_a_file_does_not_matter(tmp_path, end):
    assert len(read_treebank("t", [written(tmp_path, SMALL[:-1] + end)]).items) == 1


def test_windows_line_ends_and_compression_do_not_matter(tmp_path):
    plain = read_treebank("t", [written(tmp_path, SMALL)]).items
    packed = tmp_path / "t.conllu.gz"
    packed.write_bytes(gzip.compress("\r\n".join(SMALL).encode()))
    assert read_treebank("t", [packed]).items == plain


def test_lines_that_end_in_carriage_returns_alone_are_lines(tmp_path):
    plain = read_treebank("t", [written(tmp_path, SMALL)]).items
    mac = tmp_path / "mac.conllu"
    mac.write_bytes("\r".join(SMALL).encode())
    assert is_treebank(mac)
    assert read_treebank("t", [mac]).items == plain


PLUS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"


@pytest.mark.parametrize("name", ["t.conllu", "t.conllup", "t.cupt"])
@pytest.mark.parametrize(
    "names",
    [f"{PLUS} PARSEME:MWE", "ID HEAD DEPREL FORM UPOS", "ID FORM UPOS FEATS HEAD DEPREL MISC X:A X:B X:C X:D X:E"],
)
def test_the_columns_of_conllu_plus_are_found_by_their_names(tmp_path, names, name):
    plain = read_treebank("t", [written(tmp_path, SMALL)]).items
    columns = PLUS.split()
    rows = []
    for text in SMALL:
        given = dict(zip(columns, text.split("\t"), strict=False))
        rows.append("\t".join(given.get(one, "*") for one in names.split()) if "\t" in text else text)
    path = written(tmp_path, [f"# global.columns = {names}", *rows], name)
    assert is_treebank(path)
    assert not has_frames(path)
    assert read_treebank("t", [path]).items == plain


def test_conllu_plus_without_trees_or_with_other_rows_is_refused_by_its_line(tmp_path):
    path = written(tmp_path, ["# global.columns = ID FORM PARSEME:MWE", "1\tSo\t*", ""])
    assert f"# global.columns names in {path}, line 1, found no HEAD and no DEPREL; give a file with" in refusal(path)
    path = written(tmp_path, [f"# global.columns = {PLUS} X", *SMALL])
    assert f"Expected the 11 of # global.columns as columns separated by tabs in {path}, line 4, found 10" in refusal(
        path
    )


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (line(1, "We", 9, "nsubj"), "from 0 to 5"),
        (line(1, "We", 0, "root"), "one root"),
        (line(7, "We", 4, "nsubj"), "word 1"),
        (line(1, "We", "_", "nsubj"), "a number as head"),
        (line(1, "We", 4, "nsubj").replace("\t", " "), "separated by tabs"),
        (line(1, "We", 1, "nsubj"), "cycle"),
    ],
    ids=["head too far", "two roots", "ids not in order", "no head", "no tabs", "cycle"],
)
def test_what_is_no_tree_is_refused_with_file_and_line(tmp_path, wrong, words):
    path = written(tmp_path, [wrong if i == 2 else text for i, text in enumerate(SMALL)])
    message = refusal(path)
    assert words in message
    assert f"{path}, line 3" in message or "one root" in message


def test_a_longer_cycle_is_refused_too(tmp_path):
    lines = [line(1, "a", 2, "dep"), line(2, "b", 3, "dep"), line(3, "c", 1, "dep"), line(4, "d", 0, "root"), ""]
    assert "cycle" in refusal(written(tmp_path, lines))


def test_a_sentence_without_a_root_is_refused(tmp_path):
    assert "one root" in refusal(written(tmp_path, [line(1, "a", 2, "dep"), line(2, "b", 1, "dep"), ""]))


def test_a_file_that_is_missing_empty_not_text_or_not_packed_is_refused(tmp_path):
    assert "check the path" in refusal(tmp_path / "none.conllu")
    assert "found none" in refusal(written(tmp_path, ["# nothing"]))
    latin = tmp_path / "latin.conllu"
    latin.write_bytes("\n".join(SMALL).replace("We", "Wé").encode("latin-1"))
    assert f"UTF-8 text in {latin}, line 2" in refusal(latin)
    assert "Expected a treebank" in refusal(written(tmp_path, SMALL, "t.conllu.gz"))


def test_our_treebank_is_large_enough_and_every_sentence_is_a_tree_of_known_relations():
    sentences = read_treebank("ours", OURS).items
    assert len(sentences) >= 800
    assert sum(len(sentence.words) for sentence in sentences) >= 12000
    assert len({sentence.id for sentence in sentences}) == len(sentences)
    used = {word.relation.split(":")[0] for sentence in sentences for word in sentence.words}
    assert used <= RELATIONS


@pytest.mark.parametrize("relation", sorted(FREQUENT))
def test_half_of_our_treebank_can_judge_a_frequent_relation_and_no_fixed_offset_finds_it(relation):
    """Half of the sentences needs 50 words for a verdict, and a head can gain only where offsets miss words."""
    distances = Counter(
        word.head - at
        for sentence in read_treebank("ours", OURS).items
        for at, word in enumerate(sentence.words, start=1)
        if word.relation == relation
    )
    assert distances.total() >= 120
    assert max(distances.values()) <= 0.75 * distances.total()


def test_the_text_of_our_sentences_is_the_text_of_their_words():
    """Derived anew: surface tokens joined by blanks unless the line says otherwise."""
    for path in OURS:
        for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
            text, covered, joined = "", 0, ""
            for row in block.split("\n"):
                if row.startswith("# text = "):
                    text = row.removeprefix("# text = ")
                if row.startswith("#"):
                    continue
                columns = row.split("\t")
                if "-" in columns[0]:
                    covered = int(columns[0].split("-")[1])
                elif int(columns[0]) <= covered:
                    continue
                joined += columns[1] + ("" if "SpaceAfter=No" in columns[9] else " ")
            assert joined.strip() == text


@pytest.mark.parametrize(
    "name",
    [
        "ud-english-ewt/en_ewt-ud-test.conllu",
        "ud-german-gsd/de_gsd-ud-test.conllu",
        "ud-korean-gsd/ko_gsd-ud-dev.conllu",
    ],
)
def test_public_treebanks_are_read_whole(public, name):
    path = public(f"{name}")
    rows = [row.split("\t") for row in path.read_text(encoding="utf-8").split("\n") if row[:1].isdigit()]
    words = [row for row in rows if row[0].isdigit()]
    read = [word for sentence in read_treebank("t", [path]).items for word in sentence.words]
    assert [(word.form, str(word.head), word.relation) for word in read] == [(row[1], row[6], row[7]) for row in words]
