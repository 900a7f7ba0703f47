"""An experiment knows by what code it was made, and is said to be older where that is not the code of today."""

import shutil
from pathlib import Path

import pytest

from generator.errors import ResultsError
from generator.experiments.code import CHECKED, checks, code_of, kind, older
from generator.results.manifest import Manifest
from generator.results.writing import write
from generator.survey.code import PACKAGE, Code
from tests.checked import KINDS
from tests.results.samples import manifest, tables
from tests.test_architecture import ROOT

EXPERIMENTS = {*KINDS}
TUNED = {"finetune.rte", "curve.rte", "optima.rte", "variants.rte"}


@pytest.fixture
def place(tmp_path):
    """Gives results with an experiment of every kind, all made by the code of today."""
    write(tmp_path / "results", manifest(), tables())
    for name in EXPERIMENTS:
        write(tmp_path / "results", manifest(experiment=name, corpora=(), studies={kind(name): code_of(name)}), {})
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


def test_what_was_made_by_other_code_is_not_older_once_both_were_compared(place):
    write(place, manifest(experiment="disable.sst2", corpora=(), studies={"disable": "of old"}), {})
    unnamed = write(place, manifest(experiment="finetune.sst2", corpora=(), fingerprint="of one"), {})
    assert set(older([place])) == {"tiny@disable.sst2", "tiny@finetune.sst2"}
    entry = '[[checked]]\ndate = 2026-11-28\nmade = ["{}"]\ncode = "{}"\ncheck = "Run with both: the same digits."\n'
    file, now = place / CHECKED, {name: code_of(name) for name in ("disable.sst2", "finetune.sst2")}
    file.write_text(entry.format("of old", now["disable.sst2"]) + entry.format("of one", now["finetune.sst2"]))
    assert older([place]) == []
    file.write_text(entry.format("of old", "of other") + entry.format("of one", now["disable.sst2"]))
    assert set(older([place])) == {"tiny@disable.sst2", "tiny@finetune.sst2"}, "the check was of other code"
    assert older([place, unnamed]) == older([place])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("checked = 3", "valid list"),
        ("[[other]]", "'checked'"),
        ('[[checked]]\nmade = ["a"]\ncode = "b"\ncheck = "c"', "date: Field required"),
        ('[[checked]]\ndate = 2026-11-28\nmade = ["a"]\ncode = "b"\ncheck = "c"\nmore = 1', "more: Extra inputs"),
        ("[[checked", "Expected ']]'"),
        (f"checked = {'[' * 5000}", "maximum recursion depth"),
    ],
)
def test_a_file_of_checks_that_says_something_else_is_refused(tmp_path, text, found):
    (tmp_path / CHECKED).write_text(text)
    with pytest.raises(ResultsError, match=r"^Expected entries \[\[checked\]\].*; correct it\.$") as error:
        older([tmp_path])
    assert found in str(error.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("topics/tasks/run/disable/pruning.py", "STEPS = 20", "STEPS = 21", {"disable.rte"}),
        (
            "topics/tasks/run/finetune/data.py",
            "_WINDOW = 50",
            "_WINDOW = 51",
            TUNED,
        ),
        ("topics/compare/run/weights.py", "COPY = 0.5", "COPY = 0.4", {"compare.rte"}),
        ("topics/learning/run/curve/rows.py", "study.quantity(name)", "pass", {"curve", "curve.rte"}),
        ("models/load.py", "copy.deepcopy", "copy.copy", EXPERIMENTS),
        ("experiments/record.py", "pd.concat(parts, ", "pd.concat(parts[:1], ", set()),
    ],
)
def test_only_what_stands_on_changed_code_is_older(place, package, file, old, new, expected):
    path = package / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert {name.partition("@")[2] for name in older([place], Code(package))} == expected


def test_no_experiment_that_comes_with_the_program_is_older():
    """What it stores was made by the code of today, or `checked.toml` says how both were compared."""
    folders = [path for path in (ROOT / "data" / "results").glob("*@*") if path.is_dir()]
    made = [Manifest.read(folder) for folder in folders]
    checked = {(code, check.code) for check in checks(ROOT / "data" / "results" / CHECKED) for code in check.made}
    now = {one.experiment: code_of(one.experiment) for one in made}
    made_by = {
        one.folder: (one.studies.get(kind(one.experiment), one.fingerprint), now[one.experiment]) for one in made
    }
    assert [name for name, (code, today) in made_by.items() if code != today and (code, today) not in checked] == []
