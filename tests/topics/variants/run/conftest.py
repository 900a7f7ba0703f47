"""Tiny trainings, made once for all tests of this folder."""

from pathlib import Path

import pytest

from tests.topics.variants.run.trained import furnish


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives the folder with trainings, text and trees."""
    return furnish(tmp_path_factory.mktemp("variants"))
