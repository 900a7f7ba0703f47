"""Downloading from the hub, for real, from a server on this machine that speaks the hub's interface.

The program runs in processes of their own, because the hub's library reads its address when it is imported.
"""

import hashlib
import json
import signal
import time
from collections.abc import Callable
from contextlib import nullcontext

import pandas as pd
import pytest

from generator.results.store import Results
from generator.results.writing import write
from tests.cli.command import write_corpus
from tests.encoders import write as write_encoder
from tests.hub import BENT, COMMIT, HELD, LATER, NEVER, OTHER, REFUSALS, serving
from tests.limits import SECONDS
from tests.published import only_from, published
from tests.ready import Ready
from tests.results.samples import contents, manifest, tables

ANOTHER = "what arrived as {} is not what the hub announced and has been deleted; try again."


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Where the hub's library keeps what it downloads."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """A hub with one model, whose weights are twice as long at a later commit, and have 25 MB at another."""
    hub = published(tmp_path_factory.mktemp("published"))
    folder = write_encoder("bert", tmp_path_factory.mktemp("large") / "bert", max_position_embeddings=200_000)
    hub.larger = {path.name: path.read_bytes() for path in folder.iterdir()}
    with serving(hub):
        return hub


@pytest.fixture(scope="module")
def run(hub, home, tmp_path_factory):
    """Runs one command several times in a process of its own; exit code, stdout and stderr of each.

    With `until` the process is killed when that returns. The hub listens meanwhile, unless it is `gone`.
    """
    with Ready(only_from(hub, home)) as ready:

        def commands(
            *models: list[str], name: str = "analyze", until: Callable[[], object] | None = None, gone: bool = False
        ) -> list[list]:
            folder = tmp_path_factory.mktemp("run")
            text, results = write_corpus(folder / "four.txt", 4), folder / "results"
            write(results, manifest("old"), tables(rows=2))
            before = contents(results)
            few = ["--no-studies"] if name == "analyze" else []
            words = [[name, *model, *few, "--corpus", str(text), "--results", str(results)] for model in models]
            with nullcontext() if gone else serving(hub):
                running = ready.run(folder, "tests.cli.command", json.dumps(words))
                try:
                    if until:
                        until()
                    else:
                        running.wait(SECONDS)
                finally:
                    code = running.kill()
            assert code == (-signal.SIGKILL if until else 0), running.err
            assert {name: body for name, body in contents(results).items() if name in before} == before
            return [[*json.loads(line), results] for line in running.out.splitlines()]

        yield commands


@pytest.fixture(scope="module")
def downloads(run, hub):
    """The model by branch, by tag and by commit; then it and another one where nobody listens; what was asked for."""
    hub.asked.clear()
    online = run(["tiny/bert"], ["tiny/bert", "--revision", "v1"], ["tiny/bert", "--revision", COMMIT])
    return online, list(hub.asked), run(["tiny/bert"], ["never/seen"], gone=True)


@pytest.fixture(scope="module")
def refusals(run):
    """What each model that cannot be had ends in."""
    models = ["no/body", *REFUSALS, "hang/up", "cut/short", *BENT]
    words = [[model] for model in models] + [["tiny/bert", "--revision", name] for name in ("v9", OTHER)]
    return dict(zip([*models, "v9", OTHER], run(*words), strict=True))


@pytest.fixture(scope="module")
def unfinished(run, hub, refusals, home):
    """What a corrupted download left, and what one left that was killed halfway through the weights."""
    corrupted, killed = (home / "hub" / name for name in ("models--bent--weights", "models--held--once"))

    def until() -> None:
        assert hub.halfway.wait(SECONDS)
        end = time.monotonic() + SECONDS
        while names(killed) != small(hub) and time.monotonic() < end:
            time.sleep(0.05)

    run([HELD], until=until)
    hub.gone.set()
    kept = [path.name for path in (corrupted / "blobs").iterdir() if len(path.name) == 64]
    return kept, names(corrupted), names(killed)


@pytest.fixture(scope="module")
def finished(run, hub, unfinished, home):
    """What the next command makes of both, what is asked for again, and from where on.

    Of the first, the whole weights have come to lie there.
    """
    weights = hub.files["model.safetensors"]
    (home / "hub" / "models--bent--weights" / "blobs" / hashlib.sha256(weights).hexdigest()).write_bytes(weights)
    hub.asked.clear()
    hub.resumed.clear()
    return run(["bent/weights"], [HELD]), list(hub.asked), list(hub.resumed)


def names(cache):
    """The files of a model that are there as a whole."""
    return {path.name for path in cache.glob("snapshots/*/*")}


def small(hub):
    """What is needed of a model beside its weights."""
    return set(hub.files) - set(NEVER) - {"model.safetensors"}


def test_a_model_is_downloaded_analysed_and_recorded_with_the_commit_it_was_pinned_to(downloads, hub):
    for code, out, _, results in downloads[0]:
        assert (code, out) == (0, f"{results / 'tiny--bert'}\n")
    found = Results.open(downloads[0][0][3] / "tiny--bert").manifest
    assert (found.model, found.slug, found.revision) == ("tiny/bert", "tiny--bert", COMMIT)
    assert f"--revision {COMMIT}" in found.command, "a branch moves, and the command is to compute the same again"
    assert found.weights_sha256 == hashlib.sha256(hub.files["model.safetensors"]).hexdigest()


