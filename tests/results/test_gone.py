"""The record of a model that is gone is read as it was written, or refused by its name."""

import json
from pathlib import Path

import pytest

from generator.config import Gone, Project, read_project
from generator.errors import ResultsError
from generator.results.shown import GONE, RECORD, gone, note_gone
from tests.test_pipeline import write_project

MODEL = Gone("zwö/two", "two", 2, 4, ("models/two/", "models/two/heads/"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """One that noted a model."""
    project = read_project(write_project(tmp_path / "g", []))
    note_gone(project, MODEL)
    return project


def test_no_bit_of_the_record_can_flip(project: Project) -> None:
    path = project.root / GONE / "two.json"
    whole = path.read_bytes()
    assert gone(project) == (MODEL,)
    for bit in range(8 * len(whole)):
        body = bytearray(whole)
        body[bit // 8] ^= 1 << bit % 8
        path.write_bytes(body)
        with pytest.raises(ResultsError, match=r"Expected the record of a model .*two\.json, found: .*; delete it\.$"):
            gone(project)
    for size in range(len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(ResultsError, match="delete it"):
            gone(project)


@pytest.mark.parametrize("text", ["[]", "1", "null", '"two"', 100_000 * "["])
def test_json_that_is_no_record_is_refused(project: Project, text: str) -> None:
    (project.root / GONE / "two.json").write_text(text)
    with pytest.raises(ResultsError, match="delete it"):
        gone(project)


def test_a_record_of_an_earlier_version_has_no_seal_and_is_read(project: Project) -> None:
    path = project.root / GONE / "two.json"
    assert json.loads(path.read_bytes())["name"] == MODEL.name
    path.write_bytes(RECORD.dump_json(MODEL, indent=1))
    assert gone(project) == (MODEL,)
