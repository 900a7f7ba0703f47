"""Several processes make the same bytes as one, also if some die; if all die, the old site stays."""

import shutil
from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.jobs.executors import Where
from generator.jobs.work import TRIES
from generator.progress import Report
from generator.site.build import build_site
from generator.site.models import made
from tests.builds.dying import dying, dying_once
from tests.builds.test_cached import add
from tests.reports import Strict, Telling
from tests.results.samples import contents
from tests.test_pipeline import ADDRESSED, write_project

FULL, *BARE = MODELS = ("other", "two", "more")
"""One process makes two of them, the other one; the first has all kinds of pages. Tests beside these have models of the
same names: pictures that show a name are drawn once for all.
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, plain: Path, unstudied: Path) -> Path:
    """A project of models that were analysed and not yet built."""
    root = write_project(tmp_path_factory.mktemp("made") / "project", [], mkdocs=ADDRESSED).parent
    add(root, plain, FULL)
    for name in BARE:
        add(root, unstudied, name)
    return root


@pytest.fixture(scope="module")
def one(root: Path) -> dict[str, bytes]:
    """The site as one process makes it."""
    return built(root, 1, Strict())


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few models are worth two processes."""
    monkeypatch.setattr(made, "FEW", 1)


def built(root: Path, workers: int, report: Report) -> dict[str, bytes]:
    """The site as so many processes make it; the packed sitemap holds the time."""
    where = Where(workers=workers)
    build_site(root / "mkdocs.yml", [root / "build" / "results"], report, force=True, where=where)
    return {name: body for name, body in contents(root / "site").items() if name != "sitemap.xml.gz"}


def test_the_site_has_the_same_bytes_if_several_processes_make_it_and_some_die(root, one, two, monkeypatch):
    monkeypatch.setattr(made, "work", dying_once)
    shutil.rmtree(root / "build" / "judged")
    said = Telling()
    assert built(root, 2, said) == one
    assert sum("jobs have ended" in note for note in said.notes) == 2, "it were two processes"


def test_if_workers_only_die_a_sentence_says_so_and_the_old_site_stays(root, one, two, monkeypatch):
    monkeypatch.setattr(made, "work", dying)
    with pytest.raises(SiteError, match=rf"pages of ({'|'.join(MODELS)}) and 1 more.* its worker died {TRIES} times"):
        built(root, 2, Telling())
    assert {name: body for name, body in contents(root / "site").items() if name != "sitemap.xml.gz"} == one
    assert [path.name for path in root.iterdir() if path.name.startswith(".site")] == []


@pytest.mark.parametrize(("few", "processes"), [(1, 2), (2, 1)])
def test_a_process_is_begun_for_enough_models_alone(root, monkeypatch, few, processes):
    """Of three models each of two processes would make one or two."""
    begun = []

    def noted(work, shares, where, report):
        begun.extend(len(share.models) for share in shares)
        return [SiteError("enough seen")]

    monkeypatch.setattr(made, "run", noted)
    monkeypatch.setattr(made, "FEW", few)
    with pytest.raises(SiteError, match="enough seen"):
        built(root, 2, Strict())
    assert len(begun) == processes
    assert sum(begun) == len(MODELS)
