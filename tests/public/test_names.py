"""What `import generator` offers, and that it costs nothing until it is used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import generator
from generator import public
from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parents[2]
NAMES = {"Analysis", "Results", "analyze", "arcs", "figure", "judge", "load_results", "save_maps"}
LIBRARIES = ("torch", "transformers", "numpy", "pandas", "pyarrow", "altair", "pydantic", "rich", "mkdocs")


def test_every_name_is_that_of_the_public_module():
    assert set(generator.__all__) == set(public.__all__) == NAMES
    for name in NAMES:
        assert getattr(generator, name) is getattr(public, name)


def test_the_names_are_offered_for_completion():
    assert set(dir(generator)) > NAMES


def test_type_checkers_see_the_names_that_are_loaded_when_used():
    """They read the branch that Python skips; a marker says that the package is typed."""
    tree = ast.parse(Path(generator.__file__).read_text())
    (branch,) = [node for node in tree.body if isinstance(node, ast.If)]
    assert ast.unparse(branch.test) == "TYPE_CHECKING"
    (line,) = branch.body
    assert isinstance(line, ast.ImportFrom)
    assert line.module == public.__name__
    assert {alias.name for alias in line.names} == NAMES
    assert (Path(generator.__file__).parent / "py.typed").is_file()


def test_any_other_name_is_no_part_of_the_package():
    with pytest.raises(AttributeError, match="no attribute 'analyse'"):
        generator.analyse  # noqa: B018 - looking it up is the test
    with pytest.raises(ImportError):
        from generator import analyse  # noqa: F401, PLC0415


def test_importing_the_package_loads_no_library_and_no_other_part_of_it():
    run = "import generator, sys; dir(generator); generator.__version__; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", run], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    loaded = done.stdout.split()
    assert [name for name in loaded if name.startswith("generator")] == ["generator"]
    assert set(LIBRARIES).isdisjoint(loaded)
