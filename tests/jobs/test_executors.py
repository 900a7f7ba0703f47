"""Jobs end the same wherever they run, also when workers and the driver are killed on the way."""

import importlib.util
import os
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator import pipeline
from generator.analysis import How, analyze, analyze_all
from generator.config import Analysis, read_project
from generator.errors import CorpusError, ModelError, SettingsError
from generator.jobs.executors import LOCAL, Where, run
from generator.jobs.job import PARTS, Job, observe
from generator.jobs.work import TRIES
from generator.models.source import locate
from generator.progress import Advance, Report
from tests.cli.command import write_corpus
from tests.errands import BEGUN, DONE, Errand, do
from tests.limits import SECONDS
from tests.ready import Ready
from tests.reports import Silence, Telling
from tests.test_pipeline import write_project

HAS_RAY = importlib.util.find_spec("ray") is not None
APART = [
    Where("processes", 2),
    pytest.param(Where("ray"), marks=pytest.mark.skipif(not HAS_RAY, reason="Ray is an extra: fieldguide[ray]")),
]
everywhere = pytest.mark.parametrize("where", APART, ids=["processes", "ray"])


@pytest.fixture(scope="module", autouse=True)
def two_nodes() -> Iterator[None]:
    """A Ray cluster of two nodes, which are processes of this machine."""
    if not HAS_RAY:
        yield
        return
    import ray  # noqa: PLC0415 - an extra
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - an extra

    os.environ |= {"RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_worker_niceness": "0"}
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    yield
    ray.shutdown()
    nodes.shutdown()


@pytest.mark.parametrize("where", [LOCAL, *APART], ids=["local", "processes", "ray"])
def test_an_error_of_one_job_costs_the_others_nothing(tmp_path: Path, where: Where) -> None:
    report = Telling()
    errands = [Errand(tmp_path, name) for name in ("one", "empty", "two")]
    first, second, third = run(do, errands, where, report)
    assert (first, type(second), str(second), third) == (None, CorpusError, "There is no text.", None)
    assert left(tmp_path) == {"one": [BEGUN, DONE], "empty": [BEGUN], "two": [BEGUN, DONE]}
    assert {"one is done", "two is done"} <= set(report.notes)


@everywhere
def test_a_job_whose_worker_is_killed_is_done_again(tmp_path: Path, where: Where) -> None:
    errands = [Errand(tmp_path, "one", TRIES - 1), Errand(tmp_path, "two")]
    assert run(do, errands, where, Silence()) == [None, None]
    assert left(tmp_path)["one"] == [*[BEGUN] * TRIES, DONE]
    assert left(tmp_path)["two"][-1] == DONE


def test_a_death_costs_no_other_job_anything(tmp_path: Path) -> None:
    """All workers of a pool of the standard library would begin again, or wait for ever."""
    others = [Errand(tmp_path, name, seconds=0.5) for name in ("first", "second", "third")]
    errands = [others[0], Errand(tmp_path, "dies", TRIES - 1), *others[1:]]
    assert run(do, errands, Where("processes", 3), Silence()) == [None] * 4
    assert [left(tmp_path)[errand.name] for errand in others] == [[BEGUN, DONE]] * 3
    assert left(tmp_path)["dies"] == [*[BEGUN] * TRIES, DONE]


@pytest.mark.parametrize("deaths", [0, TRIES - 1])
def test_workers_tell_how_far_they_are_and_a_job_that_begins_anew_does_not_go_back(tmp_path: Path, deaths: int) -> None:
    report = Telling()
    run(do, [Errand(tmp_path, "one", deaths), Errand(tmp_path, "two")], Where("processes", 1), report)
    total, steps = report.bars["all 2 jobs"]
    assert (total, [step for step in steps if step]) == (100, [25] * 4)


def left(place: Path) -> dict[str, list[str]]:
    """What errands have left: name -> words."""
    return {path.name: path.read_text().split() for path in place.iterdir()}


