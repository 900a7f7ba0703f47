"""A guide of models from the hub, rebuilt step by step: nothing is downloaded or computed that is not needed."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.ci.desk import Desk, at_desk
from tests.hub import COMMIT
from tests.test_pipeline import write_project


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk at which nothing lies yet."""
    with at_desk(tmp_path_factory.mktemp("desk")) as desk:
        yield desk


def test_weights_of_models_that_are_up_to_date_are_not_needed(somewhere: Desk, tmp_path: Path) -> None:
    """As on a machine that has the results of the last build and not the weights."""
    config = write_project(tmp_path / "guide", [], studies=False)
    desk = replace(somewhere, config=config)
    desk.do("add", "tiny/bert", "--revision", COMMIT)
    desk.do("ci", "analyze", "tiny/bert")
    shutil.rmtree(desk.home)
    assert desk.planned() == {}
    before = desk.written()
    assert desk.do("ci", "publish").startswith(f"{tmp_path / 'guide' / 'site'}: ")
    assert desk.do("build") == f"{tmp_path / 'guide' / 'site'} (up to date)\n"
    assert desk.written() == before
    assert not list(desk.home.rglob("*.safetensors"))
    assert len(list((tmp_path / "guide" / "site").glob("models/*/heads/*/index.html"))) == 12
