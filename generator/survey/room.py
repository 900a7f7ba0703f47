"""Refuses a text whose numbers cannot fit into memory before hours are spent on it.

Text stays on disk, and costs no memory until it is read. But each document gives rows of numbers for every head, and
those of a corpus are held in memory until they are stored, since intervals resample them. `Held` of a study says how
many; what is left out here does not grow with documents times heads.
"""

from collections.abc import Iterable
from typing import Any

from generator.corpora.kind import Corpus
from generator.errors import CorpusError
from generator.limits import free_memory
from generator.numbers.resampling import DRAWS, TOGETHER
from generator.studies.procedure import Held, Procedure

NO_NUMBER = "It refuses what does not fit into memory."

FLOAT = 8
"""Bytes of a number in a row."""
RESAMPLED = DRAWS + 3 * TOGETHER
"""Numbers of each document that are held while intervals are made: how often it is drawn, and rows in the making."""


def rows_in_bytes(documents: int, heads: int, held: Iterable[Held]) -> int:
    """The least memory that the numbers of so many documents take for a model with so many heads: what all studies
    keep, and what the largest of them makes of it.
    """
    every = [*held]
    kept, made = sum(one.kept for one in every), max((one.made for one in every), default=0)
    return documents * (heads * kept + max(heads * made, RESAMPLED)) * FLOAT


def check_room(corpus: Corpus[Any], heads: int, studies: Iterable[Procedure]) -> None:
    """Raises CorpusError if what studies hold of a text would not fit into the memory that is free."""
    documents, free, held = len(corpus.items), free_memory(), [study.held for study in studies]
    needed = rows_in_bytes(documents, heads, held)
    if corpus.kind.measured and free is not None and needed > free:
        fitting = max(free // (2 * rows_in_bytes(1, heads, held)), 1)
        raise CorpusError(
            f"Expected a text whose numbers fit into memory, found {documents:,} documents of {corpus.name}, which for "
            f"{heads} heads need at least {needed >> 20:,} MiB where {free >> 20:,} are free; read a sample with "
            f"--documents {fitting}, or fewer."
        )
