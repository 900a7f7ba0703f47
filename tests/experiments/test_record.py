"""An experiment knows by what code it was made, and is said to be older where that is not the code of today."""

import shutil
from pathlib import Path

import pytest

from generator.experiments.code import code_of, older
from generator.results.writing import write
from generator.survey.code import PACKAGE, Code
from tests.results.samples import manifest, tables

KINDS = ("finetune", "disable", "compare", "curve", "seeds")


@pytest.fixture
def place(tmp_path):
    """Gives results with an experiment of every kind, all made by the code of today."""
    write(tmp_path / "results", manifest(), tables())
    for kind in KINDS:
        name = f"{kind}.rte"
        write(tmp_path / "results", manifest(experiment=name, corpora=(), studies={kind: code_of(name)}), {})
    return tmp_path / "results"


@pytest.fixture
def package(tmp_path):
    """Gives a copy of the package."""
    ignored = shutil.ignore_patterns("__pycache__", "_home")
    return Path(shutil.copytree(PACKAGE, tmp_path / "generator", ignore=ignored))


def test_what_todays_code_made_is_not_older(place):
    assert older([place]) == []


def test_what_was_made_by_code_that_nobody_noted_is(place):
    write(place, manifest(experiment="disable.sst2", corpora=()), {})
    assert older([place]) == ["tiny@disable.sst2"]


@pytest.mark.parametrize(
    ("file", "added", "expected"),
    [
        ("experiments/disable/sweep.py", "OTHER = 1\n", {"disable"}),
        ("experiments/finetune/run.py", "OTHER = 1\n", {"finetune", "disable"}),
        ("experiments/curve/rows.py", "OTHER = 1\n", {"curve"}),
        ("models/encoder.py", "OTHER = 1\n", set(KINDS)),
        ("experiments/disable/sweep.py", '"""Words for people."""\n', set()),
    ],
)
def test_only_what_stands_on_changed_code_is_older(place, package, file, added, expected):
    path = package / file
    path.write_text(path.read_text(encoding="utf-8") + added, encoding="utf-8")
    found = older([place], Code(package))
    assert {name.partition("@")[2].partition(".")[0] for name in found} == expected
