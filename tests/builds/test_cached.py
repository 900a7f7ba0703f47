"""Pages of models that nothing has changed are taken from the last site, and are what a build afresh would make."""

import shutil
from pathlib import Path

import pytest
from mkdocs.config import load_config

from generator.files import look
from generator.home import TEMPLATES
from generator.site.build import build_site
from generator.site.models.cached import setting
from generator.site.stamp import load
from tests.reports import Strict
from tests.results.altered import altered, renamed
from tests.results.samples import contents
from tests.test_pipeline import ADDRESSED, write_project


def add(root: Path, plain: Path, name: str) -> None:
    renamed(Path(shutil.copytree(plain, root / "build" / "results" / name)), name)


def built(root: Path, *, force: bool = False) -> dict[str, bytes]:
    """The site as it is then; the packed sitemap holds the time."""
    build_site(root / "mkdocs.yml", [root / "build" / "results"], Strict(), force=force)
    return {name: body for name, body in contents(root / "site").items() if name != "sitemap.xml.gz"}


def same_file(root: Path, before: dict[str, int]) -> set[str]:
    """Models whose pages are the files that they were."""
    return {name for name, file in inodes(root).items() if before.get(name) == file}


def inodes(root: Path) -> dict[str, int]:
    return {path.parts[-4]: path.stat().st_ino for path in root.glob("site/models/*/heads/1-1/index.html")}


@pytest.fixture(scope="module")
def root(tmp_path_factory, plain, unstudied):
    """A project of four models that was built; the one that stays has all kinds of pages."""
    root = write_project(tmp_path_factory.mktemp("kept") / "project", [], mkdocs=ADDRESSED).parent
    for name, results in (("same", plain), ("other", unstudied), ("lost", unstudied), ("gone", unstudied)):
        add(root, results, name)
    built(root)
    return root


@pytest.fixture(scope="module")
def both(root, unstudied):
    """The site after changes; what a build afresh makes of a copy; and the models whose pages are as they were.

    One model stays the same, one is another, one has lost a page of the site, one is gone, and one is new.
    """
    afresh = Path(shutil.copytree(root, root.with_name("afresh")))
    before = inodes(root)
    (root / "site" / "models" / "lost" / "heads" / "2-1" / "index.html").unlink()
    for place in (root, afresh):
        altered(place / "build" / "results" / "other", command="another")
        shutil.rmtree(place / "build" / "results" / "gone")
        add(place, unstudied, "new")
    return built(root), built(afresh, force=True), same_file(root, before)


def test_a_changed_site_is_the_site_that_a_build_afresh_makes(both):
    one, afresh, _ = both
    assert one.keys() == afresh.keys()
    assert [name for name in one if one[name] != afresh[name]] == []


def test_pages_of_a_model_that_stayed_the_same_are_not_made_again_and_all_others_are(both):
    assert both[2] == {"same"}


def test_what_was_kept_once_is_kept_again(root, both):
    before = inodes(root)
    altered(root / "build" / "results" / "other", command="a third")
    built(root)
    assert same_file(root, before) == {"same", "lost", "new"}


def test_the_record_of_a_build_has_every_file_of_the_site_as_it_is(root, both):
    """CachedPages files are not looked at again."""
    stamp = load(root)
    assert stamp
    assert stamp.written == look([root / "site"])


def test_search_and_sitemap_know_the_pages_that_stay_and_none_that_is_gone(both):
    site = both[0]
    for name in ("same", "other", "lost", "new", "gone"):
        there = name != "gone"
        assert (f'"location":"models/{name}/heads/1-1/"'.encode() in site["search/search_index.json"]) == there
        assert (f"<loc>http://localhost/models/{name}/heads/1-1/</loc>".encode() in site["sitemap.xml"]) == there


CHANGES = {
    "a template": lambda root: (root / "templates" / "page.html").write_text("other"),
    "the configuration": lambda root: (root / "mkdocs.yml").write_text(f"{ADDRESSED}copyright: us\n"),
    "a hand-written page": lambda root: (root / "docs" / "note.md").write_text("# Other\n"),
    "a page more": lambda root: (root / "docs" / "more.md").write_text("# More\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_all_pages_are_made_of_is_compared_by_content(tmp_path, monkeypatch, change):
    root = write_project(tmp_path / "project", [], mkdocs=ADDRESSED).parent
    shutil.copytree(TEMPLATES, root / "templates")

    def found() -> str:
        return setting(load_config(str(root / "mkdocs.yml")), root / "templates", {})

    first = found()
    assert found() == first
    CHANGES[change](root)
    assert found() != first
    first = found()
    monkeypatch.setattr("generator.site.models.cached.PROGRAM", (root / "docs",))
    assert found() != first, "the code counts as well"
