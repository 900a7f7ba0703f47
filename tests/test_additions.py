"""A measure, a number of a study, a kind of corpus, a claim, a chart and a section need what the guide for contributors
lists, and no more.

All six are added in a copy of the project. The files that change are those that the sections list, the tests that these
additions can break pass there, and the site that the copy builds shows each.
"""

import filecmp
import hashlib
import json
import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.additions import ADDITIONS, POEM
from tests.cli.command import ROOT
from tests.limits import SECONDS
from tests.ready import Ready
from tests.results.altered import altered, renamed
from tests.site.documents import Document
from tests.test_pipeline import write_project

STORED = "older"
"""Results that an earlier version of the program has made, of a model that is not among the settings."""
COPIED = ("generator", "templates", "data", "docs", "tests")
"""Folders, beside the files of the root."""
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
EDITED = {path for edits in ADDITIONS.values() for path, _, _ in edits}
GUARDS = ("tests/slow.py", "tests/claims/cases/narrow.py")
"""Files that nothing of the program needs: without them, and without frozen numbers, a guard is missing."""
RENEWED = {
    "tests.checked": "data/results/checked.toml",
    "tests.frozen": "tests/frozen.json",
    "tests.frozen_pages": "tests/frozen_pages.txt",
}
"""The commands that the guide names -> what they write."""
SAID = {"tests.checked": (ROOT, "Six things were added")}
"""What is said with a command."""
NEW = ("Z01", "embedding.parameters of model", "narrowness")
"""What has numbers that may not change by accident."""
GUARDED = (
    "tests/test_guards.py",
    "tests/measures/test_bert_base_maps.py",
    "tests/measures/test_hand_made_maps.py",
    "tests/measures/test_uniform.py",
    "tests/attention/test_families.py::test_every_column_equals_a_slow_derivation_from_eager_maps[bert]",
    "tests/attention/test_options.py::test_smoothing_moves_what_is_made_of_entropies_as_their_rise_does_and_nothing_else[bert]",
    "tests/claims/test_claims.py",
    "tests/claims/test_names.py",
    "tests/topics/inputs/compute/test_manipulations.py::test_every_number_of_the_maps_equals_a_loop",
    "tests/studies/test_declared.py",
)
"""Tests of what the guards are for."""
WALKING = (
    "tests/test_architecture.py",
    "tests/test_frozen_pages.py",
    "tests/charts/test_specifications.py",
    "tests/claims/test_bounds.py",
    "tests/claims/test_ledger.py",
    "tests/claims/test_truth.py::test_random_weights_have_no_specialty",
    "tests/corpora/test_kinds.py",
    "tests/corpora/test_verse.py",
    "tests/experiments/test_record.py::test_no_experiment_that_comes_with_the_program_is_older",
    "tests/measures/test_patterns.py",
    "tests/pages/claims/test_every_page.py",
    "tests/pages/claims/test_which.py",
    "tests/topics/layers/page/phases",
    "tests/pages/studies/test_all.py",
    "tests/pages/test_dictionary.py",
    "tests/studies/test_complete.py::test_results_that_come_with_the_program_have_no_gap",
    "tests/studies/test_texts.py",
)
"""Tests that walk all records, or that read what was edited."""
EACH = ("test_claims.py", "test_names.py", "test_which.py", "test_specifications.py")
"""Of these, which try one record at a time, those of the new ones."""
CHOSEN = f"not ({' or '.join(EACH)}) or Z01 or dots"


class Copy(NamedTuple):
    """A copy of the project, and a process that has loaded its modules."""

    root: Path
    ready: Ready

    def run(self, module: str, *words: object) -> tuple[int, str]:
        """A module as `python -m` runs it, in a process of its own: the exit code, and all that it says."""
        running = self.ready.run(self.root.parent / module, module, *words)
        code = running.wait(SECONDS)
        return code, running.out + running.err

    def test(self, *tests: str) -> str:
        """What pytest says of these tests."""
        loaded = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # as the process has loaded the libraries
        words = ("-q", *loaded, "-p", "no:cacheprovider", "--basetemp", self.root.parent / "tests", "-k", CHOSEN)
        return self.run("pytest", *words, *tests)[1]


def edit(root, paths):
    """Make the edits of these files."""
    for path, before, text in (edit for edits in ADDITIONS.values() for edit in edits if edit[0] in paths):
        file = root / path
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        assert not before or old.count(before) == 1, f"{before!r} is to stand in {path} once"
        file.write_text(old.replace(before, text + before) if before else old + text, encoding="utf-8")


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory):
    """A copy of the project in which all additions are made, but their guards are not."""
    root = tmp_path_factory.mktemp("additions") / "copy"
    for name in COPIED:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("_home"))
    for file in (one for one in ROOT.iterdir() if one.is_file()):
        shutil.copy2(file, root)
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    edit(root, EDITED - set(GUARDS))
    with Ready(own | {"PYTHONPATH": str(root)}, root) as ready:
        yield Copy(root, ready)


