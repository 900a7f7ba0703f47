"""What is served while a guide is being written."""

import shutil
from pathlib import Path

import pytest
from mkdocs.livereload import LiveReloadServer

from tests.cli.command import fieldguide
from tests.test_pipeline import write_project


def test_the_draft_shows_the_models_of_the_settings_file_that_is_named(
    unstudied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = write_project(tmp_path, [])
    other = config.with_name("other.toml")
    other.write_text('results = "elsewhere"\n' + config.read_text().replace("build/results", "elsewhere"))
    shutil.copytree(unstudied, tmp_path / "elsewhere" / unstudied.name)
    drafts = []

    def look(server: LiveReloadServer, **_: object) -> None:
        """Instead of listening for requests; also after a page was changed."""
        page = Path(server.root) / "models" / unstudied.name / "heads" / "3-4" / "index.html"
        drafts.append(page.is_file())
        page.unlink(missing_ok=True)
        server.builder()
        drafts.append(page.is_file())

    monkeypatch.setattr(LiveReloadServer, "serve", look)
    for settings in (other, config):
        outcome = fieldguide("serve", "--config", settings)
        assert outcome.exit == 0, outcome.err
    assert drafts == [True, True, False, False]
