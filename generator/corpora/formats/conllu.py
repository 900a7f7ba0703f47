"""CoNLL-U files: how they are recognised, which of them have propositions, and the lines of their sentences."""

import io
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from generator.corpora.formats.raw import decoded, unpacked, wrong_columns

Rows = list[tuple[int, list[str]]]
"""The lines of the words of a sentence: the number of each in its file, and its columns."""
ENDINGS = (".conllu", ".conllu.gz")
COLUMNS = 10
"""How many columns a word has in a treebank; propositions add more."""


def is_conllu(path: Path) -> bool:
    """Whether a file's ending says that it is CoNLL-U."""
    return path.name.endswith(ENDINGS)


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, unpacked; none if it cannot be read, because reading its trees will say what is wrong."""
    try:
        yield from io.BytesIO(unpacked(path))
    except (OSError, EOFError, zlib.error, ValueError):
        return


def has_propositions(path: Path) -> bool:
    """Whether the line of the first word has more columns than a treebank's."""
    first = next((line for line in lines(path) if line.strip() and line[:1] != b"#"), b"")
    return first.count(b"\t") >= COLUMNS


class Lines(NamedTuple):
    """The lines of one sentence."""

    name: str
    """What `# sent_id` says, or the file and the number of its first line."""
    comments: Sequence[tuple[int, str, str]]
    """Number of the line, key and value."""
    rows: Rows


def sentences(raw: bytes, path: Path) -> Iterator[Lines]:
    """The sentences of a file. Raises CorpusError for what is not UTF-8."""
    comments, rows = list[tuple[int, str, str]](), Rows()
    for number, line in enumerate([*decoded(raw, path).split("\n"), ""], start=1):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            comments.append((number, key.strip(), value.strip()))
        elif line.strip():
            rows.append((number, line.split("\t")))
        elif rows:
            named = [value for _, key, value in comments if key == "sent_id"]
            yield Lines((named or [""])[-1] or f"{path.name}:{rows[0][0]}", comments, rows)
            comments, rows = [], Rows()


def check_columns(rows: Rows, path: Path) -> None:
    """Raises CorpusError for a line with more or fewer columns than a word of a treebank has."""
    for number, columns in rows:
        if len(columns) != COLUMNS:
            raise wrong_columns(COLUMNS, len(columns), f"{path}, line {number}")
