"""A run that is killed, or that fills the disk, leaves the old results or the new ones, whole."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import ResultsError
from generator.results.store import find
from generator.results.swap import ASIDE, STAYING, replacing
from generator.results.writing import write
from tests.limits import SECONDS
from tests.results.disks import small_disk
from tests.results.killed import ROWS
from tests.results.samples import contents, manifest, put, tables

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """A place with older results."""
    place = tmp_path_factory.mktemp("old")
    write(place, manifest(revision="old"), tables(seed=0, rows=ROWS))
    return place


@pytest.fixture(scope="module")
def new(tmp_path_factory):
    """A place with what the killed runs were writing."""
    place = tmp_path_factory.mktemp("new")
    write(place, manifest(revision="new"), tables(seed=1, rows=ROWS))
    return place


@pytest.fixture(scope="module")
def left(old, tmp_path_factory):
    """What was left by runs that were killed at every step and at many moments, one place each."""
    folder = tmp_path_factory.mktemp("left") / "places"
    command = [sys.executable, "-m", "tests.results.killed", str(old), str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return sorted(folder.iterdir())


@pytest.fixture
def disk(tmp_path):
    """A disk that one set of results fits on and two do not."""
    with small_disk(tmp_path / "disk", kilobytes=176) as place:
        yield place


def test_a_killed_run_leaves_the_old_results_or_the_new_and_never_half(left, old, new):
    known = [contents(old / "tiny"), contents(new / "tiny")]
    outcomes = []
    for place in left:
        (found,) = find([place])
        assert contents(found.folder) in known, f"{place.name} left something else"
        outcomes.append(found.manifest.revision)
    assert set(outcomes) == {"old", "new"}
    by_step = [outcome for place, outcome in zip(left, outcomes, strict=True) if place.name.startswith("step")]
    assert len(by_step) > 50
    assert by_step == sorted(by_step, reverse=True), "once the new results are there they stay"


def test_some_kill_fell_between_stepping_aside_and_moving_in(left):
    """The one state in which no folder has the model's name; without it the test above would show little."""
    assert any((place / f".tiny{ASIDE}").exists() and not (place / "tiny").exists() for place in left)


def test_old_results_that_stepped_aside_are_found_and_reading_changes_nothing(old, tmp_path):
    place = Path(shutil.copytree(old, tmp_path / "place"))
    (place / "tiny").rename(place / f".tiny{ASIDE}")
    (found,) = find([place])
    assert contents(found.folder) == contents(old / "tiny")
    assert [path.name for path in place.iterdir()] == [f".tiny{ASIDE}"]


def test_old_results_that_were_already_replaced_are_passed_over_and_cleared_by_the_next_run(old, new, tmp_path):
    place = Path(shutil.copytree(new, tmp_path / "place"))
    shutil.copytree(old / "tiny", place / f".tiny{ASIDE}")
    put(place / ".tiny~x1y2z3_4", {STAYING: b"[]"})
    (found,) = find([place])
    assert found.manifest.revision == "new"
    write(place, manifest(revision="newer"), tables(seed=1, rows=ROWS))
    assert [path.name for path in place.iterdir()] == ["tiny"]


def test_what_a_killed_run_left_is_removed_by_the_next_run_of_that_model_alone(old, tmp_path):
    place = Path(shutil.copytree(old, tmp_path / "place"))
    for left in (".tiny~x1y2z3_4", ".tiny~x1y2z3_5/new", ".other~x1y2z3_4"):
        (place / left).mkdir(parents=True)
    write(place, manifest(), tables(seed=1, rows=ROWS))
    assert sorted(path.name for path in place.iterdir()) == [".other~x1y2z3_4", "tiny"]


def test_half_written_results_of_a_killed_run_are_never_found(old, tmp_path):
    place = tmp_path / "place"
    shutil.copytree(old / "tiny", place / ".tiny~x1y2z3_4" / "new")
    assert find([place]) == []


