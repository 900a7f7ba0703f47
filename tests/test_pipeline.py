"""A build computes what is missing or stale and nothing else, and computing twice gives the same bytes."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from generator import pipeline
from generator.analysis import analyze as analyze_model
from generator.config import Analysis, read_project
from generator.errors import SiteError
from generator.models.source import locate
from generator.results.manifest import FILE, Manifest
from tests.cli.command import fieldguide, write_corpus
from tests.reports import Silence
from tests.results.disks import small_disk
from tests.results.samples import contents

MKDOCS = """
site_name: Test
theme: {name: material, font: false}
plugins: [search, fieldguide]
nav: [{Home: index.md}, {Models: models/index.md}, {Methods: methods/index.md}, {Note: note.md}]
validation: {nav: {omitted_files: ignore}}
"""
ADDRESSED = f"{MKDOCS}site_url: http://localhost/\n"
"""The same for a site with an address, for which a card is drawn of every head; without one a build notes that."""


QUIET = Silence()


def write_project(root: Path, models: list[Path], studies: bool = True, mkdocs: str = MKDOCS) -> Path:
    """A folder that `fieldguide build` can build; returns its settings file."""
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "note.md").write_text("# Note\n\nBy hand.\n")
    (root / "mkdocs.yml").write_text(mkdocs)
    text = write_corpus(root / "twelve.txt", 12)
    tables = "".join(f'[[model]]\nid = "{model}"\n' for model in models)
    settings = f'corpora = ["{text}"]\nmax_tokens = 64\nstudies = {str(studies).lower()}\n'
    whole = "" if models else 'also = ["build/results"]\n'  # without a list, what a test puts there is shown
    (root / "fieldguide.toml").write_text(f"{whole}[analysis]\n{settings}{tables}")
    return root / "fieldguide.toml"


@pytest.fixture
def models(checkpoint, tmp_path):
    """Two tiny encoders."""
    return [Path(shutil.copytree(checkpoint("bert"), tmp_path / "models" / name)) for name in ("one", "two")]


@pytest.fixture(scope="module")
def built(checkpoint, tmp_path_factory):
    """The settings file of such a project and its site, which each test leaves up to date."""
    root = tmp_path_factory.mktemp("built")
    models = [Path(shutil.copytree(checkpoint("bert"), root / "models" / name)) for name in ("one", "two")]
    config = write_project(root / "project", models, studies=False)
    outcome = fieldguide("build", "--config", config)
    assert (outcome.exit, outcome.out) == (0, f"{config.parent / 'site'}\n")
    return config


@pytest.fixture
def analyze(models, tmp_path):
    """Analyses the first model unless its results are what is asked for; says whether it did."""
    text = write_corpus(tmp_path / "twelve.txt", 12)

    def run(model: Path = models[0], **settings: object) -> bool:
        analysis = Analysis(**{"corpora": (str(text),), "max_tokens": 64, "studies": False} | settings)
        return analyze_model(locate(str(model)), analysis, tmp_path / "results", QUIET, force=False)[1]

    return run


def _stamps(*folders: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for folder in folders for path in folder.rglob("*") if path.is_file()}


def test_a_second_build_with_nothing_changed_recomputes_and_rewrites_nothing(built, tmp_path):
    results, site = built.parent / "build" / "results", built.parent / "site"
    assert len(list(site.glob("models/*/heads/*/index.html"))) == 2 * 3 * 4
    before = _stamps(results, site)
    second = fieldguide("build", "--config", built, "--offline")
    assert (second.exit, second.out) == (0, f"{site} (up to date)\n{site}.zip\n")
    (following,) = second.err.splitlines()
    assert following.startswith("Next: fieldguide serve")
    assert _stamps(results, site) == before
    shutil.unpack_archive(f"{site}.zip", tmp_path)
    assert contents(tmp_path / "site") == contents(site)


def test_a_page_written_by_hand_rebuilds_the_site_but_no_analysis(built):
    project = read_project(built)
    site = built.parent / "site"
    before = _stamps(built.parent / "build" / "results")
    (built.parent / "docs" / "note.md").write_text("# Note\n\nAnother sentence.\n")
    assert pipeline.build(project, QUIET) == (site, True)
    assert "Another sentence." in (site / "note" / "index.html").read_text()
    assert _stamps(built.parent / "build" / "results") == before
    assert pipeline.build(project, QUIET) == (site, False)
    assert pipeline.build(project, QUIET, force=True) == (site, True)
    after = _stamps(built.parent / "build" / "results")
    assert set(after) == set(before)
    assert all(after[path] > before[path] for path in before), "forced, everything is computed again"


def test_after_a_build_that_failed_the_site_is_not_up_to_date(tmp_path):
    config = write_project(tmp_path / "project", [])
    project = read_project(config)
    note, site = config.parent / "docs" / "note.md", config.parent / "site"
    sound = note.read_text()
    assert pipeline.build(project, QUIET) == (site, True)
    note.write_text("# Note\n\n[a link](nowhere.md)\n")
    with pytest.raises(SiteError, match=r"nowhere\.md"):
        pipeline.build(project, QUIET)
    note.write_text(sound)
    assert pipeline.build(project, QUIET) == (site, True)
    assert "nowhere" not in (site / "note" / "index.html").read_text()


def test_results_are_kept_while_what_determines_them_is_the_same(analyze):
    assert [analyze(), analyze(), analyze()] == [True, False, False]


@pytest.mark.parametrize(
    "settings",
    [{"max_tokens": 32}, {"seed": 1}, {"documents": 11}, {"segment_ids": False}, {"entropy_smoothing": 0.1}],
    ids=lambda settings: next(iter(settings)),
)
def test_a_changed_setting_makes_results_stale(analyze, settings):
    analyze()
    assert [analyze(**settings), analyze(**settings), analyze()] == [True, False, True]


def test_a_changed_corpus_makes_results_stale_and_a_touched_one_does_not(analyze, tmp_path):
    analyze()
    text = tmp_path / "twelve.txt"
    text.touch()
    assert not analyze()
    text.write_text(text.read_text().replace("lighthouse", "windmill"))
    assert [analyze(), analyze()] == [True, False]


@pytest.mark.parametrize(
    ("file", "key", "value"),
    [("config.json", "hidden_act", "relu"), ("tokenizer_config.json", "model_max_length", 48)],
)
def test_another_configuration_or_tokenizer_makes_results_stale_as_other_weights_do(analyze, models, file, key, value):
    analyze()
    data = json.loads((models[0] / file).read_text())
    (models[0] / file).write_text(json.dumps(data | {key: value}))
    assert analyze()


def test_only_the_model_that_is_stale_is_computed_again(built):
    results = built.parent / "build" / "results"
    before = _stamps(results)
    weights = built.parents[1] / "models" / "two" / "model.safetensors"
    raw = bytearray(weights.read_bytes())
    raw[-1] ^= 1
    weights.write_bytes(raw)
    pipeline.build(read_project(built), QUIET)
    assert {path.parent.name for path, stamp in _stamps(results).items() if before.get(path) != stamp} == {"two"}


@pytest.mark.parametrize("damage", [shutil.rmtree, lambda folder: (folder / FILE).write_text("{")])
def test_results_that_are_missing_or_broken_are_made_again(analyze, tmp_path, damage):
    analyze()
    sound = contents(tmp_path / "results")
    damage(tmp_path / "results" / "one")
    assert analyze()
    assert contents(tmp_path / "results") == sound


def test_analysing_twice_gives_the_same_bytes(analyze, tmp_path):
    analyze(documents=11, seed=4)
    first = contents(tmp_path / "results")
    shutil.rmtree(tmp_path / "results")
    analyze(documents=11, seed=4)
    assert contents(tmp_path / "results") == first


def test_the_recorded_command_computes_the_same_bytes_where_the_files_lie(analyze, models, tmp_path, monkeypatch):
    analyze(documents=11, seed=4, segment_ids=False, entropy_smoothing=0.01)
    program, *words = shlex.split(Manifest.read(tmp_path / "results" / "one").command)
    assert program == "fieldguide"
    shutil.copy(tmp_path / "twelve.txt", models[0].parent)
    monkeypatch.chdir(models[0].parent)
    assert fieldguide(*words, "--results", tmp_path / "again").exit == 0
    assert contents(tmp_path / "again") == contents(tmp_path / "results")


def test_two_models_that_would_share_a_folder_are_refused(models, tmp_path):
    """Each would overwrite the other in every build."""
    twin = shutil.copytree(models[0], tmp_path / "other" / "One")
    refused = fieldguide("build", "--config", write_project(tmp_path / "project", [models[0], Path(twin)]))
    assert refused.exit == 1
    assert "one" in refused.err
    assert len(refused.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda root: (root / "mkdocs.yml").unlink(), "mkdocs.yml in"),
        (lambda root: (root / "mkdocs.yml").write_text("site_name: ["), "mkdocs.yml"),
        (lambda root: (root / "fieldguide.toml").unlink(), "settings file"),
        (lambda root: (root / "fieldguide.toml").write_text("["), "TOML"),
    ],
    ids=["no mkdocs.yml", "bad mkdocs.yml", "no settings", "bad settings"],
)
def test_a_project_that_cannot_be_built_is_one_line_with_the_reason(tmp_path, damage, says):
    config = write_project(tmp_path / "project", [])
    damage(config.parent)
    outcome = fieldguide("build", "--config", config)
    assert (outcome.exit, outcome.out, len(outcome.err.splitlines())) == (1, "", 1)
    assert outcome.err.startswith("Error: Expected")
    assert says in outcome.err


def test_a_disk_too_full_for_the_site_is_one_line(tmp_path):
    config = write_project(tmp_path / "project", [])
    with small_disk(tmp_path / "disk", kilobytes=500) as place:
        (config.parent / "mkdocs.yml").write_text(f"{ADDRESSED}site_dir: {place / 'site'}\n")
        outcome = fieldguide("build", "--config", config)
    assert (outcome.exit, outcome.out, len(outcome.err.splitlines())) == (1, "", 1)
    assert outcome.err.startswith("Error: Expected")
