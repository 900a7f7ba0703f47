"""The list decides what a guide shows: what a cache brings back of a model that left is neither shown nor told of."""

import shutil
from pathlib import Path

from generator.ci.summary import NOTHING
from generator.config import read_project
from generator.results.shown import gone, shown
from tests.cli.command import fieldguide
from tests.results.altered import renamed
from tests.test_pipeline import write_project

GONE = "beta is no longer in this guide"


def publish(config: Path) -> str:
    """What a build says; it ends as failed, as the weights of no model are there."""
    outcome = fieldguide("ci", "publish", "--config", config)
    assert outcome.exit == 1
    return " ".join(outcome.err.split())


def test_a_model_that_left_the_list_does_not_come_back_from_the_cache(plain: Path, tmp_path: Path) -> None:
    """Beta is renamed by hand, and its results stay; beside them lie those of a model that was never listed."""
    config = write_project(tmp_path / "guide", [Path("alpha"), Path("beta")])
    root, before = config.parent, tmp_path / "before"
    results, models, record = root / "build" / "results", root / "site" / "models", root / "build" / "changes.json"
    listing = config.read_text().replace("[analysis]", "also = []\n[analysis]")
    config.write_text(listing)
    for name in ("alpha", "beta"):
        renamed(Path(shutil.copytree(plain, results / name)), name)
    publish(config)
    heads = sorted((models / "beta" / "heads").glob("*/index.html"))
    assert [GONE in one.read_text() for one in heads] == [False] * 12

    def summary() -> str:
        outcome = fieldguide("ci", "summarize", "--config", config, "--before", before)
        assert outcome.exit == 0, outcome.err
        return outcome.out

    (before / "build").mkdir(parents=True)
    shutil.copy(record, before / "build")
    config.write_text(listing.replace('id = "beta"', 'id = "beta"\nname = "gamma"'))
    renamed(Path(shutil.copytree(plain, results / "private")), "private")
    said = publish(config)
    assert "Not listed, and so not shown: beta and private." in said
    assert [GONE in one.read_text() for one in heads] == [True] * 12
    for page in ("models/index.html", "claims/index.html"):
        assert "beta" not in (root / "site" / page).read_text()
    assert not list((root / "site").rglob("*private*")), "never listed, and so not gone either"
    assert "### beta\n\n- This model is gone." in summary()

    shutil.copy(record, before / "build")
    shutil.rmtree(results / "beta")
    publish(config)
    assert GONE in heads[0].read_text(), "its addresses outlive its results"
    assert NOTHING in summary()
    assert "beta" not in summary()
    again = read_project(config)
    assert ([one.slug for one in gone(again)], [one.manifest.slug for one in shown(again)]) == (["beta"], ["alpha"])
    config.write_text(listing.replace("also = []", 'also = ["build/results"]'))
    again = read_project(config)
    assert (gone(again), len(shown(again))) == ((), 2), "what is listed again is not gone"
