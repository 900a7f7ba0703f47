"""A study is made again when its own code, its corpora or the settings change, and then alone."""

import shutil
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from generator.analysis import analyze
from generator.config import Analysis
from generator.models.source import locate
from generator.results.manifest import Manifest
from generator.survey.code import PACKAGE, Code
from tests.cli.command import write_corpus
from tests.reports import Telling
from tests.results.altered import altered, with_table

MARK = 1000
"""Added to stored counts, so that what was made again can be told from what was kept."""
SINKS = "topics/tokens/compute/sinks.py"


class Project:
    """A tiny encoder, a text and some sentences, and a copy of the code that measures them."""

    def __init__(self, root: Path, model: Path) -> None:
        self.root, self.model = root, model
        self.text = write_corpus(root / "twelve.txt", 12)
        self.code = Path(
            shutil.copytree(PACKAGE, root / "generator", ignore=shutil.ignore_patterns("__pycache__", "_home"))
        )
        self.notes: list[str] = []

    @property
    def folder(self) -> Path:
        (folder,) = (self.root / "results").iterdir()
        return folder

    def analyse(self, **settings: object) -> bool:
        """Whether anything was made."""
        analysis = Analysis(**{"corpora": (str(self.text), "treebank"), "documents": 12, "max_tokens": 64} | settings)
        report = Telling()
        source = locate(str(self.model))
        code = Code(self.code)
        fresh = analyze(source, analysis, self.root / "results", report, force=False, code=code)[1]
        self.notes = [note for note in report.notes if "up to date" in note]
        return fresh

    def change(self, file: str, before: str, after: str) -> None:
        """Write other code."""
        path = self.code / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1
        path.write_text(text.replace(before, after), encoding="utf-8")

    def bytes(self) -> dict[str, bytes]:
        """All tables."""
        return {path.name: path.read_bytes() for path in sorted(self.folder.glob("*.parquet"))}

    def facts(self) -> pd.DataFrame:
        """The numbers of studies."""
        return pq.read_table(self.folder / "facts.parquet").to_pandas()

    def mark(self) -> None:
        """Change what all numbers of studies count, where they are stored."""
        with_table(self.folder, "facts", lambda rows: rows.assign(n=rows["n"] + MARK))

    def made_again(self) -> set[str]:
        """Studies whose numbers are not marked."""
        rows = self.facts()
        return set(rows.loc[rows["n"] < MARK, "study"])


@pytest.fixture(scope="module")
def analysed(checkpoint, tmp_path_factory):
    """A project that is analysed; tests work on copies."""
    root = tmp_path_factory.mktemp("stale")
    project = Project(root, Path(shutil.copytree(checkpoint("bert"), root / "model")))
    assert project.analyse()
    return project


@pytest.fixture
def project(analysed, tmp_path):
    copy = Project.__new__(Project)
    root = Path(shutil.copytree(analysed.root, tmp_path / "copy"))
    copy.root, copy.model, copy.text, copy.code, copy.notes = (
        *(root, root / "model", root / "twelve.txt", root / "generator"),
        [],
    )
    return copy


def test_other_docstrings_and_comments_make_nothing_again(project):
    before = project.bytes()
    project.change(SINKS, "SINK = 0.3\n", "SINK = 0.3  # of all attention\n")
    project.change(SINKS, "def _where(", "\n# a word more\ndef _where(")
    project.change("survey/engine.py", '"""Shows one encoder', '"""Now shows one encoder')
    assert not project.analyse()
    assert project.bytes() == before


def test_other_code_of_a_study_makes_that_study_again_and_no_other(project):
    project.mark()
    project.change(SINKS, "SINK = 0.3\n", "SINK = 0.2\n")
    before = project.bytes()
    assert project.analyse()
    assert project.made_again() == {"sinks"}
    after = project.bytes()
    assert {name for name in after if after[name] != before.get(name)} == {"facts.parquet"}
    assert project.notes[0].endswith("made again: sinks.")
    assert not project.analyse()


def test_what_is_kept_and_what_is_made_again_are_the_same_bytes_as_all_made_at_once(project):
    before, manifest = project.bytes(), Manifest.read(project.folder)
    project.change(SINKS, "SINK = 0.3\n", "SINK = 0.3 * 1\n")
    project.change("topics/relations/compute/trees.py", "scores = TreeScores()", "scores = TreeScores(*())")
    project.change("topics/tokens/compute/roles.py", "UNIT = 2.0**32\n", "UNIT = 2.0**32 * 1\n")
    assert project.analyse()
    assert "made again: trees, roles, types, sinks, separators." in project.notes[0], "and what reads or uses them"
    assert project.bytes() == before
    again = Manifest.read(project.folder)
    assert (again.corpora, again.vocabulary) == (manifest.corpora, manifest.vocabulary)


def test_another_seed_makes_all_again(project):
    project.mark()
    every = set(project.facts()["study"])
    assert project.analyse(seed=5)
    assert project.made_again() == every


def test_another_precision_makes_all_again_and_the_manifest_and_its_command_name_it(project):
    project.mark()
    every = set(project.facts()["study"])
    assert Manifest.read(project.folder).dtype == "float32"
    assert project.analyse(precision="bfloat16")
    assert project.made_again() == every
    manifest = Manifest.read(project.folder)
    assert manifest.dtype == "bfloat16"
    assert "precision" not in manifest.settings, "the manifest says it once"
    assert manifest.command.endswith("--precision bfloat16")
    assert not project.analyse(precision="bfloat16")
    assert project.analyse()
    assert Manifest.read(project.folder).dtype == "float32"


def test_other_word_vectors_make_the_probes_again_that_read_them_and_nothing_else(project):
    project.mark()
    vectors = project.root / "vectors.txt"
    vectors.write_text("the 1.0 0.5\nand 0.25 2.0\n")
    assert project.analyse(word_vectors=str(vectors))
    assert project.notes[0].endswith("made again: probe."), "of so few sentences it has no rows"
    assert project.made_again() == set()
    vectors.write_text("the 1.0 0.5\nand 0.25 3.0\n")
    assert project.analyse(word_vectors=str(vectors)), "another file of the same name"
    assert not project.analyse(word_vectors=str(vectors))


def test_another_text_makes_studies_of_text_again_and_none_of_treebanks(project):
    project.mark()
    project.text.write_text(project.text.read_text().replace("lighthouse", "windmill"))
    assert project.analyse()
    rows = project.facts()
    of_text = rows["corpus"] == "twelve.txt"
    assert (rows.loc[of_text, "n"] < MARK).all()
    assert (rows.loc[~of_text, "n"] >= MARK).all()
    assert set(rows["corpus"]) == {"twelve.txt", "treebank"}


def test_what_other_libraries_computed_is_not_mixed_with_what_is_made_again(project):
    packages = Manifest.read(project.folder).packages
    altered(project.folder, packages=packages | {"torch": "0"})
    project.mark()
    every = set(project.facts()["study"])
    project.change(SINKS, "SINK = 0.3\n", "SINK = 0.2\n")
    assert project.analyse()
    assert project.made_again() == every
