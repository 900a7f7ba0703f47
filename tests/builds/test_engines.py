"""How a site leaves MkDocs: Zensical builds what is exported; ProperDocs, which goes on from MkDocs 1, builds a project
as it is. Each is installed into an environment of its own.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.builds.test_export import told
from tests.cli.command import ROOT, fieldguide
from tests.limits import SECONDS
from tests.weekly import weekly

pytestmark = weekly
GENERATOR = re.compile(rb'<meta name="generator"[^>]*>')
"""The theme's line in each page that names the engine."""


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory, plain: Path) -> Path:
    """A guide that `init` made, with all of its hand-written pages, and its site."""
    guide = tmp_path_factory.mktemp("guides") / "guide"
    assert fieldguide("init", guide, "--no-workflow").exit == 0
    shutil.copytree(plain, guide / "build" / "results" / plain.name)
    config = guide / "fieldguide.toml"
    config.write_text(config.read_text().replace("also = []", 'also = ["build/results"]'))
    outcome = fieldguide("build", "--config", config)
    assert outcome.exit == 0, outcome.err
    return guide


def environment(place: Path, engine: str, *beside: str) -> Path:
    """The folder of commands of an environment that has one engine, and what lies in these folders."""
    run(sys.executable, "-m", "venv", place)
    hashed = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--requirement")
    run(place / "bin" / "python", "-m", "pip", "install", *hashed, ROOT / f".github/requirements/{engine}.txt")
    packages = next(place.glob("lib/python*/site-packages"))
    (packages / "beside.pth").write_text("".join(f"{folder}\n" for folder in beside))
    return place / "bin"


def run(*words: object, cwd: Path = ROOT) -> str:
    """What a command says that succeeds."""
    ended = subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def files(site: Path) -> dict[Path, Path]:
    return {path.relative_to(site): path for path in site.rglob("*") if path.is_file()}


def test_zensical_builds_every_page_of_what_is_exported(tmp_path: Path, guide: Path) -> None:
    commands, out = environment(tmp_path / "environment", "zensical"), tmp_path / "out"
    assert fieldguide("export", out, "--config", guide / "fieldguide.toml").exit == 0
    assert "No issues found" in run(commands / "zensical", "build", "--strict", cwd=out)
    theirs, ours = files(out / "site"), files(guide / "site")
    pages = [name for name in ours if name.name == "index.html"]
    assert len(pages) > 150
    assert {name for name in theirs if name.name == "index.html"} == {*pages}
    wrong = [str(name) for name in pages if told(theirs[name]) != told(ours[name])]
    assert wrong == []


def test_properdocs_builds_the_same_site(tmp_path: Path, guide: Path) -> None:
    """Of the environment in which this test runs it sees what lies there: the program, MkDocs and the theme."""
    own = (sysconfig.get_path("purelib"), str(ROOT))
    commands, out = environment(tmp_path / "environment", "properdocs", *own), tmp_path / "site"
    options = ("--strict", "--quiet", "--config-file", guide / "mkdocs.yml", "--site-dir", out)
    assert run(commands / "properdocs", "build", *options) == ""
    theirs, ours = files(out), files(guide / "site")
    assert set(theirs) == set(ours)
    made = {name: [GENERATOR.sub(b"", site[name].read_bytes()) for site in (theirs, ours)] for name in ours}
    assert [name for name, (one, other) in made.items() if one != other] == []
