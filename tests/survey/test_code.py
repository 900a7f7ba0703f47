"""A checksum of code follows what the code does and what it imports, and no word that is only read by people."""

import shutil
from pathlib import Path

import pytest

from generator.studies.all import PROCEDURES
from generator.survey.code import LEFT_OUT, PACKAGE, Code
from generator.survey.stale import ENGINE

BASE = '"""What it is for."""\n\nfrom made.low import TWO\n\nTHREE = TWO + 1\n"""Of something."""\n'
SAME = {
    "another docstring": BASE.replace("What it is for.", "Something else."),
    "another text below a constant": BASE.replace("Of something.", "Of another."),
    "a comment": BASE.replace("+ 1", "+ 1  # why"),
    "space": BASE.replace("\n\nTHREE", "\n\n\n\nTHREE").replace("TWO + 1", "(TWO +\n 1)"),
    "no docstring": BASE.partition("\n\n")[2],
}
OTHER = {
    "a number": BASE.replace("+ 1", "+ 2"),
    "a name": BASE.replace("THREE", "FOUR"),
    "a text that is used": BASE.replace("TWO + 1", 'TWO + len("a")'),
    "an import": BASE.replace("made.low", "made.other"),
}


@pytest.fixture
def made(tmp_path):
    """A package of three modules, and how to change one and take the checksum of `made.high`."""
    package = tmp_path / "made"
    package.mkdir()
    for name, text in (("__init__", ""), ("low", "TWO = 2\n"), ("other", "TWO = 2.0\n"), ("high", BASE)):
        (package / f"{name}.py").write_text(text)

    def checksum(**files: str) -> str:
        for name, text in files.items():
            (package / f"{name}.py").write_text(text)
        return Code(package).checksum(["made.high"])

    return checksum


@pytest.mark.parametrize("change", SAME)
def test_what_only_people_read_changes_nothing(made, change):
    assert made() == made(high=SAME[change])


@pytest.mark.parametrize("change", OTHER)
def test_what_code_does_is_seen(made, change):
    assert made() != made(high=OTHER[change])


def test_what_is_imported_counts_and_what_is_not_does_not(made):
    before = made()
    assert made(other="TWO = 7\n") == before
    assert made(low='"""A module."""\n\nTWO = 2\n') == before
    assert made(low="TWO = 3\n") != before


def test_what_type_checkers_alone_read_changes_nothing(made):
    typed = BASE.replace("THREE =", "if TYPE_CHECKING:\n    from made import other\n\nTHREE =")
    assert made(high=typed) == made(high=BASE)
    assert made(high=typed, other="TWO = 7\n") == made(high=BASE)


def test_imports_inside_functions_and_of_modules_count(made):
    inside = "def three():\n    from made import low\n\n    return low.TWO + 1\n"
    before = made(high=inside)
    assert made(low="TWO = 3\n") != before


def test_what_is_left_out_exists_and_no_study_brings_in_another_without_importing_it():
    code = Code()
    known = set(code.modules_below("."))
    assert set(LEFT_OUT) | set(ENGINE) <= known
    own = {one.study: {function.__module__ for function in one.functions} for one in PROCEDURES}
    assert own["sinks"] & code.closure([*ENGINE, *own["maxima"]]) == set()
    for one in PROCEDURES:
        closure = code.closure([*ENGINE, *own[one.study]])
        assert "generator.studies.all" not in closure
        assert own[one.study] <= closure


def test_code_lies_where_the_package_does(tmp_path):
    copy = Path(shutil.copytree(PACKAGE, tmp_path / "generator", ignore=shutil.ignore_patterns("__pycache__", "_home")))
    assert Code(copy).checksum(ENGINE) == Code().checksum(ENGINE)
    engine = copy / "survey" / "engine.py"
    engine.write_text(engine.read_text().replace("keep_weights=True", "keep_weights=False"))
    assert Code(copy).checksum(ENGINE) != Code().checksum(ENGINE)
