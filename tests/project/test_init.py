"""The folder of a new guide can be built as it is, and nothing that is there is written over."""

import re
from pathlib import Path

import pytest

from generator.config import read_project
from generator.errors import SiteError
from generator.site.build import build_site
from tests.cli.command import ROOT, fieldguide
from tests.dry_run import PAGE, commands
from tests.project.wheels import write_wheel
from tests.reports import Silence, Strict


def test_a_new_guide_is_a_site_before_it_has_models(tmp_path: Path) -> None:
    guide = tmp_path / "guide"
    outcome = fieldguide("init", guide, "--program", write_wheel(tmp_path))
    assert outcome.exit == 0, outcome.err
    project = read_project(guide / "fieldguide.toml")
    assert (project.models, project.places) == ((), (guide / "build" / "results",))
    site, built = build_site(guide / "mkdocs.yml", [], Strict())
    assert built
    assert (site / "your-own-guide" / "index.html").is_file()
    assert not (site / "what-it-took").exists(), "that page is about models which come with the program"
    workflow = Path(".github/workflows/guide.yml")
    assert (guide / workflow).read_bytes() == (ROOT / workflow).read_bytes()
    assert [path.name for path in (guide / ".github/workflows").iterdir()] == ["guide.yml"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("nav: [\n", "Expected a valid {}, found: .* expected the node content, .*"),
        ("plugins: [search, unheard-of]\n", "Expected a valid {}, found: .*unheard-of.*"),
        ("hooks: [failing.py]\n", "Expected MkDocs to build the site from {}, found: no page today"),
    ],
)
def test_what_mkdocs_refuses_is_said_with_what_to_do(tmp_path: Path, written: str, said: str) -> None:
    fieldguide("init", tmp_path / "guide", "--no-workflow")
    config = tmp_path / "guide" / "mkdocs.yml"
    hook = 'from mkdocs.exceptions import Abort\n\n\ndef on_pre_build(config):\n    raise Abort("no page\\n today.")\n'
    config.with_name("failing.py").write_text(hook)
    config.write_text(config.read_text() + written)
    with pytest.raises(SiteError, match=said.format(re.escape(str(config))) + "; correct that and build again\\.$"):
        build_site(config, [], Silence())


@pytest.mark.parametrize("name", ["there.txt", ".hidden"])
def test_a_folder_with_files_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    outcome = fieldguide("init", tmp_path, "--no-workflow")
    assert outcome.exit == 1
    assert outcome.err == f"Error: Expected a new or empty folder, found files in {tmp_path}; name another.\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_page_names_commands_that_there_are() -> None:
    lines = [line.split() for line in commands(PAGE.read_text(encoding="utf-8")).splitlines()]
    words = [line[1] for line in lines if line[0] == "fieldguide"]
    assert words == ["init", "add", "build"]
    for word in words:
        assert fieldguide(word, "--help").exit == 0


def test_every_step_of_the_workflows_is_a_command_that_there_is() -> None:
    for path in sorted((ROOT / ".github").rglob("*.yml")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if "fieldguide ci " in line:
                step = line.split("fieldguide ci ")[1].split()[0].strip('"')
                assert fieldguide("ci", step, "--help").exit == 0, (path, step)
