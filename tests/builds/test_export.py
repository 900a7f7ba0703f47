"""An engine that knows nothing of this program builds the exported pages, which hold what the site's hold."""

import shutil
from pathlib import Path

import pytest
from mkdocs.commands import build
from mkdocs.config import load_config

from generator.pages import addresses
from tests.cli.command import fieldguide
from tests.site.documents import Document
from tests.test_pipeline import ADDRESSED

NOTE = "---\ntitle: A note\n---\n\n# Note\n\nC04 {{ verdict('C04') }}.\n\n{{ figure('C04') }}\n"


def told(page: Path) -> dict[str, list[str]]:
    """What a page says in its headings, figures, tables and listings."""
    document = Document(page.read_text(encoding="utf-8"))
    tags = ("h1", "h2", "figure", "table", "pre")
    return {tag: [item.text.replace("\N{NO-BREAK SPACE}", " ") for item in document.find(tag)] for tag in tags}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, plain: Path) -> Path:
    """A guide of one model, and its site."""
    project = tmp_path_factory.mktemp("project")
    shutil.copytree(plain, project / "build" / "results" / plain.name)
    (project / "docs").mkdir()
    (project / "docs" / "note.md").write_text(NOTE)
    (project / "fieldguide.toml").write_text('also = ["build/results"]\n')
    (project / "mkdocs.yml").write_text(ADDRESSED.replace("[search, fieldguide]", "\n  - search\n  - fieldguide"))
    assert fieldguide("build", "--config", project / "fieldguide.toml").exit == 0
    return project


def test_an_engine_without_this_program_builds_what_is_exported(tmp_path: Path, project: Path, plain: Path) -> None:
    out = tmp_path / "out"
    outcome = fieldguide("export", out, "--config", project / "fieldguide.toml")
    assert (outcome.exit, outcome.err) == (0, "Next: mkdocs build, or another engine's command, makes a site there.\n")
    count = len(list(out.rglob("*.md")))
    assert outcome.out == f"{out}: {count} pages, and mkdocs.yml for an engine that reads it\n"
    assert "fieldguide\n" not in (out / "mkdocs.yml").read_text()
    assert "{{" not in (out / "docs" / "note.md").read_text()
    again = fieldguide("export", out, "--config", project / "fieldguide.toml")
    assert again.err == f"Error: Expected a new or empty folder, found files in {out}; name another.\n"

    build.build(load_config(str(out / "mkdocs.yml")))
    theirs, ours = out / "site", project / "site"
    pages = {path.relative_to(ours) for path in ours.rglob("index.html")}
    assert {path.relative_to(theirs) for path in theirs.rglob("index.html")} == pages
    for address in ("", addresses.CITE, addresses.CLAIMS, addresses.DATA, addresses.head(plain.name, 3, 1), "note/"):
        one, other = (told(site / address / "index.html") for site in (theirs, ours))
        assert one == other, address
    for name in (f"{addresses.head(plain.name, 3, 1)}figures.js", addresses.FINDER_DATA):
        assert (theirs / name).read_bytes() == (ours / name).read_bytes()
    assert addresses.ASSETS in (theirs / addresses.CLAIMS / "index.html").read_text()
