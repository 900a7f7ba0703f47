"""What a head and a model more cost a site, and the bytes of what a reader is sent."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from unittest.mock import patch

from generator.pages import render
from generator.results.manifest import Manifest
from generator.site.build import build_site
from tests.bench.record import ROOT, Row, cpu
from tests.reports import Silence
from tests.results.altered import renamed
from tests.site.documents import without_pictures

RESULTS = ROOT / "build" / "results" / "all-minilm-l6-v2"


@contextmanager
def _projects(*models: int) -> Iterator[dict[int, Path]]:
    """Projects of so many models each, one of which was built to compile the charts."""
    if not RESULTS.is_dir():
        raise SystemExit(f"Expected results in {RESULTS}, found none; run `make site` first.")
    memory = Path("/dev/shm")  # making a file costs what the disk costs
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        projects = {count: Path(folder) / f"{count}" for count in models}
        for count, project in projects.items():
            _project(project, count)
        build_site(projects[models[0]] / "mkdocs.yml", [], Silence())
        yield projects


def _built(project: Path) -> float:
    return cpu(partial(build_site, project / "mkdocs.yml", [], Silence(), force=True))


def _one_model_more(rounds: int) -> Iterator[float]:
    with _projects(1, 6) as projects:
        for _ in range(rounds):
            yield (_built(projects[6]) - _built(projects[1])) / 5


def _head_page(rounds: int) -> Iterator[float]:
    """Rendered and published, in milliseconds: a guide with all its head pages against one with a head a model."""
    models, all_of_them = 6, render.head_pages
    with _projects(models) as projects:
        manifest = Manifest.read(RESULTS)
        more = models * (manifest.layers * manifest.heads - 1)
        for _ in range(rounds):
            whole = _built(projects[models])
            with patch.object(render, "head_pages", lambda *of: islice(all_of_them(*of), 1)):
                yield 1000 * (whole - _built(projects[models])) / more


def _nothing_changed(rounds: int) -> Iterator[float]:
    with _projects(1) as projects:
        for _ in range(rounds):
            yield cpu(partial(build_site, projects[1] / "mkdocs.yml", [], Silence()))


def _page_bytes(_rounds: int) -> Iterator[float]:
    with _projects(1) as projects:
        heads = (projects[1] / "site" / "models" / RESULTS.name / "heads").glob("*/index.html")
        yield max(len(without_pictures(page.read_text(encoding="utf-8")).encode()) for page in heads) / 1000


def _project(folder: Path, models: int) -> None:
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    for number in range(models):
        target = folder / "build" / "results" / f"{RESULTS.name}{'-' + str(number) if number else ''}"
        shutil.copytree(RESULTS, target)
        renamed(target, target.name)


ROWS = (
    Row("model.more", "one model of 72 heads more in a guide, processor time", 3.5, 2, _one_model_more, "s"),
    Row("head.page", "one head page more, rendered and published", 3, 2, _head_page, "ms"),
    Row("nothing", "a second build with nothing changed, processor time", 0.2, 0.1, _nothing_changed, "s"),
    Row("head.bytes", "largest head page, HTML without its pictures", 25, None, _page_bytes, "KB"),
)
