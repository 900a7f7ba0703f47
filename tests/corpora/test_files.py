"""A file becomes documents of paragraphs as the command's help promises, or one sentence says where it is wrong."""

import hashlib
import json

import pytest

from generator.corpora.files import SUFFIXES, read_corpus
from generator.corpora.pairs import Document
from generator.errors import CorpusError


@pytest.fixture
def read(tmp_path):
    """Writes one file and gives its documents as a dictionary of paragraphs by id."""

    def read_one(content: str | bytes, name: str = "c.txt") -> dict[str, tuple[str, ...]]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return {document.id: document.paragraphs for document in read_corpus("c", [path]).items}

    return read_one


def test_a_blank_line_separates_paragraphs(read):
    assert read("one\n\ntwo\n\nthree\n") == {"c-1": ("one", "two", "three")}


def test_lines_of_a_paragraph_are_joined_by_a_space(read):
    assert read("one\ntwo\n   three\tfour\n\nnext") == {"c-1": ("one two three four", "next")}


def test_a_line_with_a_number_sign_names_the_next_document(read):
    assert read("# The first\n\na\n\nb\n\n#  Second, of 2 \n\nc\n") == {"The first": ("a", "b"), "Second, of 2": ("c",)}


def test_a_heading_needs_no_blank_line_around_it(read):
    assert read("# one\na\n# two\nb") == {"one": ("a",), "two": ("b",)}


def test_two_blank_lines_separate_documents_that_are_named_by_number(read):
    assert read("a\n\nb\n\n\nc\n\n\n\n\nd\n") == {"c-1": ("a", "b"), "c-2": ("c",), "c-3": ("d",)}


def test_both_ways_mix_and_numbers_count_all_documents(read):
    assert read("a\n\n\n# named\nb\n\n\nc\n") == {"c-1": ("a",), "named": ("b",), "c-3": ("c",)}


def test_a_heading_followed_by_two_blank_lines_still_names_its_document(read):
    assert read("# one\n\n\na\n\nb\n\n# two\n\n\n\nc\n") == {"one": ("a", "b"), "two": ("c",)}


@pytest.mark.parametrize("line", ["#hashtag is text", "## a lower heading", "a # in the middle", "  # indented", "#"])
def test_only_a_number_sign_and_a_space_at_the_start_of_a_line_are_a_heading(read, line):
    assert read(f"# one\n\n{line}\n\nb\n") == {"one": (line.strip(), "b")}


@pytest.mark.parametrize(
    "content",
    [
        "# one\r\n\r\na\r\nb\r\n\r\nc\r\n\r\n\r\nd\r\n",
        "# one  \n  \na\nb  \n\t\nc\n \n\t \nd   \n",
        "# one\n\na\nb\n\nc\n\n\nd",
        "\n\n\n\n# one\n\na\nb\n\nc\n\n\nd\n\n\n\n\n",
        b"\xef\xbb\xbf# one\n\na\nb\n\nc\n\n\nd\n",
        b"\xef\xbb\xbf# one\r\n\r\na\r\nb\r\n\r\nc\r\n\r\n\r\nd",
    ],
    ids=["Windows", "trailing spaces", "no final newline", "blank lines around", "byte order mark", "both"],
)
def test_how_an_editor_saved_the_file_does_not_matter(read, content):
    assert read(content) == {"one": ("a b", "c"), "c-2": ("d",)}


def test_a_heading_without_text_is_no_document(read):
    assert read("# empty\n\n# one\n\na\n\n# last") == {"one": ("a",)}


def test_text_is_kept_as_it_is(read):
    strange = '<script>alert(1)</script> {{ x }} {% y %} *a* `b` "c" \\n שלום 🙂 [SEP] \u200b'
    assert read(f"{strange}\n\nb") == {"c-1": (strange, "b")}


def test_lines_of_json_are_documents_with_their_own_ids(read):
    lines = [
        {"id": "x", "paragraphs": ["one\ntwo", " three "]},
        {"id": "né 🙂", "paragraphs": ["four", " ", ""], "more": 1},
    ]
    content = "\n\n".join(json.dumps(line) for line in lines)
    assert read(content, "c.jsonl") == {"x": ("one\ntwo", "three"), "né 🙂": ("four",)}
    assert read(content.replace("\n", "\r\n") + "\r\n", "c.jsonl") == read(content, "c.jsonl")


