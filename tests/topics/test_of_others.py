"""The page "Your own question in one folder" runs as it is written: a package gives a topic to any guide."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from generator.claims.bounds import fewest
from generator.pages.addresses import DICTIONARY, study
from generator.results.manifest import Manifest
from generator.topics import TOPICS
from generator.topics.topic import GROUP
from tests.cli.command import ROOT, Outcome, write_corpus
from tests.limits import SECONDS
from tests.ready import Ready
from tests.site.documents import Document
from tests.test_pipeline import write_project

PAGE = ROOT / "docs" / "your-own-question.md"
FILES = re.findall(r"^`([\w./]+)`.*?\n\n```\w+\n(.*?)^```$", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)


class Guide:
    """A guide of one tiny encoder, and the folder where the package is installed."""

    def __init__(self, root: Path, package: Path) -> None:
        self.root, self.package = root, package
        self._ready: dict[object, Ready] = {}

    def run(self, *words: object, installed: bool = True) -> str:
        """What a command prints, with or without the package."""
        found = self.ended(*words, installed=installed)
        assert found.exit == 0, found.err
        return found.out

    def ended(self, *words: object, installed: bool = True) -> Outcome:
        """How a command ended in a process that has loaded the package as it is now."""
        files = [path for path in sorted(self.package.rglob("*")) if installed and path.is_file()]
        code = tuple((path, path.read_bytes()) for path in files if "__pycache__" not in path.parts)
        if code not in self._ready:
            places = [*([self.package] if installed else []), ROOT]
            variables = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, places))}
            self._ready[code] = Ready(variables, self.root)
        running = self._ready[code].run(self.root.with_name("command"), "generator", *words)
        return Outcome(running.wait(SECONDS), running.out, running.err)

    def close(self) -> None:
        """The processes end."""
        for ready in self._ready.values():
            ready.close()

    def rows(self, table: str) -> pd.DataFrame:
        """The stored rows of the topic."""
        found = pd.read_parquet(self.results / f"{table}.parquet")
        return found[found["study"] == "openings"].set_index("name")

    @property
    def results(self) -> Path:
        """Where those of the encoder lie."""
        return self.root / "build" / "results" / "one"

    def shown(self, page: str) -> str:
        """The text of a page."""
        article: str = Document((self.root / "site" / page / "index.html").read_text()).find("article")[0].text
        return " ".join(article.split())


def install(place: Path, files: Iterable[tuple[str, str]] = FILES) -> Path:
    """Write the files of a package, those of the page, and what pip would note of them."""
    for name, text in files:
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    project = tomllib.loads((place / "pyproject.toml").read_text())["project"]
    noted = place / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    noted.mkdir()
    noted.joinpath("METADATA").write_text(f"Metadata-Version: 2.4\nName: {project['name']}\nVersion: 1.0\n")
    entries = "".join(f"{name} = {value}\n" for name, value in project["entry-points"][GROUP].items())
    noted.joinpath("entry_points.txt").write_text(f"[{GROUP}]\n{entries}")
    return place


@pytest.fixture(scope="module")
def guide(checkpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guide]:
    """Gives the guide, built with the package."""
    root = tmp_path_factory.mktemp("others")
    model = Path(shutil.copytree(checkpoint("bert"), root / "models" / "one"))
    made = Guide(write_project(root / "guide", [model]).parent, install(root / "package"))
    write_corpus(made.root / "twelve.txt", fewest("documents"))
    with closing(made):
        made.run("build")
        yield made


def test_the_files_that_the_page_names_are_all_that_it_needs() -> None:
    assert "a package of eight files" in PAGE.read_text()
    assert len(FILES) == 8
    assert not [topic for topic in TOPICS if not topic.package.startswith("generator.")]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("__init__.py", "Expected to load the topic openings (openings:TOPIC), found: no topic today; "),
        ("claims.py", "Expected openings.claims to give CLAIMS, found: no topic today; "),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named_in_one_sentence(tmp_path: Path, file: str, said: str) -> None:
    """No guide is made without what its maintainer has installed."""
    broken = Guide(tmp_path, install(tmp_path / "package"))
    (broken.package / "openings" / file).write_text('raise RuntimeError("no topic today")\n')
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (broken.package, ROOT)))}
    command = [sys.executable, "-m", "generator", "claims"]  # no process is ready that cannot load the program
    ended = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"Error: {said}correct its package, or uninstall it.\n"


def test_its_numbers_are_measured_with_all_others(guide: Guide) -> None:
    assert "openings" in Manifest.read(guide.results).studies
    mean, heads = guide.rows("facts").loc["mean"], guide.rows("head_facts")
    assert len(heads) == 3 * 4
    assert abs(heads["value"].mean() - mean["value"]) < 1e-6
    assert 0 < mean["low"] < mean["value"] < mean["high"] < 1


def test_it_has_a_claim_a_page_definitions_and_a_section_of_each_head(guide: Guide) -> None:
    judged = {claim["id"]: claim for claim in json.loads(guide.run("claims", "--format", "json"))}
    assert judged["O01"]["verdict"] in {"holds", "fails", "inconclusive"}
    assert "The first word gets much attention" in guide.shown("claims/o01")
    assert "O01" in guide.shown("claims")
    assert "Attention to the first word, mean over heads" in guide.shown(study("openings"))
    assert "First words" in guide.shown("models/one")
    assert "How much attention the first word gets from each head" in guide.shown("models/one/openings")
    assert (guide.root / "site" / "models" / "one" / "openings" / "index.html").read_text().count("<figure") == 1
    assert re.search(r"The first word gets 0?\.\d+ \(.*\) of its attention", guide.shown("models/one/heads/2-3"))
    with (guide.root / "site" / DICTIONARY).open(encoding="utf-8") as file:
        assert {row["name"] for row in csv.DictReader(file) if row["study"] == "openings"} == {"mean", "share"}


def test_its_code_is_part_of_what_it_stores_and_it_leaves_nothing_behind(guide: Guide) -> None:
    before, value = Manifest.read(guide.results).studies, guide.rows("facts")["value"]["mean"]
    compute = guide.package / "openings" / "compute.py"
    compute.write_text(compute.read_text().replace("FIRST = 1", "FIRST = 2"))
    guide.run("build")
    after = Manifest.read(guide.results).studies
    assert {name for name in before if before[name] != after[name]} == {"openings"}
    assert guide.rows("facts")["value"]["mean"] != value
    shutil.rmtree(guide.package)
    assert "O01" not in guide.run("claims", installed=False)
    assert len(guide.rows("head_facts")) == 3 * 4, "what is stored can be read"
    guide.run("build", "--offline", installed=False)
    assert not (guide.root / "site" / "models" / "one" / "openings").exists()
    assert guide.rows("head_facts").empty
