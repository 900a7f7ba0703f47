"""Treebanks, linked mentions and saved maps that are wrong end in one line that says where, and nothing is written."""

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from generator.results.store import write
from tests.cli.test_app import Outcome, fieldguide, write_corpus
from tests.corpora.formats.test_gap import CATAPHOR, ROW
from tests.corpora.formats.test_gap import written as gap
from tests.corpora.test_treebank import SMALL, line
from tests.corpora.test_treebank import written as treebank
from tests.encoders import POSITIONS
from tests.results.samples import contents, manifest, tables

TOKENS = np.array(["[CLS]", "a", ".", "[SEP]"])
Refusal = Callable[..., str]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A place with older results of the model."""
    write(tmp_path / "results", manifest("bert"), tables(rows=2))
    return tmp_path / "results"


@pytest.fixture
def run(results: Path) -> Callable[..., Outcome]:
    """Runs `fieldguide analyze` after which the results must be as they were, with nothing beside them."""

    def refused(*words: object) -> Outcome:
        before = contents(results)
        outcome = fieldguide("analyze", *words, "--results", results)
        assert contents(results) == before
        assert [path.name for path in results.iterdir()] == ["bert"]
        assert outcome.out == ""
        return outcome

    return refused


@pytest.fixture
def refusal(run: Callable[..., Outcome]) -> Refusal:
    """Gives the one line of an analysis that is refused with exit code 1."""

    def line_of(*words: object) -> str:
        outcome = run(*words)
        assert outcome.exit == 1
        text = outcome.err.removesuffix("\n")
        assert text.startswith("Error: Expected ")
        assert text.isprintable(), "one line, as a person reads it"
        return text

    return line_of


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


def maps(folder: Path, **arrays: np.ndarray) -> Path:
    """An archive with a sound document `a`, and others."""
    path = folder / "maps.npz"
    np.savez(path, **{"a": even(), "a.tokens": TOKENS} | arrays)
    return path


def even(**wrong: float) -> np.ndarray:
    """Two layers of three heads of uniform attention; `wrong` goes to the first key of layer 2, head 3, row 4."""
    weights = np.full((2, 3, 4, 4), 0.25)
    weights[1, 2, 3, 0] = wrong.get("wrong", 0.25)
    return weights


@pytest.mark.parametrize(
    "words",
    [
        ["--maps", "maps.npz"],
        ["bert", "--maps", "maps.npz"],
        ["bert", "--maps", "maps.npz", "--name", "x"],
        ["bert", "--name", "x"],
        ["--name", "x"],
        ["--maps"],
    ],
    ids=" ".join,
)
def test_maps_without_a_name_or_with_a_model_are_wrong_usage(tmp_path, run, monkeypatch, words):
    monkeypatch.chdir(maps(tmp_path).parent)
    outcome = run(*words)
    assert outcome.exit == 2
    assert outcome.err.startswith("Usage: ")


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (0.3, "found 1.05"),
        (0.0, "found 0.75"),
        (np.nan, "found nan"),
        (np.inf, "found inf"),
        (-0.25, "a weight of -0.25"),
    ],
    ids=str,
)
def test_maps_with_a_row_that_does_not_sum_to_one(tmp_path, refusal, wrong, found):
    path = maps(tmp_path, b=even(wrong=wrong), **{"b.tokens": TOKENS})
    said = refusal("--maps", path, "--name", "Saved")
    assert f"rows that sum to one in 'b' of {path}" in said
    assert f"{found} in layer 2, head 3, row 4" in said


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"b": even()}, "Expected the tokens of 'b' of {}"),
        ({"b": even(), "b.tokens": np.arange(4)}, "Expected the tokens of 'b' of {}"),
        ({"b": even(), "b.tokens": TOKENS[:3]}, "for the 3 tokens of 'b' of {}, found 2 x 3 x 4 x 4"),
        ({"b": even()[:1], "b.tokens": TOKENS}, "for the 4 tokens of 'b' of {}, found 1 x 3 x 4 x 4"),
        ({"b": even()[0], "b.tokens": TOKENS}, "for the 4 tokens of 'b' of {}, found 3 x 4 x 4"),
        ({"b": even()[..., :0, :0], "b.tokens": TOKENS[:0]}, "Expected the tokens of 'b' of {}"),
        ({"b": even().astype(str), "b.tokens": TOKENS}, "Expected numbers as weights of 'b' of {}"),
        ({"b": np.array([{}, {}]), "b.tokens": TOKENS}, "archive of maps at {}, found: Object arrays"),
    ],
    ids=[
        "no tokens",
        "numbers for tokens",
        "a token missing",
        "a layer missing",
        "no layers",
        "no words",
        "text for weights",
        "pickled",
    ],
)
def test_maps_that_are_no_maps(tmp_path, refusal, arrays, says):
    path = maps(tmp_path, **arrays)
    assert says.format(path) in refusal("--maps", path, "--name", "Saved")


def test_a_file_that_is_missing_or_cut_short_is_no_archive(tmp_path, refusal):
    cut = tmp_path / "cut.npz"
    cut.write_bytes(maps(tmp_path).read_bytes()[:900])
    for path in (cut, tmp_path / "nowhere.npz", tmp_path):
        assert f"archive of maps at {path}" in refusal("--maps", path, "--name", "Saved")


@pytest.mark.parametrize("content", ["empty", "one array", "another archive"])
def test_a_file_of_another_kind_is_no_archive(tmp_path, refusal, content):
    path = tmp_path / "m.npz"
    if content == "one array":
        with path.open("wb") as file:
            np.save(file, even())
    elif content == "another archive":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.txt", "text")
    else:
        path.touch()
    assert str(path) in refusal("--maps", path, "--name", "Saved")


def test_an_empty_name_is_wrong_usage(tmp_path, run):
    assert run("--maps", maps(tmp_path), "--name", "").exit == 2


def test_saved_maps_bring_their_own_text(tmp_path, run):
    assert run("--maps", maps(tmp_path), "--name", "Saved", "--corpus", "articles").exit == 2


def test_a_treebank_alone_without_studies_is_refused(checkpoint, tmp_path, refusal):
    path = treebank(tmp_path, SMALL)
    assert "Expected a text to measure without studies" in refusal(checkpoint("bert"), "--corpus", path, "--no-studies")


def test_word_vectors_that_are_not_there_are_told_in_one_sentence(
    refusal: Refusal, checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    trees = treebank(tmp_path, SMALL)
    said = refusal(checkpoint("bert"), "--corpus", trees, "--word-vectors", tmp_path / "none.txt")
    assert "Expected word vectors at" in said
    assert "check the path" in said