def test_after_any_kill_the_next_run_loses_nothing_where_it_fails_and_else_writes_as_ever(left, new, tmp_path):
    """Tried once on every set of files that a kill left."""
    kinds = {_kind(place): place for place in left}
    assert len(kinds) > 10
    frames = tables(seed=1, rows=ROWS)
    for number, place in enumerate(kinds.values()):
        again = Path(shutil.copytree(place, tmp_path / str(number)))
        before = [contents(found.folder) for found in find([again])]
        with pytest.raises(OSError, match="no room"), replacing(again / "tiny"):
            raise OSError("no room")
        assert [contents(found.folder) for found in find([again])] == before
        write(again, manifest(revision="new"), frames)
        (found,) = find([again])
        assert contents(found.folder) == contents(new / "tiny")


def test_what_stays_is_moved_and_comes_back_if_the_replacement_fails(tmp_path):
    folder, staying = tmp_path / "site", ["models/one", "claims/c01/one.csv"]
    for name in (*staying, "index.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("old")
    before, file = contents(folder), (folder / staying[0]).stat().st_ino
    with pytest.raises(FileNotFoundError), replacing(folder, [*staying, "gone"]):
        pass
    assert contents(folder) == before
    with replacing(folder, staying) as fresh:
        (fresh / "index.html").write_text("new")
    assert contents(folder) == before | {"index.html": b"new"}
    assert (folder / staying[0]).stat().st_ino == file
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


KILLED = """
import os, sys
from pathlib import Path
from generator.results.swap import replacing

folder, left, staying = Path(sys.argv[1]), [int(sys.argv[2])], sys.argv[3:]
rename = os.rename

def killed(*paths):
    if not left[0]:
        os._exit(9)
    left[0] -= 1
    return rename(*paths)

os.rename = killed
with replacing(folder, staying) as fresh:
    (fresh / "index.html").write_text("new")
"""


@pytest.mark.parametrize("renames", range(5))
def test_what_stays_comes_back_with_the_next_run_after_a_kill_at_any_moment(tmp_path, renames):
    folder, staying = tmp_path / "site", ["models/one", "claims/c01/one.csv"]
    for name in (*staying, "index.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("old")
    before = contents(folder)
    command = [sys.executable, "-c", KILLED, str(folder), str(renames), *staying]
    code = subprocess.run(command, cwd=ROOT, timeout=SECONDS, check=False).returncode
    assert code == (9 if renames < 4 else 0)
    with pytest.raises(OSError, match="no room"), replacing(folder, staying):
        raise OSError("no room")
    assert contents(folder) == (before if renames < 4 else before | {"index.html": b"new"})
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_full_disk_is_one_sentence_and_the_old_results_are_still_there(disk):
    write(disk, manifest(), tables(seed=0, rows=5))
    before = contents(disk)
    with pytest.raises(ResultsError, match=r"Expected to write results to .*free some space") as refusal:
        write(disk, manifest(), tables(seed=1, rows=3000))
    assert len(str(refusal.value).splitlines()) == 1
    assert contents(disk) == before


def test_a_disk_that_is_full_from_the_start_is_left_empty(disk):
    with pytest.raises(ResultsError, match="Expected to write results to"):
        write(disk, manifest(), tables(seed=1, rows=3000))
    assert contents(disk) == {}
    assert find([disk]) == []


def test_a_place_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ResultsError, match="--results"):
        write(tmp_path / "file", manifest(), tables())
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_file_that_has_the_name_of_the_folder_stays(tmp_path):
    (tmp_path / "tiny").write_text("mine")
    with pytest.raises(ResultsError, match=r"found: a file in its place; .*What was there before is still there\.$"):
        write(tmp_path, manifest(), tables())
    assert contents(tmp_path) == {"tiny": b"mine"}


def _kind(place):
    """The names of the files in a place, without the random part of temporary ones."""
    names = [str(path.relative_to(place)) for path in place.rglob("*")]
    return tuple(
        sorted(name if name.startswith(("tiny", f".tiny{ASIDE}")) else name.partition("/")[2] for name in names)
    )
