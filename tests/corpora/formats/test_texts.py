"""Documents that stay on disk are those of the whole text, and cost the memory of one."""

import json
import random
import re
import tracemalloc
from pathlib import Path

import pytest

from generator.corpora.formats.raw import Sieve
from generator.corpora.formats.texts import Texts, find_texts
from generator.corpora.kind import Corpus
from generator.corpora.opening import open_corpora
from generator.errors import CorpusError

LINES = ("a", "b c", " d ", "# one", "#\ttwo  ", "#three", "# ", "", "", "", "  ", "\t", "\f", "\ufeff", "é\r", "#")
"""Of these, in any order, texts are made; most end documents or paragraphs, or look as if they did."""


def of_whole_text(text: str, stem: str) -> list[tuple[str, tuple[str, ...]]]:
    """Ids and paragraphs, found by regular expressions in the text as a whole."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    found: list[tuple[str, tuple[str, ...]]] = []
    start, name = 0, ""
    marks = re.finditer(r"^#[ \t]+(?P<name>\S.*)$|\n[ \t]*\n[ \t]*\n", text, re.MULTILINE)
    for mark in (*marks, None):
        blocks = re.split(r"\n[ \t]*\n", text[start : mark.start() if mark else len(text)])
        paragraphs = tuple(" ".join(block.split()) for block in blocks if block.split())
        if paragraphs:
            found.append((name or f"{stem}-{len(found) + 1}", paragraphs))
        if mark:
            start, name = mark.end(), (mark["name"] or "").rstrip() or ("" if paragraphs else name)
    return found


def test_documents_of_any_lines_are_those_of_the_whole_text(tmp_path: Path) -> None:
    path, draw = tmp_path / "c.txt", random.Random(0)
    counts = []
    for _ in range(2000):
        text = "\n".join(draw.choices(LINES, k=draw.randrange(16)))
        path.write_bytes(text.encode())
        _, found = find_texts([path], Sieve(False))
        assert [(one.id, one.paragraphs) for one in found] == of_whole_text(text, "c"), repr(text)
        counts.append(len(found))
    assert {0, 1, 2, 3} <= set(counts)


@pytest.mark.parametrize("name", ["c.txt", "c.jsonl"])
def test_lines_that_end_in_carriage_returns_alone_are_lines(tmp_path: Path, name: str) -> None:
    text = "# one\n\nfirst\nline\n\nsecond\n# two\n\nthird\n\nfourth"
    rows = [{"id": name, "paragraphs": ["first", "second"]} for name in ("one", "two")]
    text = text if name == "c.txt" else "\n".join(map(json.dumps, rows))
    found = []
    for end in ("\n", "\r"):
        path = tmp_path / str(ord(end)) / name
        path.parent.mkdir()
        path.write_bytes(text.replace("\n", end).encode())
        found.append([(one.id, one.paragraphs) for one in find_texts([path], Sieve(False))[1]])
    assert found[0] == found[1]
    assert [document for document, _ in found[0]] == ["one", "two"]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A file of twenty megabytes in two hundred documents."""
    path = tmp_path / "many.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(200):
            file.write(json.dumps({"id": f"d{number}", "paragraphs": [f"{number} " * 12_500, "end"]}) + "\n")
    return path


def test_a_sample_of_a_large_file_costs_the_memory_of_a_few_documents(many: Path) -> None:
    tracemalloc.start()
    (corpus,) = open_corpora([str(many)], sample=3).all
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [item.paragraphs[0].split()[0] for item in corpus.items] == [
        item.id.removeprefix("d") for item in corpus.items
    ]
    assert len(corpus.items) == 3
    assert peak < many.stat().st_size / 10


def test_a_document_can_be_had_alone_and_in_a_slice(many: Path) -> None:
    _, found = find_texts([many], Sieve(False))
    few = found[2:5]
    assert isinstance(few, Texts)
    assert [one.id for one in few] == ["d2", "d3", "d4"]
    assert found[-1].id == "d199"


@pytest.mark.parametrize("name", ["c.txt", "c.jsonl"])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    text = "# one\n\nfirst\n\nsecond\n" if name == "c.txt" else '{"id": "one", "paragraphs": ["first", "second"]}\n'
    path.write_text(text)
    corpus: Corpus = open_corpora([str(path)]).all[0]
    path.write_text(text.replace("second", "secret"))
    with pytest.raises(CorpusError, match=f"Expected document 'one' in .*{name} as it was"):
        list(corpus.items)
    path.unlink()
    with pytest.raises(CorpusError, match="found: No such file"):
        list(corpus.items)
