"""A text whose numbers cannot fit into memory is refused before it is read; one that just fits is read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import limits
from generator.config import Analysis
from generator.corpora import files
from generator.corpora.kind import Corpora, Corpus
from generator.errors import CorpusError
from generator.studies.all import PROCEDURES
from generator.survey.engine import Surveyor
from generator.survey.inputs import rows_in_bytes
from tests.attention.observations import DOCUMENTS
from tests.reports import Silence

TEXT = Corpora((Corpus("texts", files.TEXT, "1" * 64, DOCUMENTS, "en"),))
HEADS = 12
SUMS = [one for one in PROCEDURES if one.study == "measures"]


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
    needed = -(-rows_in_bytes(len(DOCUMENTS), HEADS) // 1024)
    free(needed - 1)
    with pytest.raises(CorpusError, match=rf"found {len(DOCUMENTS)} documents of texts, .* --documents \d+, or fewer"):
        surveyor.survey(TEXT, SUMS)
    free(needed)
    assert surveyor.survey(TEXT, SUMS).tables


def test_rows_take_what_the_columns_of_their_table_take(surveyor: Surveyor) -> None:
    table = surveyor.survey(TEXT, SUMS).tables["documents"]
    floats = table.select_dtypes("floating")
    assert rows_in_bytes(table["document"].nunique(), HEADS) == floats.to_numpy(float).nbytes
