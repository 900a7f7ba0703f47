"""Several processes make the same bytes as one, also if some die; if all die, the old site stays."""

import os
import signal
from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.jobs.executors import Where
from generator.jobs.work import TRIES
from generator.progress import Report
from generator.site.build import build_site
from generator.site.models import made
from tests.reports import Strict, Telling
from tests.results.samples import contents
from tests.site.test_kept import add
from tests.test_pipeline import write_project

MODELS = [f"model-{number}" for number in range(2 * made.FEW)]
"""As many as are worth two processes."""


@pytest.fixture
def root(tmp_path: Path, plain: Path) -> Path:
    """A project of models that were analysed and not yet built."""
    root = write_project(tmp_path / "project", []).parent
    for name in MODELS:
        add(root, plain, name)
    return root


def built(root: Path, workers: int, report: Report) -> dict[str, bytes]:
    """The site as so many processes make it; the packed sitemap holds the time."""
    where = Where(workers=workers)
    build_site(root / "mkdocs.yml", [root / "build" / "results"], report, force=True, where=where)
    return {name: body for name, body in contents(root / "site").items() if name != "sitemap.xml.gz"}


def dying_once(share: made.Share, report: Report) -> None:
    """A worker that dies after its first model, and another one that takes over."""
    first, *_ = share.models
    made.work(made.Share(share.maker, share.folder, [first]), report)
    mark = share.folder / f"{first.manifest.slug}.died"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    made.work(share, report)


def dying(share: made.Share, report: Report) -> None:
    """A worker that dies."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_site_has_the_same_bytes_however_many_processes_make_it_and_if_some_die(root, monkeypatch):
    one, said = built(root, 1, Strict()), Telling()
    for place in ("pictures", "templates"):
        (root / "build" / place).rename(root / "build" / f"other-{place}")
    assert built(root, 2, said) == one
    assert sum("jobs have ended" in note for note in said.notes) == 2, "it were two processes"
    monkeypatch.setattr(made, "work", dying_once)
    (root / "build" / "judged.json").unlink()
    assert built(root, 2, Telling()) == one


def test_few_models_are_made_in_this_process(root, monkeypatch):
    shares, work = [], made.work

    def noted(share: made.Share, report: Report) -> None:
        shares.append(share)
        work(share, report)

    monkeypatch.setattr(made, "work", noted)  # another process could not be sent this function
    monkeypatch.setattr(made, "FEW", made.FEW + 1)
    built(root, 2, Strict())
    assert [len(share.models) for share in shares] == [len(MODELS)]


def test_if_workers_only_die_a_sentence_says_so_and_the_old_site_stays(root, monkeypatch):
    before = built(root, 1, Strict())
    monkeypatch.setattr(made, "work", dying)
    with pytest.raises(SiteError, match=rf"pages of model-0 and 2 more.* its worker died {TRIES} times"):
        built(root, 2, Telling())
    assert {name: body for name, body in contents(root / "site").items() if name != "sitemap.xml.gz"} == before
    assert [path.name for path in root.iterdir() if path.name.startswith(".site")] == []
