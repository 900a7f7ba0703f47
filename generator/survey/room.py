"""Refuses a text whose numbers cannot fit into memory, or on disk, before hours are spent on it.

Text stays on disk, and costs no memory until it is read. But each document gives rows of numbers for every head, and
those of a corpus lie in a temporary file until they are stored, since intervals resample them; what is made of them is
held in memory. `Held` of a study says how many; what is left out here does not grow with documents times heads.
"""

import shutil
import tempfile
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


def rows_on_disk(documents: int, heads: int, held: Iterable[Held]) -> int:
    """The bytes that the numbers of so many documents take in temporary files, for a model with so many heads."""
    return documents * heads * sum(study.kept for study in held) * FLOAT


def rows_in_bytes(documents: int, heads: int, held: Iterable[Held]) -> int:
    """The least memory that so many documents take for a model with so many heads: what the largest study makes."""
    return documents * (heads * max((study.made for study in held), default=0) + RESAMPLED) * FLOAT


def check_room(corpus: Corpus[Any], heads: int, studies: Iterable[Procedure]) -> None:
    """Raises CorpusError if what studies hold of a text would not fit into the memory, or the disk, that is free."""
    if not corpus.kind.measured:
        return
    documents, held, folder = len(corpus.items), [study.held for study in studies], tempfile.gettempdir()
    for where, bytes_of, free in (
        ("memory", rows_in_bytes, free_memory()),
        (f"{folder}, where temporary files lie", rows_on_disk, shutil.disk_usage(folder).free),
    ):
        needed = bytes_of(documents, heads, held)
        if free is not None and needed > free:
            fitting = max(free // (2 * bytes_of(1, heads, held)), 1)
            raise CorpusError(
                f"Expected a text whose numbers fit into {where}, found {documents:,} documents of {corpus.name}, "
                f"which for {heads} heads need at least {needed >> 20:,} MiB where {free >> 20:,} are free; read a "
                f"sample with --documents {fitting}, or fewer."
            )
