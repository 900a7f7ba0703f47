"""What somebody else has put into a folder is there when we have replaced it, and so is a link in its place."""

import shutil
from pathlib import Path

import pytest

from generator.errors import ResultsError
from generator.results.store import Results
from generator.results.swap import ASIDE, foreign, replacing
from generator.results.writing import write
from generator.topics.learning.run.pretrain.state import LOG, cut_log, write_folder
from tests.results.samples import contents, manifest, put, tables

THEIRS = {
    "thesis.tex": b"years",
    "notes/first/read.me": b"notes",
    ".git/HEAD": b"ref: refs/heads/main",
    "mine.parquet": b"mine",
}


def test_what_lies_beside_tables_is_there_when_they_are_made_again(tmp_path: Path) -> None:
    folder = write(tmp_path, manifest(revision="old"), tables())
    put(folder, THEIRS)
    (folder / ".git" / "refs").mkdir()
    write(tmp_path, manifest(revision="new"), {name: table for name, table in tables().items() if name != "roles"})
    assert {name: text for name, text in contents(folder).items() if name in THEIRS} == THEIRS
    assert (folder / ".git" / "refs").is_dir(), "what is empty belongs to what it lies in"
    assert Results.open(folder).manifest.revision == "new"
    assert not (folder / "roles.parquet").exists(), "a table of ours goes"
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_a_file_of_others_where_ours_belongs_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    folder = put(tmp_path / "site", {"about": b"a file", "ours": b"old", "notes/a": b"a"})
    before = contents(folder)

    def replace(new: str) -> None:
        staying: list[str] = []
        with replacing(folder, staying) as fresh:
            put(fresh, {new: b"new"})
            staying += foreign(folder, fresh, {"ours"}.__contains__)

    for new in ("about/index.html", "about", "notes/a"):
        with pytest.raises(FileExistsError, match=r"about, which|notes/a, which"):
            replace(new)
        assert contents(folder) == before
    replace("notes/b")
    assert contents(folder) == {"about": b"a file", "notes/a": b"a", "notes/b": b"new"}


def test_what_somebody_else_has_put_beside_results_stays(tmp_path: Path) -> None:
    theirs = {
        ".tiny~": b"a backup of an editor",
        ".tiny~backup/thesis.tex": b"years",
        ".tiny~original/thesis.tex": b"years",
        ".tiny~original/new/thesis.tex": b"years",
        ".tiny~abcdefgh": b"a file",
    }
    put(tmp_path, theirs)
    for revision in ("old", "new"):
        folder = write(tmp_path, manifest(revision=revision), tables())
    assert {name: text for name, text in contents(tmp_path).items() if name in theirs} == theirs
    assert Results.open(folder).manifest.revision == "new"


@pytest.mark.parametrize("name", [f".tiny{ASIDE}", f".tiny{ASIDE}/thesis.tex"])
def test_what_somebody_else_has_put_where_a_folder_steps_aside_is_named_and_stays(tmp_path: Path, name: str) -> None:
    write(tmp_path, manifest(revision="old"), tables())
    put(tmp_path, {name: b"years"})
    before = contents(tmp_path)
    with pytest.raises(ResultsError, match=r"found: \.tiny\.replaced beside it, which somebody else has put there;"):
        write(tmp_path, manifest(revision="new"), tables())
    assert contents(tmp_path) == before


def test_notes_beside_the_model_of_a_run_stay(tmp_path: Path) -> None:
    folder = tmp_path / "step-0000001"
    for text in (b"old", b"new"):
        write_folder(folder, lambda at, text=text: put(at, {"model.safetensors": text}))
        put(folder, {"notes.txt": b"mine"})
    write_folder(folder, lambda at: put(at, {"model.safetensors": b"last"}))
    assert contents(tmp_path) == {f"{folder.name}/model.safetensors": b"last", f"{folder.name}/notes.txt": b"mine"}


@pytest.mark.parametrize("dangling", [False, True])
def test_a_link_in_the_place_of_results_is_followed(tmp_path: Path, dangling: bool) -> None:
    disk, place = tmp_path / "disk", tmp_path / "results"
    disk.mkdir()
    place.mkdir()
    link = place / "tiny"
    link.symlink_to(disk / "far")
    if not dangling:
        shutil.move(write(tmp_path / "first", manifest(revision="old"), tables()), disk / "far")
        put(disk / "far", {"notes": b"mine"})
    assert write(place, manifest(revision="new"), tables()) == link
    assert (link.is_symlink(), link.readlink()) == (True, disk / "far")
    assert Results.open(link).manifest.revision == "new"
    assert (disk / "far" / "notes").exists() != dangling
    assert [path.name for path in disk.iterdir()] == ["far"]


def test_a_link_that_leads_nowhere_it_could_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "tiny").symlink_to(tmp_path / "no" / "such" / "place")
    with pytest.raises(ResultsError, match=r"Expected to write results to .*tiny"):
        write(tmp_path, manifest(), tables())
    assert (tmp_path / "tiny").is_symlink()


def test_a_link_in_the_place_of_the_log_of_a_run_is_followed(tmp_path: Path) -> None:
    out, far = tmp_path / "run", tmp_path / "far.jsonl"
    out.mkdir()
    far.write_text('{"step": 1, "kind": "loss"}\n{"step": 2, "kind": "loss"}\n')
    (out / LOG).symlink_to(far)
    cut_log(out, 1)
    assert (out / LOG).readlink() == far
    assert far.read_text() == '{"step": 1, "kind": "loss"}\n'
