"""What pages say that the gate would refuse is told at the end of a build, which it does not stop; no page says any."""

import shutil
from pathlib import Path

import pytest

from generator.corpora.relation_names import ALL, in_words
from generator.models.names import slug
from generator.pages.walk import walk
from generator.results.store import Results
from generator.results.tables import records
from generator.site.build import LISTED, build_site
from generator.topics.relations.records.relations import FEW_WORDS
from tests.reports import Telling
from tests.results.altered import renamed
from tests.site.project import Site
from tests.test_pipeline import write_project

SAID = "97.8 % (95.4 to 100.2) of its attention goes to [SEP]."
NAME = "Tiny 97.8 % (95.4 to 100.2)"


def built(root: Path) -> list[str]:
    """What a build says that is about statements."""
    said = Telling()
    build_site(root / "mkdocs.yml", [root / "build" / "results"], said)
    return [note for note in said.notes if " says \u201c" in note or "such statement" in note]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project without results."""
    return write_project(tmp_path / "project", []).parent


def test_a_build_ends_with_a_note_for_what_a_hand_written_page_says(root: Path, unstudied: Path) -> None:
    shutil.copytree(unstudied, root / "build" / "results" / unstudied.name)
    (root / "docs" / "note.md").write_text(f"# Note\n\n{SAID}\n", encoding="utf-8")
    assert built(root) == ["/note/ says \u201cNote 97.8 % (95.4 to 100.2)\u201d, but a share lies between 0 and 100 %."]
    assert (root / "site" / "note" / "index.html").is_file()


def test_a_build_notes_what_pages_say_that_are_kept(root: Path, unstudied: Path) -> None:
    """Of a model whose name is such a statement."""
    renamed(Path(shutil.copytree(unstudied, root / "build" / "results" / slug(NAME))), NAME)
    told = built(root)
    assert any(one.startswith(f"/models/{slug(NAME)}/") for one in told)
    assert len(told) == LISTED + 1
    (root / "site" / "claims" / "index.html").unlink()
    page = root / "site" / "models" / slug(NAME) / "heads" / "1-1" / "index.html"
    before = page.stat().st_ino
    assert built(root) == told
    assert page.stat().st_ino == before, "the model's pages were kept"


def test_a_build_notes_that_nothing_is_said_to_be_missing_where_nothing_was_read(root: Path, unstudied: Path) -> None:
    """Of a model without a treebank whose name says so."""
    renamed(Path(shutil.copytree(unstudied, root / "build" / "results" / slug("no specialty"))), "no specialty")
    told = built(root)
    assert any(one.startswith("/models/no_specialty/") for one in told), told


def test_a_build_notes_what_a_treebank_contradicts(root: Path, plain: Path) -> None:
    """Of a model whose name says that a head finds what it does not."""
    results = Results.open(plain)
    offsets = results.table("relation_baselines").groupby("relation", observed=True)["correct"].max()
    counts = results.table("relations").query(f"n >= {FEW_WORDS} and correct == 0")
    row = next(row for row in records(counts) if offsets[row["relation"]] and row["relation"] != ALL)
    name = f"Head {row['layer']}-{row['head']} finds {in_words(row['relation'])}"
    renamed(Path(shutil.copytree(plain, root / "build" / "results" / slug(name))), name)
    told = [one for one in built(root) if one.startswith(f"/models/{slug(name)}/")]
    assert any("the best fixed offset for" in one for one in told), told


def test_no_page_of_the_site_says_what_the_gate_would_refuse(site: Site) -> None:
    """Of hand-written pages neither; all pages as readers get them."""
    pages = {name.removesuffix("index.html"): page.replace("\u00a0%", " %") for name, page in site.pages().items()}
    assert len(pages) > 100
    assert [one for address, page in pages.items() for one in walk(address, page)] == []
