"""What a head and a model more cost a site, and the bytes of what a reader is sent."""

import gzip
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from generator.jobs.executors import Where
from generator.pages import models as models_pages
from generator.pages import render
from generator.results.manifest import Manifest
from generator.site.build import build_site
from generator.site.models import maker
from tests.bench import site
from tests.bench.plain import memory, reference_seconds
from tests.bench.record import ROOT, AbsentError, Row, cpu, cpu_of
from tests.reports import Silence
from tests.site.browser import chromium, visiting
from tests.site.documents import without_pictures
from tests.site.project import QuietHandler, server

RESULTS = ROOT / "build" / "results" / "all-minilm-l6-v2"
OTHERS = ((render, "study_pages"), (models_pages, "study_cards"), (maker, "claim_files"), (maker, "data_files"))
"""The functions that make what a model has besides the pages of its heads."""
TEXTS = (".css", ".html", ".js", ".json", ".svg", ".txt", ".xml")
"""Files that servers of static sites compress."""


@contextmanager
def _built(models: int) -> Iterator[Path]:
    """A project of so many copies of one model, built, so that the charts are compiled."""
    if not RESULTS.is_dir():
        raise AbsentError(f"Expected results in {RESULTS.relative_to(ROOT)}, found none; run `make site` first.")
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        project = site.project(Path(folder), RESULTS, models)
        site.built(project)
        yield project


def _one_model_more(models: int, rounds: int) -> Iterator[float]:
    """The command that adds a model to a guide that is there; each round adds one to the guide of the last."""
    with _built(models) as project:
        for number in range(models, models + rounds):
            site.add(project, RESULTS, number)
            yield reference_seconds(partial(cpu_of, _command(project)))


def _nothing_changed(rounds: int) -> Iterator[float]:
    with _built(1) as project:
        for _ in range(rounds):
            yield reference_seconds(partial(cpu_of, _command(project)))


def _command(project: Path) -> list[str]:
    return [sys.executable, "-m", "generator", "build", "--config", str(project / "fieldguide.toml")]


def _head_page(rounds: int) -> Iterator[float]:
    """Rendered and published, in milliseconds: a guide with all its head pages against one with a head a model.

    Neither has the other pages and files of its models: what both have costs the same, but no machine measures it twice
    the same, and it would be four fifths of each build.
    """
    models, all_of_them = 6, render.head_pages
    manifest = Manifest.read(RESULTS) if RESULTS.is_dir() else None
    with _built(models) as project, ExitStack() as patches:
        for place, name in OTHERS:
            patches.enter_context(patch.object(place, name, lambda *_: ()))
        again = partial(build_site, project / "mkdocs.yml", [], Silence(), force=True, where=Where(workers=1))
        assert manifest
        more = models * (manifest.layers * manifest.heads - 1)

        def few() -> float:
            with patch.object(render, "head_pages", lambda *of: islice(all_of_them(*of), 1)):
                return cpu(again)

        def difference() -> float:
            before, whole = few(), cpu(again)
            return whole - (before + few()) / 2

        again()  # the first build in a process loads and compiles
        for _ in range(3 * rounds):  # a difference of two builds strays further than either
            yield 1000 * reference_seconds(difference) / more


def _page_bytes(_rounds: int) -> Iterator[float]:
    with _built(1) as project:
        heads = (project / "site" / "models").glob("*/heads/*/index.html")
        yield max(len(without_pictures(page.read_text(encoding="utf-8")).encode()) for page in heads) / 1000


def _first_visit(_rounds: int) -> Iterator[float]:
    """All that Chromium, which has nothing of the site, fetches for the largest head page, workers included."""
    with _built(1) as project:
        folder = project / "site"
        largest = max(folder.glob("models/*/heads/*/index.html"), key=lambda page: page.stat().st_size)
        place = f"{largest.parent.relative_to(folder).as_posix()}/"
        sent: dict[str, int] = {}
        try:
            with (
                chromium() as browser,
                server(folder, partial(_Packed, sent)) as address,
                visiting(browser, address) as visit,
            ):
                visit.go(place).wait_for_load_state("networkidle")
        except (pytest.skip.Exception, pytest.fail.Exception) as missing:
            raise AbsentError(str(missing)) from None
        yield sum(sent.values()) / 1000


class _Packed(QuietHandler):
    """Sends texts compressed, as servers of static sites do, and notes the bytes of every file."""

    def __init__(self, sent: dict[str, int], *given: Any, **named: Any) -> None:
        self._sent = sent
        super().__init__(*given, **named)

    def do_GET(self) -> None:  # noqa: N802 - the parent's name for it
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        body = path.read_bytes() if path.is_file() else b""
        packed = path.suffix in TEXTS
        body = gzip.compress(body) if packed else body
        self._sent[self.path] = len(body)
        self.send_response(HTTPStatus.OK if path.is_file() else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(body)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)


ROWS = (
    *(
        Row(
            f"model.more.{models}",
            f"one model of 72 heads more in a guide of {models}, the command",
            must,
            2,
            more,
            "s",
        )
        for models, must in ((5, 3.5), (20, 3.5), (50, 6.5))
        for more in (partial(_one_model_more, models),)
    ),
    Row("head.page", "one head page more, rendered and published", 3, 2, _head_page, "ms"),
    Row("nothing", "the build command with nothing changed, processor time", 0.2, 0.1, _nothing_changed, "s"),
    Row("head.bytes", "largest head page, HTML without its pictures", 25, None, _page_bytes, "KB"),
    Row("visit", "all that a browser fetches on a first visit, a head page, compressed", 200, None, _first_visit, "KB"),
)
