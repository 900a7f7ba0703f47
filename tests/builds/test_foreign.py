"""What no build wrote stays in a site, and a folder that is no site is not made one."""

import shutil
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from generator.errors import SiteError
from generator.site import build as building
from generator.site.build import build_site, pack
from generator.site.stamp import STAMP, load
from tests.builds.test_cached import add
from tests.reports import Strict, Telling
from tests.results.altered import altered
from tests.results.samples import contents
from tests.test_pipeline import write_project

THEIRS = {"CNAME": "guide.example", ".git/HEAD": "ref", "notes/a.txt": "a", "models/one/mine.txt": "b", "ads.txt": "c"}


def built(root: Path, **how: bool) -> list[str]:
    """Build the site; returns what is noted."""
    said = Telling()
    build_site(root / "mkdocs.yml", [root / "build" / "results", root / "docs"], said, **how)
    return said.notes


def changed(root: Path) -> None:
    """Something must be built anew, but not the pages of the model."""
    with (root / "docs" / "robots.md").open("a") as file:
        file.write("More.\n")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory, unstudied: Path) -> Path:
    """A project of one model that was built."""
    root = write_project(tmp_path_factory.mktemp("foreign") / "project", []).parent
    add(root, unstudied, "one")
    (root / "docs" / "robots.md").write_text("# Robots\n")
    built(root)
    for name, text in THEIRS.items():
        (root / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "site" / name).write_text(text)
    (root / "site" / ".git" / "refs").mkdir()
    return root


def theirs(root: Path) -> dict[str, str]:
    """What others have put into the site, and is still there."""
    there = {name: root / "site" / name for name in THEIRS}
    return {name: path.read_text() for name, path in there.items() if path.is_file()}


def test_what_no_build_wrote_stays_in_every_build_and_is_named(first: Path) -> None:
    changed(first)
    names = ".git, CNAME, ads.txt, models/one/mine.txt, notes"
    assert f"Stays in {first / 'site'}, as no build wrote it: {names}." in built(first)
    assert theirs(first) == THEIRS
    assert (first / "site" / ".git" / "refs").is_dir()
    stamp = load(first)
    assert stamp
    assert not [name for name in THEIRS if str(first / "site" / name) in stamp.written]
    altered(first / "build" / "results" / "one", command="another")
    (first / "docs" / "robots.md").unlink()
    built(first)
    built(first, force=True)
    built(first)
    assert theirs(first) == THEIRS
    assert not (first / "site" / "robots").exists(), "a page of ours goes"


def test_a_file_of_others_where_a_page_belongs_is_named_and_the_site_stays(first: Path) -> None:
    (first / "docs" / "ads.txt").write_text("ours")
    before = contents(first / "site")
    with pytest.raises(SiteError, match=r"ads\.txt, which somebody else has put there"):
        built(first)
    assert contents(first / "site") == before
    (first / "docs" / "ads.txt").unlink()


def test_a_build_that_fails_leaves_the_site_that_was_there(first: Path) -> None:
    before = contents(first / "site")
    (first / "docs" / "wrong.md").write_text('{{ verdict("no such claim") }}')
    altered(first / "build" / "results" / "one", command="a third")
    with pytest.raises(SiteError, match="no such claim"):
        built(first)
    (first / "docs" / "wrong.md").unlink()
    assert contents(first / "site") == before
    assert [path.name for path in first.iterdir() if path.name.startswith(".site")] == []


def test_files_of_a_build_that_was_killed_are_ours(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was killed after its site had taken its place, and before it was recorded."""
    (first / "docs" / "new.md").write_text("# New\n")
    monkeypatch.setattr(building, "look", lambda *_, **__: sys.exit(9))
    with pytest.raises(SystemExit):
        build_site(first / "mkdocs.yml", [first / "build" / "results"], Telling(), read={}, force=True)
    assert (first / "site" / "new" / "index.html").is_file()
    monkeypatch.undo()
    (first / "docs" / "new.md").unlink()
    built(first)
    assert not (first / "site" / "new").exists()
    assert theirs(first) == THEIRS


def test_without_a_record_what_the_new_site_lacks_stays_but_no_page_of_a_model(first: Path) -> None:
    gone = first / "site" / "models" / "gone" / "index.html"
    gone.parent.mkdir()
    gone.write_text("a model that was removed")
    (first / STAMP).unlink()
    built(first)
    assert theirs(first) == THEIRS
    assert not gone.exists()


def test_a_link_in_the_place_of_the_site_is_followed(first: Path) -> None:
    far, site = first.with_name("far"), first / "site"
    site.rename(far)
    site.symlink_to(far)
    changed(first)
    built(first)
    assert (site.is_symlink(), site.readlink()) == (True, far)
    assert (far / "robots" / "index.html").is_file()
    assert theirs(first) == THEIRS
    assert sorted(path.name for path in far.parent.iterdir()) == ["far", "project"]
    site.unlink()
    far.rename(site)


def test_a_zip_that_no_build_wrote_stays_and_is_named(first: Path) -> None:
    packed = first / "site.zip"
    with ZipFile(first / "other.zip", "w") as file:
        file.writestr("site/thesis.tex", "years")
    for content in (b"mine", (first / "other.zip").read_bytes()):
        packed.write_bytes(content)
        with pytest.raises(SiteError, match=r"Expected no .*site\.zip or one that a build wrote, found something else"):
            pack(first / "site")
        assert packed.read_bytes() == content
    packed.unlink()
    packed.mkdir()
    with pytest.raises(SiteError, match="move it away"):
        pack(first / "site")
    packed.rmdir()


def test_a_zip_of_an_earlier_build_is_replaced_and_a_link_in_its_place_followed(first: Path) -> None:
    far, packed = first / "far.zip", first / "site.zip"
    packed.symlink_to(far)
    for text in ("old", "new"):
        (first / "site" / "ads.txt").write_text(text)
        assert pack(first / "site") == packed
        assert packed.readlink() == far
        with ZipFile(far) as file:
            assert file.read("site/ads.txt").decode() == text
    (first / "site" / "ads.txt").write_text(THEIRS["ads.txt"])
    packed.unlink()
    far.rename(packed)
    pack(first / "site")
    assert not far.exists()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project", []).parent
    (root / "site").mkdir()
    (root / "site" / "index.html").write_text("my home page")
    with pytest.raises(SiteError, match=r"site to be empty or a site that this program has built, found index\.html"):
        build_site(root / "mkdocs.yml", [], Strict())
    assert contents(root / "site") == {"index.html": b"my home page"}
    shutil.rmtree(root / "site")
