"""Treebanks, mentions and word vectors that are wrong end in one sentence that says where."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bad_corpora.conftest import Refusal
from tests.cli.command import fieldguide, write_corpus
from tests.corpora.test_treebank import SMALL, line
from tests.corpora.test_treebank import written as treebank
from tests.encoders import POSITIONS
from tests.topics.mentions.corpus.test_gap import CATAPHOR, ROW
from tests.topics.mentions.corpus.test_gap import written as gap


def replaced(*wrong: tuple[int, str]) -> list[str]:
    """The small treebank twice, with these 1-based lines replaced: the mistake may lie in the second sentence."""
    lines = [*SMALL, "# sent_id = two", *SMALL[1:]]
    for number, text in wrong:
        lines[number - 1] = text
    return lines


@pytest.mark.parametrize(
    ("lines", "where", "says"),
    [
        (replaced((13, line(1, "We", 2, "nsubj")), (15, line(2, "do", 1, "aux"))), 13, "a cycle through"),
        (replaced((13, line(1, "We", 1, "nsubj"))), 13, "a cycle through"),
        (replaced((15, line(2, "do", 0, "root"))), 17, "one root in the sentence at"),
        (replaced((17, line(4, "sing", 5, "root"))), 13, "one root in the sentence at"),
        (replaced((15, line(7, "do", 4, "aux"))), 15, "Expected word 2 in"),
        (replaced((16, line(2, "n't", 4, "advmod"))), 16, "Expected word 3 in"),
        (replaced((13, line(0, "We", 4, "nsubj"))), 13, "Expected word 1 in"),
        (replaced((16, line(3, "n't", 4, "advmod").replace("\t", "  "))), 16, "10 columns separated by tabs in"),
        (replaced((16, line(3, "n't", 4, "advmod") + "\tmore")), 16, "found 11"),
        (replaced((16, line(3, "n't", 6, "advmod"))), 16, "Expected a head from 0 to 5 in"),
        (replaced((16, line(3, "n't", -4, "advmod"))), 16, "Expected a number as head in"),
        (replaced((13, "We sing.")), 13, "10 columns separated by tabs in"),
        (replaced((16, line(3, "n't", "²", "advmod"))), 16, "Expected a number as head in"),
        ([*SMALL, *SMALL], len(SMALL) + 3, "'one' twice"),
    ],
    ids=[
        "cycle of two",
        "cycle of one",
        "two roots",
        "no root",
        "a number left out",
        "a number twice",
        "numbers from zero",
        "no tabs",
        "a column too many",
        "a head outside",
        "a negative head",
        "plain text",
        "a superscript",
        "two sentences of one id",
    ],
)
def test_a_treebank_that_is_no_treebank(checkpoint, tmp_path, refusal, lines, where, says):
    path = treebank(tmp_path, lines)
    found = refusal(checkpoint("bert"), "--corpus", path)
    assert says in found
    assert f"{path}, line {where}" in found


def test_a_wrong_treebank_is_seen_before_text_is_read(checkpoint, tmp_path, refusal):
    text, path = write_corpus(tmp_path / "twelve.txt", 12), treebank(tmp_path, replaced((13, "We")))
    assert f"{path}, line 13" in refusal(checkpoint("bert"), "--corpus", text, "--corpus", path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:-9],
        lambda raw: raw[:-8] + bytes(8),
        lambda raw: raw[:10] + b"\xff" * 20 + raw[30:],
    ],
    ids=["cut short", "another checksum", "not packed so"],
)
def test_a_packed_treebank_that_is_damaged(checkpoint, tmp_path, refusal, damage):
    path = tmp_path / "t.conllu.gz"
    path.write_bytes(damage(gzip.compress("\n".join(SMALL).encode())))
    assert f"Expected a treebank at {path}" in refusal(checkpoint("bert"), "--corpus", path)


@pytest.mark.parametrize("content", [b"", b"# sent_id = one\n\n\n", b"\n \n"], ids=["empty", "comments", "blank lines"])
def test_a_treebank_without_sentences(checkpoint, tmp_path, refusal, content):
    path = tmp_path / "t.conllu"
    path.write_bytes(content)
    assert f"Expected sentences in {path}, found none" in refusal(checkpoint("bert"), "--corpus", path)


@pytest.mark.parametrize("with_text", [False, True], ids=["alone", "after text"])
def test_sentences_that_are_all_longer_than_the_model_reads(checkpoint, tmp_path, run, with_text):
    rows = [[line(at, "sea", at - 1, "dep" if at > 1 else "root") for at in range(1, POSITIONS)] for _ in "ab"]
    path = treebank(tmp_path, [*rows[0], "", *rows[1], ""], "long.conllu")
    text = ["--corpus", write_corpus(tmp_path / "twelve.txt", 12)] if with_text else []
    outcome = run(checkpoint("bert"), *text, "--corpus", path, "--max-tokens", 32)
    *notes, found = outcome.err.splitlines()
    assert outcome.exit == 1
    assert found.startswith("Error: Expected sentences that fit into one input in long.conllu, found none among 2;")
    assert not any(note.startswith("Error") for note in notes)


def test_a_treebank_of_a_few_words_is_read(checkpoint, tmp_path):
    outcome = fieldguide("analyze", checkpoint("bert"), "--corpus", treebank(tmp_path, SMALL), "--results", tmp_path)
    assert (outcome.exit, outcome.out) == (0, f"{tmp_path / 'bert'}\n")


def test_a_byte_order_mark_does_not_matter(checkpoint, tmp_path, refusal):
    path = treebank(tmp_path, replaced((15, line(2, "do", 0, "root"))))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert "line 17" in refusal(checkpoint("bert"), "--corpus", path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"Pronoun-offset": "3"}, "Expected Pronoun 'she' as whole words at its offset"),
        ({"A-offset": "1"}, "Expected A 'Ann Lee' as whole words at its offset"),
        ({"B-offset": "1000"}, "Expected B 'Mia Hart' as whole words at its offset"),
        ({"B-offset": "first"}, "Expected B 'Mia Hart' as whole words at its offset"),
        ({"A-coref": "maybe"}, "Expected TRUE or FALSE as A-coref"),
        ({"URL": "one\ttwo"}, "Expected 11 columns"),
    ],
    ids=str,
)
def test_mentions_whose_offsets_do_not_match_their_text(checkpoint, tmp_path, refusal, change, says):
    path = gap(tmp_path, [ROW, ROW | {"ID": "t-3"} | change])
    found = refusal(checkpoint("bert"), "--corpus", path)
    assert says in found
    assert f"{path}, line 3" in found


def test_mentions_that_cannot_be_scored(checkpoint, tmp_path, refusal):
    assert "in t.tsv" in refusal(checkpoint("bert"), "--corpus", gap(tmp_path, [CATAPHOR]))
    assert "'t-1' twice" in refusal(checkpoint("bert"), "--corpus", gap(tmp_path, [ROW, ROW]))
    assert "two documents of t.tsv" in refusal(checkpoint("bert"), "--corpus", gap(tmp_path, [ROW]))


def test_a_treebank_alone_without_studies_is_refused(checkpoint, tmp_path, refusal):
    path = treebank(tmp_path, SMALL)
    error = refusal(checkpoint("bert"), "--corpus", path, "--no-studies")
    assert "Expected running text, as nothing else is read without studies, found none" in error


def test_word_vectors_that_are_not_there_are_told_in_one_sentence(
    refusal: Refusal, checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    trees = treebank(tmp_path, SMALL)
    said = refusal(checkpoint("bert"), "--corpus", trees, "--word-vectors", tmp_path / "none.txt")
    assert "Expected word vectors at" in said
    assert "check the path" in said
