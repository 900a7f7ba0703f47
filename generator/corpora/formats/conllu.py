"""What tells CoNLL-U files from others and from each other, before they are read."""

import io
import zlib
from collections.abc import Iterator
from pathlib import Path

from generator.limits import unpacked

ENDINGS = (".conllu", ".conllu.gz")
COLUMNS = 10
"""Of a word in a treebank; propositions add some."""


def is_conllu(path: Path) -> bool:
    """Whether a file is one by its ending."""
    return path.name.endswith(ENDINGS)


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, unpacked; none of one that cannot be read: reading the trees will say what is wrong."""
    try:
        yield from io.BytesIO(unpacked(path))
    except (OSError, EOFError, zlib.error, ValueError):
        return


def has_propositions(path: Path) -> bool:
    """Whether the line of the first word has more columns than a treebank's."""
    first = next((line for line in lines(path) if line.strip() and line[:1] != b"#"), b"")
    return first.count(b"\t") >= COLUMNS
