"""What pages say that the gate would refuse is told at the end of a build, which it does not stop; no page says any."""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from generator.pages.walk import walk
from generator.site.build import LISTED, build_site
from tests.reports import Telling
from tests.results.altered import with_table
from tests.site.project import Site
from tests.test_pipeline import write_project

SAID = "97.8 % (95.4 to 100.2) of its attention goes to [SEP]."
TOKEN = "97.8 % (95.4 to 100.2)"


def built(root: Path) -> list[str]:
    """What a build says that is about statements."""
    said = Telling()
    build_site(root / "mkdocs.yml", [root / "build" / "results"], said)
    return [note for note in said.notes if " says \u201c" in note or "such statement" in note]


@pytest.fixture
def root(tmp_path: Path, plain: Path) -> Path:
    """A project with a hand-written page, and a model with a token, that say what cannot be."""
    root = write_project(tmp_path / "project", []).parent
    (root / "docs" / "note.md").write_text(f"# Note\n\n{SAID}\n", encoding="utf-8")

    def strange(roles: pd.DataFrame) -> pd.DataFrame:
        return roles.replace({"token": {roles["token"].iat[-1]: TOKEN}})

    with_table(Path(shutil.copytree(plain, root / "build" / "results" / plain.name)), "roles", strange)
    return root


def test_a_build_ends_with_a_note_for_each_statement_also_of_pages_that_are_kept(root: Path, plain: Path) -> None:
    told = built(root)
    assert (root / "site" / "note" / "index.html").is_file()
    assert [one for one in told if one.startswith("/note/ says ")] == [
        "/note/ says \u201cNote 97.8 % (95.4 to 100.2)\u201d, but a share lies between 0 and 100 %."
    ]
    assert any(one.startswith(f"/models/{plain.name}/") for one in told)
    assert len(told) <= LISTED + 1
    (root / "site" / "claims" / "index.html").unlink()
    page = root / "site" / "models" / plain.name / "heads" / "1-1" / "index.html"
    before = page.stat().st_ino
    assert built(root) == told
    assert page.stat().st_ino == before, "the model's pages were kept"


def test_no_page_of_the_site_says_what_the_gate_would_refuse(site: Site) -> None:
    """Of hand-written pages neither; all pages as readers get them."""
    pages = {name.removesuffix("index.html"): page.replace("\u00a0%", " %") for name, page in site.pages().items()}
    assert len(pages) > 100
    assert [one for address, page in pages.items() for one in walk(address, page)] == []
