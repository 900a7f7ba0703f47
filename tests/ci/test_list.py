"""The list decides what a guide shows: what else lies in the folder of results is neither shown nor told of."""

import shutil
from pathlib import Path

import pytest

from generator.config import Project, read_project
from generator.errors import ResultsError
from generator.pages.changes.known import Judged, Known
from generator.pages.changes.rebuilds import Rebuilds
from generator.project.branch import BRANCH, results
from generator.project.settle import settle
from generator.results.shown import GONE, gone, leftover, shown
from tests.ci.runner import git
from tests.cli.command import fieldguide
from tests.results.altered import renamed
from tests.test_pipeline import write_project


@pytest.fixture
def config(plain: Path, tmp_path: Path) -> Path:
    """A guide of alpha in which results of beta and of another model lie, too; a build has told of alpha and beta."""
    config = write_project(tmp_path / "guide", [Path("alpha")])
    config.write_text(config.read_text().replace("[analysis]", "also = []\n[analysis]"))
    for name in ("alpha", "beta", "private"):
        renamed(Path(shutil.copytree(plain, config.parent / "build" / "results" / name)), name)
    told = {name: Known(name, 3, 4, {"C01": Judged("holds", "")}, ()) for name in ("alpha", "beta")}
    Rebuilds().then(told, "2026-01-02").save(config.parent)
    return config


def listing(config: Path, text: str) -> tuple[list[str], list[str]]:
    """What is shown, and what is gone, if the settings are these."""
    config.write_text(text)
    project = read_project(config)
    settle(project)
    return [one.manifest.slug for one in shown(project)], [one.slug for one in gone(project)]


def test_what_left_the_list_is_gone_and_what_was_never_there_is_not(config: Path) -> None:
    text = config.read_text()
    assert listing(config, text) == (["alpha"], ["beta"])
    assert [one.name for one in leftover(read_project(config))] == ["beta", "private"]
    shutil.rmtree(config.parent / "build" / "results" / "beta")
    assert listing(config, text) == (["alpha"], ["beta"]), "its addresses outlive its results"
    assert listing(config, text.replace('"alpha"', '"alpha"\nname = "beta"')) == ([], ["alpha"]), "as after a renaming"
    assert listing(config, text) == (["alpha"], ["beta"]), "and back"
    whole = text.replace("also = []", 'also = ["build/results"]')
    assert listing(config, whole) == (["alpha", "private"], ["beta"])
    record = config.parent / GONE / "beta.json"
    record.write_text(record.read_text()[:20])
    with pytest.raises(ResultsError, match=r"Expected the record of a model that is gone in .*beta.json, found: .*"):
        gone(read_project(config))


def test_a_clone_has_what_the_branch_keeps(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, clone = config.parent, tmp_path / "clone"
    work = tmp_path / "branch"
    git(tmp_path, "init", "-q", "-b", BRANCH, str(work))
    settle(read_project(config))
    for number in range(2):
        assert fieldguide("ci", "keep", work, "--config", config).exit == 0
        git(work, "add", "-A")
        git(work, "commit", "-q", "-m", f"Run {number}")
        config.write_text(config.read_text() + '[[model]]\nid = "private"\n')
    git(work, "checkout", "-q", "-b", "main")
    git(tmp_path, "clone", "-q", str(work), str(clone))
    shutil.copy(config, clone)
    (clone / "build").mkdir()
    (clone / "build" / "changes.json").symlink_to(tmp_path / "far.json")
    project = Project(clone, read_project(config).settings)
    settle(project)
    assert {one.manifest.slug for one in shown(project)} == {"alpha", "private"}
    assert [one.slug for one in gone(project)] == ["beta"], "its record is on the branch, its results are not"
    there = root / "build" / "changes.json"
    assert (clone / "build" / "changes.json").is_symlink(), "a link in the place of what is taken is followed"
    assert (tmp_path / "far.json").read_bytes() == there.read_bytes()
    monkeypatch.chdir(clone)
    told = fieldguide("diff", f"{BRANCH}~1", BRANCH)
    assert (told.exit, told.out.splitlines()[2:5]) == (0, ["### private", "", told.out.splitlines()[4]]), told.err
    assert "is new" in told.out
    with results(Path(BRANCH)) as folder:
        assert sorted(one.name for one in folder.iterdir()) == ["alpha", "private"]
    assert fieldguide("diff", "nowhere", BRANCH).err.startswith("Error: Expected a folder of results at nowhere")
