"""Folders of formats 4 and 5 are read as if this format had written them, older ones are refused by name."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from generator.corpora.files import TEXT
from generator.corpora.frames import FRAMES
from generator.corpora.kinds import TASK
from generator.corpora.mentions import MENTIONS
from generator.corpora.questions import QUESTIONS
from generator.corpora.treebank import TREEBANK
from generator.errors import ResultsError
from generator.home import DATA
from generator.results.manifest import FILE, SEAL, CorpusRecord, Manifest
from generator.results.store import Results
from generator.results.tables import FORMAT
from generator.results.upgrade import OLDEST
from generator.results.writing import write
from tests.results.samples import manifest, tables

LINKED = "ud-english-gum-test"
FOUR = {
    "corpora": {"articles": "1"},
    "treebanks": {"trees": "2", LINKED: "3"},
    "mentions": {LINKED: "3"},
    "frames": {"propositions": "4"},
    "tasks": {"rte": "5"},
    "counts": {
        "articles": {"documents": 30, "inputs": 31, "tokens": 999, "split": 1, "short": 0},
        "trees": {"sentences": 7, "words": 70, "long": 0},
        LINKED: {"sentences": 1462, "words": 28132, "long": 2, "documents": 30, "mentions": 269},
        "propositions": {"sentences": 3, "words": 20, "frames": 4},
        "questions": {"questions": 60},
    },
    "languages": {"articles": "en", LINKED: "en"},
    "format": 4,
}
"""What format 4 wrote in another way, of a checkpoint that answers questions."""
PAST, NOW = (Path(__file__).with_name(name) for name in ("past", "now"))
"""The same results as past formats and this one have them."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gives results whose manifest is as format 4 wrote it."""
    made = write(tmp_path, manifest(), tables())
    now = json.loads((made / FILE).read_text())
    for name in ("corpora", "tables", SEAL):
        del now[name]
    (made / FILE).write_text(json.dumps(now | FOUR))
    return made


@pytest.mark.parametrize("past", sorted(PAST.glob("*/*")), ids=lambda path: path.parent.name)
def test_a_folder_of_every_past_format_is_read_or_refused_by_name(past: Path):
    """As they were kept beside the program; nothing of format 1 ever was."""
    number = int(past.parent.name)
    if number < OLDEST:
        expected = f"Expected results of format {FORMAT} in {past}, found format {number}; delete"
        with pytest.raises(ResultsError, match=re.escape(expected)):
            Results.open(past)
    else:
        found, now = Results.open(past), Results.open(NOW / past.name)
        assert replace(found.manifest, tables=now.manifest.tables) == now.manifest
        pd.testing.assert_frame_equal(found.table("facts"), now.table("facts"))


def test_every_past_format_is_tried():
    assert [path.name for path in sorted(PAST.iterdir())] == [str(number) for number in range(2, FORMAT)]


def test_every_kind_becomes_a_record_with_its_own_counts(folder):
    assert Manifest.read(folder).corpora == (
        CorpusRecord("articles", TEXT, "1", "en", FOUR["counts"]["articles"]),
        CorpusRecord("trees", TREEBANK, "2", "", FOUR["counts"]["trees"]),
        CorpusRecord(LINKED, TREEBANK, "3", "en", {"sentences": 1462, "words": 28132, "long": 2}),
        CorpusRecord(LINKED, MENTIONS, "3", "en", {"documents": 30, "mentions": 269}),
        CorpusRecord("propositions", FRAMES, "4", "", FOUR["counts"]["propositions"]),
        CorpusRecord("rte", TASK, "5"),
        CorpusRecord("questions", QUESTIONS, "", "", {"questions": 60}),
    )


def test_counts_under_a_name_and_all_other_facts_are_as_they_were(folder):
    found = Manifest.read(folder)
    assert found.counts == FOUR["counts"]
    assert found.languages == FOUR["languages"]
    assert found.format == FORMAT
    before = json.loads((folder / FILE).read_text())
    after = json.loads(found.text())
    assert after["tables"] is None
    assert {key: after[key] for key in after if key not in {"corpora", "format", "tables", SEAL}} == {
        key: before[key] for key in before if key not in FOUR
    }


def test_an_upgraded_manifest_is_written_in_this_format_and_read_again(folder):
    found = Manifest.read(folder)
    (folder / FILE).write_text(found.text())
    assert json.loads((folder / FILE).read_text())["format"] == FORMAT
    assert Manifest.read(folder) == found


def test_tables_are_read_beside_it(folder):
    assert len(Results.open(folder).table("heads")) == len(tables()["heads"])


@pytest.mark.parametrize("field", [name for name in FOUR if name not in {"format", "languages"}])
def test_a_broken_one_is_refused_with_the_fact(folder, field):
    data = json.loads((folder / FILE).read_text())
    (folder / FILE).write_text(json.dumps(data | {field: "nothing"}))
    with pytest.raises(ResultsError, match=f"Expected '{field}' in .*{FILE}.* to be right"):
        Manifest.read(folder)


@pytest.mark.parametrize("path", sorted((DATA / "results").glob(f"*/{FILE}")), ids=lambda path: path.parent.name)
def test_results_that_come_with_the_program_are_of_this_format(path):
    assert path.read_text(encoding="utf-8") == Manifest.read(path.parent).text()
