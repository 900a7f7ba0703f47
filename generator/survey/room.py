"""Refuses a text whose numbers cannot fit into memory before hours are spent on it.

Text stays on disk, and costs no memory until it is read. But each document gives a row of measures for every head, and
the rows of a corpus are held in memory until they are stored, since intervals resample them.
"""

from typing import Any

from generator.corpora.kind import Corpus
from generator.errors import CorpusError
from generator.limits import free_memory
from generator.measures import COLUMNS

NO_NUMBER = "It refuses what does not fit into memory."

FLOAT = 8
"""Bytes of a measure in a row."""


def rows_in_bytes(documents: int, heads: int) -> int:
    """The least memory that the measures of so many documents take for a model with so many heads."""
    return documents * heads * len(COLUMNS) * FLOAT


def check_room(corpus: Corpus[Any], heads: int) -> None:
    """Raises CorpusError if the measures of a text would not fit into the memory that is free."""
    documents, free = len(corpus.items), free_memory()
    if corpus.kind.measured and free is not None and rows_in_bytes(documents, heads) > free:
        needed, fitting = rows_in_bytes(documents, heads), max(free // (2 * rows_in_bytes(1, heads)), 1)
        raise CorpusError(
            f"Expected a text whose numbers fit into memory, found {documents:,} documents of {corpus.name}, which for "
            f"{heads} heads need at least {needed >> 20:,} MiB where {free >> 20:,} are free; read a sample with "
            f"--documents {fitting}, or fewer."
        )
