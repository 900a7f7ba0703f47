"""A text whose numbers cannot fit into memory is refused before it is read; one that just fits is read."""

import gc
import shutil
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from generator import limits
from generator.config import Analysis
from generator.corpora import files
from generator.corpora.kind import Corpora, Corpus
from generator.corpora.pairs import Document
from generator.errors import CorpusError
from generator.numbers import resampling
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Procedure
from generator.survey.engine import Surveyor
from generator.survey.room import rows_in_bytes, rows_on_disk
from tests.attention.observations import DOCUMENTS
from tests.bench import material
from tests.reports import Silence

TEXT = Corpora((Corpus("texts", files.TEXT, "1" * 64, DOCUMENTS, "en"),))
HEADS = 12
OF_TEXT = [procedure for procedure in PROCEDURES if procedure.reads == files.TEXT]
MANY, MANY_HEADS = 300, 72
SUMS = [procedure for procedure in PROCEDURES if procedure.study == "measures"]


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[int], None]:
    """Lets the machine say that so many KiB of memory are free."""

    def tell(kibibytes: int) -> None:
        path = tmp_path / "meminfo"
        path.write_text(f"MemTotal: 1 kB\nMemAvailable:   {kibibytes} kB\n")
        monkeypatch.setattr(limits, "MEMORY", path)

    return tell


@pytest.fixture
def surveyor(encoder: Any, anatomy: Any) -> Surveyor:
    """Gives a model of 12 heads that can read the text."""
    assert anatomy("bert").layers * anatomy("bert").heads == HEADS
    return Surveyor(encoder("bert"), anatomy("bert"), Analysis(), Silence())


def test_a_text_is_refused_when_its_rows_alone_need_more_memory_than_is_free(
    free: Callable[[int], None], surveyor: Surveyor
) -> None:
    needed = -(-rows_in_bytes(len(DOCUMENTS), HEADS, [one.held for one in SUMS]) // 1024)
    free(needed - 1)
    with pytest.raises(CorpusError, match=rf"found {len(DOCUMENTS)} documents of texts, .* --documents \d+, or fewer"):
        surveyor.survey(TEXT, SUMS)
    free(needed)
    assert surveyor.survey(TEXT, SUMS).tables


def test_a_text_is_refused_when_its_rows_need_more_disk_than_is_free(
    monkeypatch: pytest.MonkeyPatch, surveyor: Surveyor
) -> None:
    needed = rows_on_disk(len(DOCUMENTS), HEADS, [one.held for one in SUMS])

    def tell(free: int) -> None:
        real = shutil.disk_usage(".")
        monkeypatch.setattr(shutil, "disk_usage", lambda _: real._replace(free=free))

    tell(needed - 1)
    with pytest.raises(CorpusError, match=rf"files lie, found {len(DOCUMENTS)} documents .*--documents"):
        surveyor.survey(TEXT, SUMS)
    tell(needed)
    assert surveyor.survey(TEXT, SUMS).tables


def texts(count: int) -> Corpora:
    """Documents of two paragraphs of three words."""
    words = ["cat", "dog", "bird", "fish", "tree", "house", "road", "river"]
    paragraphs = [" ".join(words[(at + more) % len(words)] for more in range(3)) for at in range(len(words))]
    some = tuple(Document(f"{at:03}", (paragraphs[at % 8], paragraphs[(at // 8) % 8])) for at in range(count))
    return Corpora((Corpus("texts", files.TEXT, "1" * 64, some, "en"),))


def peak(surveyor: Surveyor, corpora: Corpora, studies: Sequence[Procedure]) -> int:
    """The most bytes that are held at a time, without those of torch."""
    gc.collect()
    tracemalloc.start()
    try:
        surveyor.survey(corpora, studies)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


HOLDING = {one.study: [one] for one in OF_TEXT if one.held.made} | {"all": OF_TEXT}


@pytest.mark.parametrize("studies", HOLDING.values(), ids=[*HOLDING])
def test_each_further_document_takes_what_studies_say(
    studies: Sequence[Procedure], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The most that is held for MANY more documents; those that make little are found out beside all others, once there
    are so many documents that their rows outgrow what the distances between heads take of any text.
    """
    monkeypatch.setattr(resampling, "GROUPS", 10)  # sums of groups would be larger than the rows of so few documents
    which = material.model(4 * MANY_HEADS, layers=2, heads=MANY_HEADS // 2)
    surveyor = Surveyor(which.encoder, which.anatomy, Analysis(), Silence())
    peak(surveyor, texts(2), studies)  # compiles
    few = MANY if len(studies) == 1 else 3 * MANY
    further = (peak(surveyor, texts(few + MANY), studies) - peak(surveyor, texts(few), studies)) / MANY
    assert further == pytest.approx(rows_in_bytes(1, MANY_HEADS, [study.held for study in studies]), rel=0.2)
