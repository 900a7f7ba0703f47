"""Two revisions of one model stand side by side, and each has experiments of its own."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from generator.results.manifest import Manifest
from generator.results.store import find
from tests.cli.command import fieldguide, write_corpus
from tests.encoders import write as write_encoder
from tests.experiments.reviews import write_tasks
from tests.hub import COMMIT, LATER, serving
from tests.limits import SECONDS
from tests.published import only_from, published
from tests.ready import Ready
from tests.results.samples import contents

MODEL = "tiny/bert"
NAME = f"{MODEL}@{LATER[:7]}"
FIRST, SECOND = "tiny--bert", f"tiny--bert_{LATER[:7]}"
LATEST = (MODEL, "--revision", LATER)


class Done(NamedTuple):
    """What the commands left, and how each ended."""

    place: Path
    outcomes: dict[str, list]
    """What is asked of the second revision -> exit code, stdout, stderr."""


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """Both revisions analysed under two names, and experiments on the second, first without its name."""
    place = tmp_path_factory.mktemp("revisions")
    text, data = write_corpus(place / "twelve.txt", 12), write_tasks(place / "data")
    trainings = [write_encoder("bert", place / name, hidden_dropout_prob=rate) for name, rate in (("a", 0), ("b", 0.1))]
    weights = trainings[1] / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\1")
    here = ("--results", place / "results")
    task = ("--task", "rte", "--data", data, "--out", place / "tuned", *here)
    read = ("--corpus", text, *here)
    beside = ("compare", *LATEST, MODEL, "--other-revision", COMMIT, "--name", "first", *read)
    words = {
        "first": ("analyze", MODEL, "--revision", COMMIT, "--no-studies", *read),
        "analyze, no name": ("analyze", *LATEST, "--no-studies", *read),
        "analyze": ("analyze", *LATEST, "--name", NAME, "--no-studies", *read),
        "finetune, no name": ("finetune", *LATEST, "--epochs", "1", "--seeds", "1", *task),
        "first finetune": ("finetune", MODEL, "--revision", COMMIT, "--epochs", "1", "--seeds", "1", *task),
        "finetune": ("finetune", *LATEST, "--name", NAME, "--epochs", "1", "--seeds", "1", *task),
        "disable, no name": ("disable", *LATEST, *task),
        "disable": ("disable", *LATEST, "--name", NAME, *task),
        "compare, no name": beside,
        "compare": (*beside, "--model-name", NAME),
        "seeds, no name": ("seeds", *trainings, "--of", *LATEST, *read),
        "seeds": ("seeds", *trainings, "--of", *LATEST, "--name", NAME, *read),
    }
    with serving(published(place / "published")) as hub:
        listed = json.dumps([[*map(str, each)] for each in words.values()])
        with Ready(only_from(hub, place / "home")) as ready:
            ended = ready.run(place / "said", "tests.cli.command", listed)
            assert ended.wait(SECONDS) == 0, ended.err
    return Done(place, dict(zip(words, map(json.loads, ended.out.splitlines()), strict=True)))


@pytest.mark.parametrize("command", ["analyze", "finetune", "disable", "compare", "seeds"])
def test_without_a_name_the_second_revision_is_refused_with_the_option_that_names_it(done: Done, command: str):
    code, out, err = done.outcomes[f"{command}, no name"]
    assert (code, out) == (1, "")
    option = "--model-name" if command == "compare" else "--name"
    assert err.splitlines()[-1] == (
        f"Error: Expected no results of another model called {MODEL} in {done.place / 'results' / FIRST}, found those "
        f"of other weights; give this one another name with {option}, choose another place with --results, or delete "
        "what is there."
    )


def test_experiments_on_the_second_revision_join_its_results_and_those_of_the_first_stay(done: Done):
    left = {name: (code, err) for name, (code, _, err) in done.outcomes.items() if "no name" not in name}
    assert {code for code, _ in left.values()} == {0}, left
    problems: list[str] = []
    found = {one.manifest.slug: one for one in find([done.place / "results"], problems)}
    assert problems == []
    joined = {name: {more.folder.name.partition("@")[2] for more in one.more} for name, one in found.items()}
    experiments = {"finetune.rte", "disable.rte", "compare.first.twelve.txt", "seeds"}
    assert joined == {FIRST: {"finetune.rte"}, SECOND: experiments}
    for one, revision, name in ((found[FIRST], COMMIT, MODEL), (found[SECOND], LATER, NAME)):
        assert {(more.manifest.revision, more.manifest.model) for more in (one, *one.more)} == {(revision, name)}


def test_fine_tuned_copies_of_two_revisions_lie_side_by_side(done: Done):
    assert {path.name for path in (done.place / "tuned").iterdir()} == {FIRST, SECOND}
    then = done.outcomes["finetune"][2].splitlines()[-1]
    assert then.startswith(f"Next: fieldguide disable {MODEL} --revision {LATER} --name {NAME} --task rte ")


@pytest.mark.parametrize(
    ("experiment", "says"),
    [
        ("finetune.rte", f"fieldguide finetune {MODEL} "),
        ("disable.rte", f"fieldguide disable {MODEL} "),
        ("compare.first.twelve.txt", f"fieldguide compare {MODEL} {MODEL} --other-revision {COMMIT} --name first "),
        ("seeds", f"--of {MODEL} "),
    ],
)
def test_the_command_in_the_manifest_names_the_revision(done: Done, experiment: str, says: str):
    command = Manifest.read(done.place / "results" / f"{SECOND}@{experiment}").command
    assert says in command
    option = "--model-name" if experiment.startswith("compare") else "--name"
    assert f" --revision {LATER} {option} {NAME} " in command


def test_a_name_without_the_model_that_it_names_is_wrong_usage(done: Done, tmp_path: Path):
    shutil.copytree(done.place / "results", tmp_path / "results")
    before = contents(tmp_path / "results")
    words = ("--name", "other", "--corpus", done.place / "twelve.txt", "--results", tmp_path / "results")
    outcome = fieldguide("seeds", done.place / "a", done.place / "b", *words)
    assert outcome.exit == 2
    assert "--name is about the model that --of names; give --of, too." in " ".join(outcome.err.split())
    assert contents(tmp_path / "results") == before
