"""The exported pages hold what the site's hold, and an engine that knows nothing of this program builds them."""

import shutil
from pathlib import Path

from mkdocs.commands import build
from mkdocs.config import load_config

from generator.pages import addresses
from tests.cli.command import fieldguide
from tests.site.documents import Document
from tests.test_pipeline import MKDOCS

NOTE = "---\ntitle: A note\n---\n\n# Note\n\nC04 {{ verdict('C04') }}.\n\n{{ figure('C04') }}\n"


def test_an_engine_without_this_program_builds_what_is_exported(tmp_path: Path, plain: Path) -> None:
    project, out = tmp_path / "project", tmp_path / "out"
    shutil.copytree(plain, project / "build" / "results" / plain.name)
    (project / "docs").mkdir()
    (project / "docs" / "note.md").write_text(NOTE)
    (project / "fieldguide.toml").write_text("also = []\n")
    (project / "mkdocs.yml").write_text(MKDOCS.replace("[search, fieldguide]", "\n  - search\n  - fieldguide"))
    outcome = fieldguide("export", out, "--config", project / "fieldguide.toml")
    assert (outcome.exit, outcome.err) == (0, "")
    count = len(list(out.rglob("*.md")))
    assert outcome.out == f"{out}: {count} pages, and mkdocs.yml for an engine that reads it\n"
    assert "fieldguide\n" not in (out / "mkdocs.yml").read_text()
    assert "{{" not in (out / "docs" / "note.md").read_text()
    again = fieldguide("export", out, "--config", project / "fieldguide.toml")
    assert again.err == f"Error: Expected a new or empty folder, found files in {out}; name another.\n"

    build.build(load_config(str(out / "mkdocs.yml")))
    assert fieldguide("build", "--config", project / "fieldguide.toml").exit == 0
    theirs, ours = out / "site", project / "site"
    pages = {path.relative_to(ours) for path in ours.rglob("index.html")}
    assert {path.relative_to(theirs) for path in theirs.rglob("index.html")} == pages
    for address in ("", addresses.CLAIMS, addresses.DATA, addresses.head(plain.name, 3, 1), "note/"):
        one, other = (Document((site / address / "index.html").read_text()) for site in (theirs, ours))
        for tag in ("h1", "h2", "figure", "table", "pre"):
            texts = [item.text.replace("\N{NO-BREAK SPACE}", " ") for item in other.find(tag)]
            assert [item.text for item in one.find(tag)] == texts, (address, tag)
    for name in (f"{addresses.head(plain.name, 3, 1)}figures.js", addresses.FINDER_DATA):
        assert (theirs / name).read_bytes() == (ours / name).read_bytes()
    assert addresses.ASSETS in (theirs / addresses.CLAIMS / "index.html").read_text()