def test_an_error_that_nobody_expected_is_raised_with_the_place_where_it_arose(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere") as raised:
        run(do, [Errand(tmp_path / "nowhere", "one")], Where("processes", 1), Silence())
    assert "errands.py" in raised.value.__notes__[0]


@everywhere
def test_a_job_whose_workers_only_die_ends_in_a_sentence_and_the_others_are_done(tmp_path: Path, where: Where) -> None:
    errands = [Errand(tmp_path, "dies", 99), Errand(tmp_path, "one"), Errand(tmp_path, "two")]
    dead, *others = run(do, errands, where, Silence())
    assert isinstance(dead, ModelError)
    assert str(dead).startswith(f"Expected an errand to end, found that its worker died {TRIES} times; it may")
    assert others == [None, None]
    done = left(tmp_path)
    assert done.pop("dies") == [BEGUN] * TRIES
    assert {words[-1] for words in done.values()} == {DONE}


@everywhere
def test_deaths_are_counted_for_each_job_alone(tmp_path: Path, where: Where) -> None:
    errands = [Errand(tmp_path, name, int(name != "lives")) for name in ("first", "second", "lives", "third")]
    assert run(do, errands, where, Silence()) == [None] * 4
    assert [words[-1] for words in left(tmp_path).values()] == [DONE] * 4


@pytest.mark.skipif(HAS_RAY, reason="Ray is here")
def test_without_ray_it_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--constraint constraints"):
        run(do, [Errand(tmp_path, "one")], Where("ray"), Silence())


@dataclass(frozen=True)
class Asked:
    """A tiny encoder and what it reads."""

    model: Path
    settings: Analysis

    def analyse(self, results: Path, where: Where) -> dict[str, bytes]:
        folder, _ = analyze(locate(str(self.model)), self.settings, results, Silence(), where=where)
        return files(folder)


def files(folder: Path) -> dict[str, bytes]:
    """Name -> content."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def asked(checkpoint, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """Two texts and a treebank, so that a table without a corpus has two to choose from."""
    root = tmp_path_factory.mktemp("asked")
    texts = (str(write_corpus(root / "four.txt", 4)), str(write_corpus(root / "three.txt", 3)))
    return Asked(checkpoint("bert"), Analysis(corpora=("treebank", *texts), documents=4, max_tokens=64, device="cpu"))


@pytest.fixture(scope="module")
def expected(asked: Asked, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one process makes."""
    return asked.analyse(tmp_path_factory.mktemp("local"), LOCAL)


@pytest.mark.parametrize(("corpus", "loaded"), [("treebank", 0), ("one.txt", 1)])
def test_a_masked_lm_head_is_loaded_only_for_a_corpus_that_is_read_with_it(
    checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus: str, loaded: int
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("generator.jobs.job.load_masked_lm", lambda source, *_: asked.append(source.title))
    name = str(write_corpus(tmp_path / corpus, 1)) if corpus.endswith(".txt") else corpus
    settings = Analysis(corpora=(name,), documents=4, max_tokens=64, device="cpu")
    Asked(checkpoint("bert"), settings).analyse(tmp_path / "results", LOCAL)
    assert len(asked) == loaded


def killed_once(job: Job, report: Report) -> None:
    """The work of a job; the first worker that comes dies in the middle of writing."""
    mark = job.place.parent / "died"
    if not mark.exists():
        (job.place / ".bert.part").mkdir(parents=True)
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    observe(job, report)


@everywhere
def test_results_are_the_same_bytes_wherever_they_were_made_after_a_worker_was_killed(
    asked: Asked, expected: dict[str, bytes], tmp_path: Path, where: Where, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.analysis.observe", killed_once)
    assert asked.analyse(tmp_path, where) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["bert"], "parts are joined and gone"


def killed_always(job: Job, report: Report) -> None:
    """The work of a job; whoever reads the first model dies."""
    if job.source.title == "one":
        os.kill(os.getpid(), signal.SIGKILL)
    observe(job, report)


def test_a_model_whose_workers_only_die_keeps_no_other_from_being_built(
    checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = [Path(shutil.copytree(checkpoint("bert"), tmp_path / "models" / name)) for name in ("one", "two")]
    project = read_project(write_project(tmp_path / "project", models, studies=False))
    monkeypatch.setattr("generator.analysis.observe", killed_always)
    with pytest.raises(
        ModelError,
        match=r"one: Expected the analysis of one on .* to end, .* All else is built\.",
    ):
        pipeline.build(project, Silence(), where=Where("processes", 2))
    assert [path.name for path in project.results.iterdir() if not path.name.startswith(".")] == ["two"]
    heads = (project.root / "site" / "models").glob("*/heads/*/index.html")
    assert {page.parents[2].name for page in heads} == {"two"}


def test_all_models_of_a_command_are_one_piece_of_work_with_one_end(checkpoint, tmp_path: Path) -> None:
    """Each is the part of it that its weights are of all weights; what is up to date is passed over."""
    models = [Path(shutil.copytree(checkpoint("bert"), tmp_path / name)) for name in ("one", "two")]
    settings = Analysis(corpora=("articles", "treebank"), documents=4, max_tokens=64, studies=False)
    for force in (True, False):
        report = Telling()
        how = How(tmp_path / "results", report, force=force)
        found = [folder for _, folder in analyze_all([(locate(str(model)), settings) for model in models], how)]
        assert found == [(tmp_path / "results" / name, force) for name in ("one", "two")]
        ((title, (total, _)),) = report.bars.items()
        stood = report.stood(title)
        assert (title, stood[-1]) == ("2 models", total)
        assert total // 2 in stood
        assert stood == sorted(stood)
        assert len(stood) > 2 if force else len(stood) == 2


@pytest.mark.parametrize("where", [LOCAL, *APART], ids=["local", "processes", "ray"])
def test_what_is_done_stays_done_when_the_driver_is_killed(
    asked: Asked, expected: dict[str, bytes], tmp_path: Path, ready: Ready, where: Where
) -> None:
    """One process keeps each corpus that it has finished. Under Ray the killed driver has begun a
    cluster of its own; the one that goes on has that of the tests.
    """
    words = [word for name in asked.settings.corpora for word in ("--corpus", name)]
    words += ["--documents", "4", "--max-tokens", "64", "--device", "cpu", "--results", str(tmp_path)]
    words += ["--executor", where.executor, *(["--workers", "1"] if where.workers else [])]
    driver = ready.run(tmp_path / "said", "generator", "analyze", asked.model, *words)
    parts = tmp_path / f".bert{PARTS}"
    for _ in range(int(SECONDS * 10)):
        if list(parts.glob("*/bert/manifest.json")):
            break
        time.sleep(0.1)
    if where == LOCAL:
        os.kill(driver.pid, signal.SIGTERM)
        assert driver.wait(SECONDS) == -signal.SIGTERM, driver.err
    else:
        assert driver.kill() == -signal.SIGKILL, driver.err
    done = {path: path.stat().st_mtime_ns for path in parts.glob("*/bert/manifest.json")}
    assert 1 <= len(done) < 3
    seen: list[dict[Path, int]] = []

    class Watching(Telling):
        def note(self, text: str) -> None:
            seen.append({path: path.stat().st_mtime_ns for path in done if path.exists()})

        def bar(self, title: str, total: int) -> AbstractContextManager[Advance]:
            self.note(title)
            return super().bar(title, total)

    report = Watching()
    how = How(tmp_path, report, force=False, where=where)
    ((_, found),) = analyze_all([(locate(str(asked.model)), asked.settings)], how)
    assert found == (tmp_path / "bert", True)
    assert files(tmp_path / "bert") == expected
    assert seen[-1] == done, "what was done was not done again"
    if where == LOCAL:
        ((title, _),) = report.bars.items()
        assert len(title.split(" and ")) == len(asked.settings.corpora) - len(done)
    assert not parts.exists()
