"""A guide of models from the hub, rebuilt step by step: nothing is downloaded or computed that is not needed."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from generator.ci.summary import NOTHING
from generator.models.names import slug
from generator.results.manifest import Manifest
from tests.ci.desk import Desk, at_desk
from tests.encoders import write as write_encoder
from tests.hub import COMMIT, LATER
from tests.test_pipeline import write_project


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk at which nothing lies yet."""
    with at_desk(tmp_path_factory.mktemp("desk")) as desk:
        yield desk


def rebuilt(desk: Desk, before: Path) -> tuple[set[str], str]:
    """The steps of the workflow, in its order: the models that were listed, and the summary.

    Only folders of listed models are written, and each of them.
    """
    results = desk.config.parent / "build" / "results"
    results.mkdir(parents=True, exist_ok=True)
    shutil.copytree(results, before)
    listed, stamps = set(desk.planned()), desk.written()
    for model in sorted(listed):
        desk.do("ci", "analyze", model)
    desk.do("ci", "publish")
    after = desk.written()
    touched = {path for path in {*stamps, *after} if stamps.get(path) != after.get(path)}
    assert {path.relative_to(results).parts[0] for path in touched} == {slug(model) for model in listed}
    assert desk.planned() == {}
    return listed, desk.do("ci", "summarize", "--before", before)


def test_what_is_planned_is_computed_and_no_more_while_models_come_and_go(somewhere: Desk, tmp_path: Path) -> None:
    """Two models, a third added, one removed, one at a later commit."""
    folders = [write_encoder("bert", tmp_path / name) for name in ("one", "three")]
    config = write_project(tmp_path / "guide", folders[:1], studies=False)
    pages = tmp_path / "guide" / "site" / "models"
    desk = replace(somewhere, config=config)
    desk.do("add", "tiny/bert", "--revision", COMMIT)
    listed, told = rebuilt(desk, tmp_path / "before-1")
    assert listed == {"one", "tiny/bert"}
    assert told.count("is new: 3 layers of 4 heads") == 2

    desk.do("add", folders[1])
    listed, told = rebuilt(desk, tmp_path / "before-2")
    assert listed == {"three"}
    assert told.count("is new: 3 layers of 4 heads") == 1

    desk.do("remove", "one")
    listed, told = rebuilt(desk, tmp_path / "before-3")
    assert listed == set()
    assert "### one\n\n- This model is gone." in told
    assert "one is no longer in this guide" in (pages / "one" / "heads" / "3-4" / "index.html").read_text()

    config.write_text(config.read_text().replace(COMMIT, LATER))
    listed, told = rebuilt(desk, tmp_path / "before-4")
    assert listed == {"tiny/bert"}
    assert Manifest.read(tmp_path / "guide" / "build" / "results" / "tiny--bert").revision == LATER
    assert LATER[:7] in (pages / "tiny--bert" / "index.html").read_text()
    assert NOTHING not in told
    assert "### three" not in told


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