def test_several_files_are_one_corpus_whose_ids_begin_with_the_file(tmp_path):
    (tmp_path / "b.txt").write_text("# same\n\nfrom b\n")
    (tmp_path / "a.jsonl").write_text('{"id": "same", "paragraphs": ["from a"]}\n')
    corpus = read_corpus("both", [tmp_path / "b.txt", tmp_path / "a.jsonl"])
    assert tuple(corpus.items) == (Document("b/same", ("from b",)), Document("a/same", ("from a",)))


def test_the_checksum_is_that_of_the_bytes_that_were_read(tmp_path):
    path = tmp_path / "c.txt"
    path.write_bytes(b"a\r\n\r\nb")
    assert read_corpus("c", [path]).sha256 == hashlib.sha256(b"a\r\n\r\nb").hexdigest()


@pytest.mark.parametrize("content", ["# same\n\na\n\n# same\n\nb\n", "# same\na\n\n\nx\n# same\nb"])
def test_two_documents_of_one_name_are_refused_with_the_name(read, content):
    with pytest.raises(CorpusError, match="'same' twice; rename"):
        read(content)


@pytest.mark.parametrize("name", ["c.txt", "c.jsonl"])
@pytest.mark.parametrize("content", ["", "\n", "  \t \r\n\r\n \n", "\ufeff", "\ufeff\n\n"], ids=repr)
def test_a_file_without_text_is_refused(read, name, content):
    with pytest.raises(CorpusError, match=rf"Expected text in .*{name}, found none"):
        read(content, name)


def test_headings_alone_are_no_text(read):
    with pytest.raises(CorpusError, match="found none"):
        read("# one\n\n# two\n")


@pytest.mark.parametrize("name", ["c.txt", "c.jsonl"])
@pytest.mark.parametrize(
    ("content", "byte", "line"),
    [(b"caf\xe9\n", "0xe9", 1), (b"\n\n\r\nc \xff", "0xff", 4), ("é\nx".encode("utf-16"), "0xff", 1)],
    ids=["Latin-1", "last line", "UTF-16"],
)
def test_text_that_is_not_utf_8_is_refused_with_the_byte_and_the_line(read, name, content, byte, line):
    with pytest.raises(CorpusError, match=f"UTF-8 text in .*{name}, line {line}, found byte {byte}; save it as UTF-8"):
        read(content, name)


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "x", "paragraphs": ["a"]',
        "plain text",
        "NaN",
        "[]",
        '"text"',
        "3",
        '{"paragraphs": ["a"]}',
        '{"id": "", "paragraphs": ["a"]}',
        '{"id": 3, "paragraphs": ["a"]}',
        '{"id": null, "paragraphs": ["a"]}',
        '{"id": "x"}',
        '{"id": "x", "paragraphs": "a"}',
        '{"id": "x", "paragraphs": [1]}',
        '{"id": "x", "paragraphs": [["a"]]}',
        '{"id": "x", "paragraphs": {"a": "b"}}',
        '{"id": "x", "paragraphs": null}',
        '{"id": "\\ud800", "paragraphs": ["a"]}',
        '{"id": "x", "paragraphs": ["a \\udc00"]}',
        "[" * 100_000,
    ],
    ids=lambda line: line[:40],
)
def test_a_malformed_line_is_refused_with_its_number_and_what_was_expected(read, line):
    good = '{"id": "good", "paragraphs": ["a"]}\n\n'
    with pytest.raises(CorpusError, match=r'Expected \{"id": .*c\.jsonl, line 3, found .*; correct the line'):
        read(good + line + "\n", "c.jsonl")


@pytest.mark.parametrize("name", ["c.pdf", "c", "c.TXT", "c.txt.gz"])
def test_another_kind_of_file_is_refused_with_the_kinds_there_are(read, name):
    with pytest.raises(CorpusError, match=rf"ending in {' or '.join(SUFFIXES)}, found '.*{name}'"):
        read("a", name)


def test_a_file_that_is_not_there_is_refused_with_its_path(tmp_path):
    with pytest.raises(CorpusError, match=r"nowhere\.txt, found: No such file or directory; check the path"):
        read_corpus("c", [tmp_path / "nowhere.txt"])


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "c.txt").mkdir()
    with pytest.raises(CorpusError, match=r"c\.txt, found: Is a directory"):
        read_corpus("c", [tmp_path / "c.txt"])
