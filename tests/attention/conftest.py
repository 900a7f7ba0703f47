"""Folders of tiny encoders with a masked-LM head."""

from functools import cache

import pytest

from tests.attention.masked_lm import write_masked_lm


@pytest.fixture(scope="package")
def head_folder(tmp_path_factory):
    """Gives the folder of a tiny checkpoint with a masked-LM head."""
    root = tmp_path_factory.mktemp("heads")
    return cache(lambda name: write_masked_lm(name, root / name.replace(" ", "-")))
