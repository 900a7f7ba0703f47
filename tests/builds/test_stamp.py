"""A build with nothing changed ends at once, and one whose site or sources are not as they were builds again."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator.site.stamp import OUTDATED, STAMP, load, up_to_date
from tests.cli.command import ROOT, fieldguide
from tests.limits import SECONDS
from tests.results.samples import contents
from tests.test_pipeline import write_project

BUILD = """
import sys
before = {*sys.modules}
from generator.cli.app import main
sys.argv = ["fieldguide", "build", "--config", sys.argv[1]]
try:
    main()
finally:
    print(*sorted({name.partition(".")[0] for name in {*sys.modules} - before}), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory, checkpoint):
    """A project of one tiny encoder and its site."""
    root = tmp_path_factory.mktemp("stamp")
    shutil.copytree(checkpoint("bert"), root / "bert")
    config = write_project(root / "project", [root / "bert"], studies=False)
    assert fieldguide("build", "--config", config).exit == 0
    return config


def rewrite(path: Path, change=lambda content: content[:-1] + bytes([content[-1] ^ 1])) -> None:
    """Other bytes of the same length, and the times as they were."""
    status = path.stat()
    path.write_bytes(change(path.read_bytes()))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


DAMAGE = {
    "a page cut short": (lambda place: place.write_bytes(place.read_bytes()[:-9]), "site/index.html"),
    "a page of other words": (lambda place: place.write_text("other"), "site/models/bert/index.html"),
    "a page that is gone": (Path.unlink, "site/models/bert/heads/1-1/index.html"),
    "a script of nothing": (lambda place: place.write_text(""), "site/assets/fieldguide/vega.js"),
    "no folder of styles": (shutil.rmtree, "site/assets"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_site_is_not_up_to_date(built, tmp_path, damage):
    change, place = DAMAGE[damage]
    path = built.parent / place
    (shutil.copytree if path.is_dir() else shutil.copy2)(path, tmp_path / "kept")
    change(path)
    assert up_to_date(built) is None
    path.unlink(missing_ok=True)
    (tmp_path / "kept").rename(path)
    (built.parent / OUTDATED).unlink()
    assert up_to_date(built) == built.parent / "site"


def test_a_damaged_site_is_made_whole(built):
    """The build used to look at what it had read alone, and said "up to date"."""
    before = pages(built)
    for change, place in DAMAGE.values():
        change(built.parent / place)
    outcome = fieldguide("build", "--config", built)
    assert (outcome.exit, outcome.out) == (0, f"{built.parent / 'site'}\n"), outcome.err
    assert pages(built) == before
    assert up_to_date(built) == built.parent / "site"


def test_damage_that_changes_neither_size_nor_time_is_found_by_reading(built):
    page = built.parent / "site" / "index.html"
    before = pages(built)
    rewrite(page)
    assert fieldguide("build", "--config", built).out == f"{built.parent / 'site'} (up to date)\n"
    assert fieldguide("build", "--config", built, "--verify").out == f"{built.parent / 'site'}\n"
    assert pages(built) == before
    assert fieldguide("build", "--config", built, "--verify").out == f"{built.parent / 'site'} (up to date)\n"


def pages(config: Path) -> dict[str, bytes]:
    """The site; MkDocs writes the date of the day into these two."""
    return {name: body for name, body in contents(config.parent / "site").items() if "sitemap" not in name}


SOURCES = (
    "twelve.txt",
    "docs/note.md",
    "mkdocs.yml",
    "fieldguide.toml",
    "build/results/bert/heads.parquet",
    "../bert/config.json",
)


@pytest.mark.parametrize("source", SOURCES)
def test_a_source_of_another_content_is_seen_and_one_that_was_only_touched_is_not(built, tmp_path, source):
    path = built.parent / source
    path.touch()
    assert up_to_date(built) == built.parent / "site"
    kept = path.read_bytes()
    path.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    assert up_to_date(built) is None
    assert load(built.parent).outdated, "a build does not look at the site once more and find it whole"
    path.write_bytes(kept)
    (built.parent / OUTDATED).unlink()
    assert up_to_date(built) == built.parent / "site"


def test_new_files_other_variables_and_other_settings_are_seen(built, monkeypatch):
    stamp = (built.parent / STAMP).read_bytes()
    other = Path(shutil.copy(built, built.with_name("other.toml")))
    assert up_to_date(other) is None
    new = built.parent / "docs" / "new.md"
    new.write_text("# New\n")
    assert up_to_date(built) is None
    new.unlink()
    (built.parent / OUTDATED).unlink()
    monkeypatch.setenv("FIELDGUIDE_DATA", "elsewhere")
    assert up_to_date(built) is None
    monkeypatch.undo()
    for broken in (b"{", b"[]", stamp[:-40], json.dumps({"site": "site"}).encode()):
        (built.parent / STAMP).write_bytes(broken)
        assert up_to_date(built) is None
    (built.parent / STAMP).write_bytes(stamp)
    (built.parent / OUTDATED).unlink()
    assert up_to_date(built) == built.parent / "site"


def test_a_second_build_loads_no_library_but_click_and_costs_a_moment(built):
    outcome = subprocess.run(
        [sys.executable, "-c", BUILD, str(built)], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert outcome.stdout == f"{built.parent / 'site'} (up to date)\n"
    modules = outcome.stderr.splitlines()[-1].split()
    assert {*modules} - sys.stdlib_module_names == {"click", "generator"}
    start = time.process_time()
    assert up_to_date(built)
    assert time.process_time() - start < 0.2


def test_a_model_that_failed_or_may_move_on_the_hub_is_looked_at_in_every_build(built, tmp_path):
    config = Path(shutil.copytree(built.parent, tmp_path / "project")) / built.name
    with config.open("a", encoding="utf-8") as file:
        file.write('[[model]]\nid = "no/where/at/all"\n')
    for _ in range(2):
        outcome = fieldguide("build", "--config", config)
        assert outcome.exit == 1
        assert "no/where/at/all" in outcome.err.splitlines()[-1]