@pytest.fixture(scope="module")
def said(unguarded):
    """What the tests say meanwhile."""
    return unguarded.test(*GUARDED)


@pytest.fixture(scope="module")
def copy(said, unguarded):
    """The copy in which all that the guide names is done."""
    edit(unguarded.root, GUARDS)
    for module in RENEWED:
        code, told = unguarded.run(module, *SAID.get(module, ()))
        assert code == 0, told
    return unguarded


@pytest.fixture(scope="module")
def site(copy, checkpoint, plain):
    """The site of a tiny encoder, built by the copy."""
    place = copy.root.parent / "project"
    config = write_project(place, [checkpoint("bert")])
    older = Path(shutil.copytree(plain, place / "build/results" / STORED))
    altered(renamed(older, STORED), packages={})
    (place / "river.verse").write_text(POEM)
    settings = config.read_text().replace('twelve.txt"]', 'twelve.txt", "river.verse"]')
    config.write_text(f'also = ["build/results"]\n{settings}')
    code, told = copy.run("generator", "build", "--config", config)
    assert code == 0, told
    return place / "site"


@pytest.fixture
def read(site):
    """The text of a built page."""
    return lambda address: Document((site / address / "index.html").read_text()).find("article")[0].text


def test_what_has_no_guard_yet_fails_one_test_with_a_sentence_that_says_what_to_write(said):
    assert re.findall(r"^FAILED (\S+)", said, re.MULTILINE) == [
        f"tests/test_guards.py::test_nothing_is_added_without_its_guard[{guard}]"
        for guard in ("derivation", "cases", "frozen")
    ], said
    assert re.findall(r"^(?:Write|Make|Run) .*\.$", said, re.MULTILINE) == [
        "Write the slow derivation of narrowness into tests/slow.py.",
        "Make cases of Z01 in a file of tests/claims/cases.",
        f"Run `python -m tests.frozen`, which adds what small-bert gives for {', '.join(NEW)} to tests/frozen.json.",
    ]


def test_the_tests_that_additions_can_break_pass(copy):
    told = copy.test(*GUARDED, *WALKING)
    ended = told.rstrip().rpartition("\n")[2]
    assert re.fullmatch(r"\d{3,} passed[^a-z]*(?:\d+ skipped[^a-z]*)?(?:\d+ deselected[^a-z]*)?in .*", ended), told


def test_no_file_changes_that_no_section_lists(copy):
    paths = (path for path in copy.root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    names = (str(path.relative_to(copy.root)) for path in paths)
    changed = {name for name in names if not (ROOT / name).is_file() or not filecmp.cmp(ROOT / name, copy.root / name)}
    assert changed == EDITED | {*RENEWED.values()}


@pytest.mark.parametrize("heading", ADDITIONS)
def test_a_section_lists_the_files_that_are_edited_and_no_others(heading):
    """A folder stands for a file that is new, or of which there are several of the kind."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)^## ", GUIDE, re.DOTALL | re.MULTILINE)
    (files,) = re.findall(r"\AFiles: (.*?)\.\s", section.strip(), re.DOTALL)
    listed = set(re.findall(r"`([\w./]+/[\w./]*)`", files))
    paths = {path for path, _, _ in ADDITIONS[heading]}
    paths |= {path for module, path in RENEWED.items() if re.search(rf"`python -m {module}[ `]", section)}
    folders = {one for one in listed if one.endswith("/")}
    used = {next((folder for folder in folders if path.startswith(folder)), path) for path in paths - listed}
    assert used | (paths & listed) == listed


def test_every_file_and_folder_that_the_guide_names_is_there_from_the_root():
    named = set(re.findall(r"`([\w./-]+\.(?:py|md|toml|yml|bib)|\w[\w./-]*/)`", GUIDE))
    assert len(named) > 40
    assert {path for path in named if not (ROOT / path).exists()} == set(), "with their whole path"


def test_a_new_measure_has_a_page_and_a_row_on_every_head(read):
    assert "Entropy of uniform attention minus mean entropy." in read("methods/narrowness")
    assert "Narrowness" in read("models/bert/heads/2-3")


def test_a_new_measure_has_no_row_in_results_that_are_older_and_all_else_of_them_is_shown(read):
    assert "Narrowness" not in read(f"models/{STORED}/heads/3-1")
    assert "Entropy" in read(f"models/{STORED}/heads/3-1")
    assert "Entropy" in read(f"models/{STORED}/inputs")
    assert "Narrowness" not in read(f"models/{STORED}/inputs")
    assert re.search(rf"\b{STORED}.{{0,20}}not testable", read("claims/z01"))


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
