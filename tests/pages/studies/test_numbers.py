"""The page of all numbers has each one that an analysis stores about a model as a whole."""

import shutil
from pathlib import Path

import pytest

from generator.numbers.number import Number
from generator.numbers.writing import written
from generator.pages.blocks import Table
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import plain
from generator.pages.studies.numbers import numbers_page, there
from generator.results.store import Results
from generator.studies.declared import study_of
from tests.pages.reading import inside
from tests.results.altered import resealed


@pytest.fixture(scope="module")
def shown(full: Atlas) -> set[tuple[str, str, str, str, str]]:
    """Gives study, title with unit, number, n and corpus of every row on the page."""
    return {
        (section.id, *(" ".join(plain(cell).split()) for cell in row))
        for section in numbers_page(full).sections
        for table in inside(section)
        if isinstance(table, Table)
        for row in table.rows
    }


def test_every_number_of_the_model_is_shown_and_none_of_a_layer(full: Atlas, shown: set[tuple[str, ...]]) -> None:
    facts = full.results.table("facts")
    of_model = facts[facts["layer"] == 0].to_dict("records")
    expected = set()
    for row in of_model:
        one = study_of(row["study"]).quantity(row["name"])
        corpus, number = row["corpus"] or "-", written(Number.of(row))
        expected.add((row["study"].replace(" ", "-"), f"{one.title} {one.unit}", number, f"{row['n']:,}", corpus))
    assert len(facts) > len(of_model) > 100
    assert shown == expected


def test_page_is_absent_without_such_numbers(full: Atlas, tmp_path: Path) -> None:
    folder = tmp_path / full.slug
    shutil.copytree(full.results.folder, folder)
    (folder / "facts.parquet").unlink()
    assert there(full)
    assert not there(Atlas(Results.open(resealed(folder))))
