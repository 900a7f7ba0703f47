"""The folder of a new guide can be built as it is, and nothing that is there is written over."""

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.config import read_project
from generator.errors import SiteError
from generator.site.build import build_site
from tests.cli.command import ROOT, fieldguide
from tests.dry_run import PAGE, commands
from tests.limits import SECONDS
from tests.project.wheels import write_wheel
from tests.reports import Silence, Strict
from tests.results.altered import renamed
from tests.site.documents import Document

OURS = re.compile(r"small-bert|medium-bert|MiniLM|mpnet|bert-base-uncased-sst2|this project")
"""Names of models that come with the program, and what it calls itself."""
TRUE_OF_THE_PROGRAM = {
    "reproduce": "examples of commands, and how one processor differs from another",
    "notebook": "an example, whose model comes with the program",
    "your-own-guide": "an example",
    "references": "what the program takes from each source",
}


def test_a_new_guide_speaks_for_itself(tmp_path: Path, plain: Path) -> None:
    """A guide of one other model: what is cited is that guide, and no page tells of models that it does not have."""
    guide = tmp_path / "guide"
    given = {"title": "Our & other", "authors": "A. Üst", "licence": "CC BY 4.0", "address": "https://example.org/g/"}
    words = [word for key, value in given.items() for word in (f"--{key}", value)]
    (tmp_path / "mine.svg").write_text((ROOT / "docs/assets/logo.svg").read_text() + "<!-- mine -->")
    words += ["--program", str(write_wheel(tmp_path)), "--logo", str(tmp_path / "mine.svg")]
    outcome = fieldguide("init", guide, *words)
    assert outcome.exit == 0, outcome.err
    config = guide / "fieldguide.toml"
    project = read_project(config)
    assert (project.models, project.places) == ((), (guide / "build" / "results",))
    config.write_text(config.read_text() + '\n[[model]]\nid = "other"\n')
    renamed(Path(shutil.copytree(plain, guide / "build" / "results" / "other")), "other")
    menu = guide / "mkdocs.yml"
    menu.write_text(menu.read_text() + "  anchors: warn\n")  # which fails the build; a draft tells of them, too
    site, built = build_site(menu, [], Strict())
    assert built
    written = [one.relative_to(guide / "docs").with_suffix("") for one in (guide / "docs").rglob("*.md")]
    pages = {str(one): Document((site / one / "index.html").read_text()) for one in written if one.name != "index"}
    assert "your-own-guide" in pages
    assert not {"what-it-took", "decisions", "growth", "gpu", "ported-statistics"} & pages.keys()
    found = {name: OURS.findall(page.find("article")[0].text) for name, page in pages.items()}
    assert {name for name, some in found.items() if some} <= TRUE_OF_THE_PROGRAM.keys(), found
    cited = (site / "cite" / "index.html").read_text()
    assert "A. Üst (2026). Our &amp; other. Our &amp; other, made by Fieldguide, version" in cited
    assert r"title   = {{Our \&amp; other}}" in cited
    assert "url     = {https://example.org/g/}" in cited
    assert "Fieldguide authors" not in cited
    assert "Fieldguide authors" not in (site / "assets/fieldguide/menus.js").read_text()
    home = (site / "index.html").read_text()
    assert all(text in home for text in ("Our &amp; other", "CC BY 4.0", "https://example.org/g/"))
    assert (site / "assets/logo.svg").read_text().endswith("<!-- mine -->")
    workflow = Path(".github/workflows/guide.yml")
    assert (guide / workflow).read_bytes() == (ROOT / workflow).read_bytes()
    assert [path.name for path in (guide / ".github/workflows").iterdir()] == ["guide.yml"]


def test_at_a_terminal_it_asks_what_a_guide_says_of_itself(tmp_path: Path) -> None:
    guide, logo = tmp_path / "guide", tmp_path / "mine.svg"
    logo.write_text((ROOT / "docs/assets/logo.svg").read_text() + "<!-- mine -->")
    answers = ("Our guide", "A. Üst", "CC BY 4.0", "https://example.org/g/", str(logo))
    mine, theirs = pty.openpty()
    os.write(mine, "".join(f"{answer}\n" for answer in answers).encode())
    words = [sys.executable, "-m", "generator", "init", str(guide), "--no-workflow"]
    done = subprocess.run(words, cwd=ROOT, stdin=theirs, capture_output=True, text=True, timeout=SECONDS, check=False)
    os.close(mine)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    asked = ("Title of the guide", "Authors", "Licence", "Address", "Logo")
    assert [one for one in asked if one not in done.stderr] == []
    menu = (guide / "mkdocs.yml").read_text()
    assert [answer for answer in answers[:-1] if answer not in menu] == []
    assert (guide / "docs/assets/logo.svg").read_text().endswith("<!-- mine -->")


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


@pytest.mark.parametrize(("name", "found"), [("nowhere.png", "No such file or directory"), ("", "Is a directory")])
def test_a_logo_that_cannot_be_read_is_named_before_anything_is_written(tmp_path: Path, name: str, found: str) -> None:
    outcome = fieldguide("init", tmp_path / "guide", "--no-workflow", "--logo", tmp_path / name)
    assert outcome.exit == 1
    logo = f"Expected a picture for the logo at {tmp_path / name}, found: {found}; name another file."
    assert outcome.err == f"Error: {logo}\n"
    assert not (tmp_path / "guide").exists()


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
