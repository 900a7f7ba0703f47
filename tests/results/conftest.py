"""Sample results on disk."""

import shutil
from pathlib import Path

import pytest

from generator.results.writing import write
from tests.results.samples import manifest, tables


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives sample results that nobody changes."""
    return write(tmp_path_factory.mktemp("written"), manifest(), tables())


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """Gives sample results, alone in a folder."""
    return Path(shutil.copytree(written, tmp_path / "place" / written.name))
