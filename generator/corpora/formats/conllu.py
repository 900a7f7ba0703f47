"""CoNLL-U files: how they are recognised, which of them have propositions, and the lines of their sentences.

A file of CoNLL-U Plus says in `# global.columns` which columns it has; of these the ten of CoNLL-U are read, wherever
they stand.
"""

import io
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from generator.corpora.formats.raw import marked, unpacked, wrong_columns
from generator.errors import CorpusError, RowError

Rows = list[tuple[int, list[str]]]
"""The lines of the words of a sentence: the number of each in its file, and its columns."""
ENDINGS = tuple(f".{kind}{packed}" for kind in ("conllu", "conllup", "cupt") for packed in ("", ".gz"))
PLUS = "global.columns"
NAMES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
NEEDED = ("ID", "FORM", "HEAD", "DEPREL")
COLUMNS = len(NAMES)
"""How many columns a word has in a treebank; propositions add more."""


def is_conllu(path: Path) -> bool:
    """Whether a file's ending says that it is CoNLL-U."""
    return path.name.endswith(ENDINGS)


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, unpacked; none if it cannot be read, because reading its trees will say what is wrong."""
    try:
        raw = unpacked(path)
        yield from io.BytesIO(raw if b"\n" in raw else raw.replace(b"\r", b"\n"))
    except (OSError, EOFError, zlib.error, ValueError):
        return


def has_propositions(path: Path) -> bool:
    """Whether the line of the first word has more columns than a treebank's, and no line above it names them."""
    for line in lines(path):
        if line[:1] == b"#" and line[1:].partition(b"=")[0].strip() == PLUS.encode():
            return False
        if line.strip() and line[:1] != b"#":
            return line.count(b"\t") >= COLUMNS
    return False


class Lines(NamedTuple):
    """The lines of one sentence."""

    name: str
    """What `# sent_id` says, or the file and the number of the line of its first word."""
    comments: Sequence[tuple[int, str, str]]
    """Number of the line, key and value."""
    given: Rows
    """The lines of words, with the columns that the file has."""
    names: Sequence[str]
    """What its columns are called, if the file says so."""
    wrong: str = ""
    """What is wrong with its text; empty if it is UTF-8."""

    def rows(self, path: Path) -> Rows:
        """The lines of words with the columns of a treebank or of propositions. Raises RowError."""
        if self.wrong:
            raise RowError(self.wrong)
        if not self.names:
            return self.given
        return [(number, _of_treebank(row, self.names, f"{path}, line {number}")) for number, row in self.given]


def sentences(raw: bytes, path: Path) -> Iterator[Lines]:
    """The sentences of a file. Raises CorpusError for a packed file, and for columns that are no treebank's."""
    comments, rows, names = list[tuple[int, str, str]](), Rows(), list[str]()
    texts, wrong = marked(raw, path)
    # A blank line ends a sentence, the last one, too.
    for number, line in enumerate([*texts, ""], start=1):
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            comments.append((number, key.strip(), value.strip()))
            if key.strip() == PLUS:
                names = _named(value.split(), f"{path}, line {number}")
        elif line.strip():
            rows.append((number, line.split("\t")))
        elif rows:
            named = [value for _, key, value in comments if key == "sent_id"]
            of = sorted(number for number, *_ in (*comments, *rows) if number in wrong)
            name = (named or [""])[-1] or f"{path.name}:{rows[0][0]}"
            yield Lines(name, comments, rows, names, wrong[of[0]] if of else "")
            # Names of columns stay: they stand at the top of a file, for all its sentences.
            comments, rows = [], Rows()


def _named(names: list[str], where: str) -> list[str]:
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise CorpusError(
            f"Expected the columns {', '.join(NEEDED)} among those that # {PLUS} names in {where}, found no "
            f"{' and no '.join(missing)}; give a file with trees."
        )
    return names


def _of_treebank(columns: Sequence[str], names: Sequence[str], where: str) -> list[str]:
    """The ten columns of CoNLL-U among those with these names; "_" where one is missing."""
    if len(columns) != len(names):
        raise wrong_columns(f"the {len(names)} of # {PLUS} as", len(columns), where)
    given = dict(zip(names, columns, strict=True))
    return [given.get(name, "_") for name in NAMES]


def check_columns(rows: Rows, path: Path) -> None:
    """Raises RowError for a line with more or fewer columns than a word of a treebank has."""
    for number, columns in rows:
        if len(columns) != COLUMNS:
            raise wrong_columns(COLUMNS, len(columns), f"{path}, line {number}")


def check_form(form: str, where: str) -> None:
    """Raises RowError for a word that is blank."""
    if not form.strip():
        raise RowError(f"Expected a word in {where}, found a blank column; write the word, or _ where it is not known.")
