"""Stored results with one table changed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from generator.pages.heads.atlas import Atlas
from generator.results.store import Results
from tests.results.altered import with_table

Changed = Callable[[str, Callable[[pd.DataFrame], pd.DataFrame]], Atlas]
"""From the name of a table and what is to be done to it."""


@pytest.fixture
def changed(atlas: Atlas, tmp_path: Path) -> Changed:
    """Gives a function that stores the same results again with one table changed."""

    def store(name: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Atlas:
        folder = tmp_path / atlas.results.folder.name
        shutil.copytree(atlas.results.folder, folder)
        return Atlas(Results.open(with_table(folder, name, change)))

    return store
