"""A measure, a number of a study, a kind of corpus, a claim and a section with a chart need the edits that the guide
for contributors names.

All are made in a copy of the project, and the site that the copy builds is read.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.additions import ADDITIONS, POEM
from tests.cli.command import ROOT
from tests.limits import SECONDS
from tests.site.documents import Document
from tests.test_pipeline import write_project

STORED = "bert-base-uncased-sst2"
"""Results in the repository that no build can make again: its weights are not there."""


@pytest.fixture(scope="module")
def site(checkpoint, drawn, tmp_path_factory):
    """The site of a tiny encoder, built by a copy of the project in which all additions are made."""
    root = tmp_path_factory.mktemp("additions")
    for name in ("generator", "templates", "data/claims", "data/corpora", "data/published"):
        shutil.copytree(ROOT / name, root / "copy" / name)
    for path, before, text in (edit for edits in ADDITIONS.values() for edit in edits):
        file = root / "copy" / path
        old = file.read_text() if file.exists() else ""
        assert not before or old.count(before) == 1, f"{before!r} is to stand in {path} once"
        file.write_text(old.replace(before, text + before) if before else old + text)
    config = write_project(root / "project", [checkpoint("bert")])
    shutil.copytree(ROOT / "data/results" / STORED, root / "project/build/results" / STORED)
    (config.parent / "river.verse").write_text(POEM)
    config.write_text(config.read_text().replace('twelve.txt"]', 'twelve.txt", "river.verse"]'))
    command = [sys.executable, "-m", "tests.drawn", str(drawn), "build", "--config", str(config)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (root / "copy", ROOT)))}
    subprocess.run(command, cwd=root, env=environment, check=True, timeout=SECONDS)
    return root / "project" / "site"


@pytest.fixture
def read(site):
    """The text of a built page."""
    return lambda address: Document((site / address / "index.html").read_text()).find("article")[0].text


def test_a_new_measure_has_a_page_and_a_row_on_every_head(read):
    assert "Entropy of uniform attention minus mean entropy." in read("methods/narrowness")
    assert "Narrowness" in read("models/bert/heads/2-3")


def test_a_new_measure_has_no_row_in_results_that_are_older_and_all_else_of_them_is_shown(read):
    assert "Narrowness" not in read(f"models/{STORED}/heads/3-1")
    assert "looks at the next token" in read(f"models/{STORED}/heads/3-1")
    assert re.search(r"\bbert-base-uncased-sst2.{0,20}not testable", read("claims/z01"))


def test_a_new_number_of_a_study_has_its_record_under_methods(read):
    assert "Rows times parameters of a row." in read("methods/model")


def test_a_corpus_of_a_new_kind_stands_in_the_manifest_and_in_the_command_on_the_page(site, read):
    manifest = json.loads((site / "data" / "bert" / "manifest.json").read_text())
    (verse,) = (corpus for corpus in manifest["corpora"] if corpus["kind"] == "verse")
    assert verse["name"] == "river.verse"
    assert verse["sha256"] == hashlib.sha256(POEM.encode()).hexdigest()
    assert "--corpus river.verse" in read("models/bert")


def test_a_new_claim_has_a_page_with_its_verdict(read):
    page = read("claims/z01")
    assert "Most heads look at less than everything." in page
    assert re.search(r"\bbertholds", page)


def test_a_new_section_shows_the_numbers_with_its_chart(read, site):
    page = read("models/bert/phases")
    assert "How narrow" in page
    assert re.search(r"The embedding has \d{4} parameters\.", page)
    assert 'data-kind="dots"' in (site / "models/bert/phases/index.html").read_text()
    assert any('"dots":{"vega"' in script.read_text() for script in site.rglob("*.js"))


def test_every_file_and_folder_that_the_guide_names_is_there_from_the_root():
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`([\w./-]+\.(?:py|md|toml|yml|bib)|\w[\w./-]*/)`", guide)) - {"quantities.py"}
    assert len(named) > 40
    assert {path for path in named if not (ROOT / path).exists()} == set(), "with their whole path"


@pytest.mark.parametrize("heading", ADDITIONS)
def test_the_guide_names_every_file_that_is_edited_and_the_folder_of_every_new_one(heading):
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    (steps,) = re.findall(rf"^## {heading}\n(.*?)^## ", guide, re.DOTALL | re.MULTILINE)
    paths = {path for path, _, _ in ADDITIONS[heading]}
    needed = {path if (ROOT / path).exists() else "/".join(path.split("/")[:2]) + "/" for path in paths}
    assert {path for path in needed if f"`{path}`" not in steps} == set()