def test_only_what_is_needed_is_asked_for_no_pickle_no_code_no_subfolder(downloads, hub):
    files = {path.partition(f"/resolve/{COMMIT}/")[2] for path in downloads[1] if "/resolve/" in path}
    assert files == set(hub.files) - set(NEVER)


def test_every_file_is_asked_for_at_the_commit_and_once(downloads):
    whole = [path for path in downloads[1] if path.startswith("/tiny/bert/")]
    assert all(path.startswith(f"/tiny/bert/resolve/{COMMIT}/") for path in whole)
    assert max(whole.count(path) for path in whole) == 2, "a question about the file, then the file"


def test_a_downloaded_model_needs_no_hub_any_more(downloads):
    code, out, _, results = downloads[2][0]
    assert (code, out) == (0, f"{results / 'tiny--bert'}\n")
    assert Results.open(results / "tiny--bert").manifest.revision == COMMIT


def test_revisions_of_one_model_become_a_learning_curve(run, downloads, hub, tmp_path):
    listed = tmp_path / "course.txt"
    listed.write_text("40000 tiny/bert step_40k\n20000 tiny/bert step_20k\n", encoding="utf-8")
    words = [str(listed), "--name", "course", "--work", str(tmp_path / "work")]
    ((code, out, err, results),) = run(words, name="curve")
    assert (code, out) == (0, f"{results / 'course@curve'}\n"), err
    found = {path.name: Results.open(path) for path in (tmp_path / "work" / "course").iterdir()}
    for step, commit, files in ((20000, COMMIT, hub.files), (40000, LATER, hub.later)):
        manifest = found[f"step-{step:09d}"].manifest
        weights = hashlib.sha256(files["model.safetensors"]).hexdigest()
        assert (manifest.revision, manifest.weights_sha256) == (commit, weights)
    curves = pd.read_parquet(results / "course@curve" / "curves.parquet")
    curve = curves.query("name == 'entropy.all' and study == 'measure' and head > 0").pivot_table(
        "value", ["layer", "head"], "step"
    )
    assert list(curve.columns) == [20000, 40000]
    assert (curve[20000] - curve[40000]).abs().min() > 1e-4, "longer weights attend otherwise"


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ("no/body", "the hub knows no such model"),
        ("secret/gated", "asks for its terms to be accepted"),
        ("down/server", "give a local folder"),
        ("captive/portal", "give a local folder"),
        ("hang/up", "give a local folder"),
        ("v9", "not this revision; check --revision"),
        (OTHER, "not this revision; check --revision"),
    ],
    ids=["unknown", "gated", "server error", "no hub but a web page", "hangs up", "unknown tag", "unknown commit"],
)
def test_a_model_that_cannot_be_had_is_one_line_and_nothing_is_written(refusals, case, says):
    _refused(refusals[case], case, says)


@pytest.mark.parametrize(
    ("case", "says"), [("cut/short", "try again"), *((name, ANOTHER.format(file)) for name, file in BENT.items())]
)
def test_a_download_that_breaks_off_or_differs_ends_in_one_line_after_what_the_library_says(refusals, case, says):
    code, out, err, results = refusals[case]
    _refused((code, out, err.splitlines(keepends=True)[-1], results), case, says)


def test_a_download_that_was_corrupted_is_made_again_by_the_next_command(unfinished, finished, hub):
    kept, found, _ = unfinished
    assert kept == []
    assert found == small(hub)
    code, out, err, results = finished[0][0]
    assert (code, out) == (0, f"{results / 'bent--weights'}\n"), err


def test_a_download_that_breaks_off_goes_on_where_it_was(run, hub):
    """The hub's client keeps whole pieces of 10 MB; the weights have 25."""
    hub.resumed.clear()
    ((code, out, err, results),) = run(["cut/once", "--revision", "large"])
    assert (code, out) == (0, f"{results / 'cut--once'}\n"), err
    ((first, size),) = hub.resumed
    assert 0 < first <= size // 2


def test_a_download_that_was_killed_keeps_whole_files_and_begins_the_unfinished_one_again(unfinished, finished, hub):
    """The hub's client names the file that it writes anew in every process, so that none can go on with another's."""
    assert unfinished[2] == small(hub)
    (_, (code, out, err, results)), asked, resumed = finished
    assert (code, out) == (0, f"{results / 'held--once'}\n"), err
    again = {path.rpartition("/")[2] for path in asked if path.startswith(f"/{HELD}/resolve/")}
    assert again == {"model.safetensors"}
    assert resumed == []


def test_a_hub_that_is_not_there_is_one_line_that_says_what_to_do(downloads):
    code, out, err, _ = downloads[2][1]
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "'never/seen', but the hub cannot be reached" in err


def _refused(outcome, name, says):
    code, out, err, results = outcome
    assert (code, out) == (1, "")
    assert err.startswith("Error: Expected")
    assert len(err.splitlines()) == 1
    assert name in err
    assert says in err
    assert [path.name for path in results.iterdir()] == ["old"]
