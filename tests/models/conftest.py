"""A copy of a tiny encoder's folder, to be changed by a test."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def folder(checkpoint, tmp_path) -> Path:
    """A copy of the tiny BERT, to be damaged."""
    return Path(shutil.copytree(checkpoint("bert"), tmp_path / "bert"))
