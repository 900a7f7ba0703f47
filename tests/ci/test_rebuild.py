"""A guide whose models come and go: what `ci plan` lists is computed, and nothing else."""

import json
import shutil
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save_file

from generator.config import read_project
from generator.results.manifest import Manifest
from tests.cli.command import fieldguide
from tests.encoders import write as write_encoder
from tests.hub import COMMIT, LATER, serving
from tests.limits import SECONDS
from tests.published import only_from, published
from tests.ready import Ready
from tests.test_pipeline import write_project


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A project of one local model."""
    write_encoder("bert", tmp_path / "one")
    return write_project(tmp_path / "guide", [tmp_path / "one"], studies=False)


def planned(config: Path) -> dict[str, str]:
    """Model -> why it is to be analysed."""
    outcome = fieldguide("ci", "plan", "--config", config)
    assert (outcome.exit, outcome.err) == (0, "")
    return {job["model"]: job["why"] for job in json.loads(outcome.out)["include"]}


def done(*words: object) -> str:
    """What a command that succeeds prints."""
    outcome = fieldguide(*words)
    assert outcome.exit == 0, outcome.err
    return outcome.out


def stamps(config: Path) -> dict[Path, int]:
    """When every stored file was written."""
    folder = config.parent / "build" / "results"
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_what_is_planned_is_computed_and_nothing_else(config: Path) -> None:
    root, here = config.parent, ("--config", config)
    second = Path(shutil.copytree(root.parent / "one", root / "models" / "two"))
    assert planned(config) == {"one": "new"}
    refused = fieldguide("ci", "publish", *here)
    assert refused.exit == 1
    assert refused.err == (
        "Error: Expected results of every listed model, found: one has no results that are up to date (new). Analyse "
        "each with: fieldguide ci analyze MODEL. Nothing is built.\n"
    )
    assert "--workers goes with --executor processes" in fieldguide("ci", "analyze", "one", "--workers", 2, *here).err
    done("ci", "analyze", "one", *here)
    assert planned(config) == {}

    before = stamps(config)
    done("add", second, *here)
    assert read_project(config).settings.model[-1].id == "models/two", "a folder of the project is named from there"
    assert planned(config) == {"two": "new"}
    done("ci", "analyze", "two", *here)
    assert {path: time for path, time in stamps(config).items() if path in before} == before

    done("ci", "publish", *here)
    pages = set((root / "site").rglob("index.html"))
    assert done("remove", "one", *here).startswith(f"{config} no longer lists one; its 12 heads keep their addresses.")
    assert planned(config) == {}
    size = done("ci", "publish", *here).removeprefix(f"{root / 'site'}: ").strip()
    files = [path.stat().st_size for path in (root / "site").rglob("*") if path.is_file()]
    assert size.startswith(f"{len(files):,} files, {sum(files) / 1e6:.1f} MB, built in ")
    assert float(size.split()[-2]) > 0
    assert done("ci", "publish", *here).strip().endswith(size), "what is not built again took as long as it took"
    assert done("ci", "summarize", *here).endswith(f"\n\n## The site\n\n{size}.\n")
    assert set((root / "site").rglob("index.html")) == pages, "addresses stay, and none comes"
    of_it = {page for page in pages if page.is_relative_to(root / "site/models/one") or page.parent.name == "one"}
    assert {page for page in pages if "one is no longer in this guide" in page.read_text()} == of_it
    assert "one/" not in (root / "site/models/index.html").read_text()
    assert (root / "site/models/two/heads/3-4/index.html").is_file()

    weights = second / "model.safetensors"
    save_file({name: 2 * one for name, one in load_file(weights).items()}, weights, {"format": "pt"})
    assert planned(config) == {"two": "other weights, revision local"}
    settings = config.read_text().replace("max_tokens = 64", "max_tokens = 32")
    config.write_text(settings)
    done("ci", "analyze", "two", *here)
    assert planned(config) == {}
    done("add", root.parent / "one", *here)
    assert read_project(config).settings.removed == (), "what comes back is no longer gone"
    assert list(planned(config)) == ["one"]
    assert planned(config)["one"].startswith("stale: ")


def test_a_revision_of_the_hub_is_listed_as_its_commit_and_two_stand_side_by_side(config: Path) -> None:
    beside = f"tiny/bert@{LATER[:7]}"
    words = [
        ("add", "tiny/bert", "--revision", "v1"),
        ("ci", "analyze", "tiny/bert"),
        ("ci", "plan"),
        ("ci", "revisions"),
        ("add", "tiny/bert", "--revision", "step_20k"),
        ("add", "tiny/bert", "--revision", "step_40k"),
        ("ci", "analyze", beside),
        ("remove", beside),
        ("remove", "tiny/bert"),
        ("add", "tiny/bert", "--revision", LATER),
        ("ci", "plan"),
        ("ci", "revisions"),
    ]
    with serving(published(config.parent / "published")) as hub:
        here = only_from(hub, config.parent / "home")
        listed = json.dumps([[*each, "--config", str(config)] for each in words])
        with Ready(here) as ready:
            ended = ready.run(config.parent / "said", "tests.cli.command", listed)
            assert ended.wait(SECONDS) == 0, ended.err
    outcomes = [json.loads(line) for line in ended.out.splitlines()]
    assert [code for code, *_ in outcomes] == [0, 0, 0, 0, 1, *[0] * 7], outcomes
    assert f"lists tiny/bert at revision {COMMIT};" in outcomes[0][1], "a tag may move, a commit does not"
    assert "Expected a model that is not yet in" in outcomes[4][2]
    plans = [{job["model"]: job["why"] for job in json.loads(outcomes[at][1])["include"]} for at in (2, -2)]
    assert plans == [{"one": "new"}, {"one": "new", "tiny/bert": f"other weights, revision {LATER}"}]
    assert outcomes[3][1] == "", "the listed commit is that of the main branch"
    assert outcomes[-1][1].startswith(
        f"- tiny/bert is listed at {LATER[:7]}, its main branch on the hub is at {COMMIT[:7]};"
    )
    stored = Manifest.read(config.parent / "build" / "results" / f"tiny--bert_{LATER[:7]}")
    assert (stored.model, stored.revision) == (beside, LATER)
    assert f"--revision {LATER} --name {beside}" in stored.command
    assert [one.name for one in read_project(config).settings.removed] == [beside]


def test_a_hub_that_does_not_answer_is_said_for_each_model(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise ConnectionError("Nobody listens.")

    monkeypatch.setattr("generator.models.newest.HfApi.model_info", refused)
    with config.open("a") as file:
        file.write(f'[[model]]\nid = "tiny/bert"\nrevision = "{COMMIT}"\n')
    said = "- Expected the hub to say which commit of 'tiny/bert' is its newest, found: Nobody listens; try again.\n"
    assert done("ci", "revisions", "--config", config) == said


def test_a_model_that_cannot_be_planned_is_named_and_the_others_are_planned(config: Path) -> None:
    with config.open("a") as file:
        file.write('[[model]]\nid = "../one"\nname = "two"\ncorpora = ["nothere"]\n')
        file.write('[[model]]\nid = "./gone"\n')
    outcome = fieldguide("ci", "plan", "--config", config)
    assert outcome.exit == 1
    assert [job["model"] for job in json.loads(outcome.out)["include"]] == ["one"]
    assert outcome.err.startswith("Error: Expected to plan every model, found 2 that cannot be: two: Expected a corpus")
    assert "; gone: Expected a folder with a model at './gone', found none" in outcome.err
    assert outcome.err.endswith(" All else is planned.\n")
    done("ci", "analyze", "one", "--config", config)
    told = fieldguide("ci", "publish", "--config", config)
    assert told.exit == 1
    assert "Warning: two: Expected a corpus" in told.err
    assert told.err.endswith(" All else is built; results that are stale are shown as they are.\n")
    assert (config.parent / "site" / "models" / "one" / "index.html").is_file()


def test_what_is_stale_is_shown_as_it_is_and_the_run_still_fails(config: Path) -> None:
    done("ci", "analyze", "one", "--config", config)
    config.write_text(config.read_text().replace("max_tokens = 64", "max_tokens = 32"))
    told = fieldguide("ci", "publish", "--config", config)
    assert told.exit == 1
    assert "one has no results that are up to date (stale: " in told.err
    assert (config.parent / "site" / "models" / "one" / "index.html").is_file()
    assert list(planned(config)) == ["one"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("add", "nowhere/to/be"), "Expected a folder with a model at 'nowhere/to/be', found none; check the path."),
        (
            ("add", "{config.parent.parent}/two", "--corpus", "articles", "--corpus", "nothere.txt"),
            "Expected a corpus file at nothere.txt, found: No such file or directory; check the path.",
        ),
        (("remove", "two"), "Expected a model of {config} (one), found two; correct the name."),
        (("ci", "analyze", "two"), "Expected a model of {config} (one), found two; correct the name."),
    ],
)
def test_what_is_not_there_is_said_and_nothing_is_changed(config: Path, words: tuple[str, ...], sentence: str) -> None:
    shutil.copytree(config.parents[1] / "one", config.parents[1] / "two")
    before = config.read_text()
    outcome = fieldguide(*(word.format(config=config) for word in words), "--config", config)
    assert (outcome.exit, outcome.err) == (1, f"Error: {sentence.format(config=config)}\n")
    assert config.read_text() == before
