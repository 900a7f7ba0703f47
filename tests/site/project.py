"""A project folder with two tiny encoders, analysed and built once: the site that the tests look at."""

import functools
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from generator.models.names import slug
from generator.pages.heads.atlas import Atlas
from generator.results.store import Results
from generator.site.build import build_site
from generator.site.embeds import EMBED
from tests.analysed import DOCUMENTS, PLAIN, analyse_tiny
from tests.reports import Strict
from tests.site import hostile
from tests.site.documents import Document

OURS = "what-it-took.md"
"""A page that takes numbers of models that come with the program."""
ROOT = Path(__file__).resolve().parents[2]
MODEL = f"models/{slug(PLAIN)}/"
HEAD = f"{MODEL}heads/2-3/"
HOSTILE_MODEL = f"models/{slug(hostile.NAME)}/"
PLACES: Mapping[str, str] = {
    "home": "",
    "models": "models/",
    "finder": "heads/",
    "pairs": "compare/",
    "model": MODEL,
    "head": HEAD,
    "methods": "methods/",
    "method": "methods/attention.previous/",
    "reading": "reading/",
    "hostile model": HOSTILE_MODEL,
    "hostile head": f"{HOSTILE_MODEL}heads/2-3/",
}
"""An address of every kind of page."""


@dataclass(frozen=True)
class Site:
    """A built site, the address it is served at, and the results it was built from."""

    folder: Path
    address: str
    results: Path

    @cached_property
    def atlases(self) -> dict[str, Atlas]:
        """Model -> its stored results: PLAIN and `hostile.NAME`."""
        names = (PLAIN, hostile.NAME)
        return {name: Atlas(Results.open(self.results / slug(name))) for name in names}

    @cached_property
    def plain(self) -> Atlas:
        """The results of the encoder with an ordinary name."""
        return self.atlases[PLAIN]

    @cached_property
    def documents(self) -> dict[str, Document]:
        """Address below the site -> the page as it was read, of every page."""
        return {name: Document(html) for name, html in self.pages().items()}

    def pages(self) -> dict[str, str]:
        """Address below the site -> HTML, of every page; the frame that shows a figure elsewhere is none."""
        files = set(self.folder.rglob("*.html")) - {self.folder / EMBED}
        return {file.relative_to(self.folder).as_posix(): file.read_text(encoding="utf-8") for file in sorted(files)}


def analyse_hostile(folder: Path, results: Path) -> Path:
    """Analyse the encoder of `hostile` on its corpus; returns its results."""
    corpora = hostile.write_corpus(folder, DOCUMENTS), hostile.write_treebank(folder)
    stored = analyse_tiny(hostile.write_encoder(folder), results, *corpora)
    hostile.rename_examples(stored)
    return stored


def build(root: Path, address: str, plain: Path) -> Site:
    """Build the repository's own site, but with two tiny encoders, one of which is analysed already.

    MkDocs takes the address from SITE_URL.
    """
    models, results = root / "models", root / "build" / "results"
    models.mkdir(parents=True)
    shutil.copytree(plain, results / plain.name)
    analyse_hostile(models, results)
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").splitlines(keepends=True)
    (root / "mkdocs.yml").write_text("".join(line for line in menu if OURS not in line), encoding="utf-8")
    shutil.copytree(ROOT / "docs", root / "docs", ignore=shutil.ignore_patterns(OURS))
    folder, _ = build_site(root / "mkdocs.yml", [results], Strict())
    return Site(folder, address, results)


@contextmanager
def server(folder: Path, handler: Callable[..., SimpleHTTPRequestHandler] | None = None) -> Iterator[str]:
    """Serve a folder, which may be made later, and give its address."""
    handler = functools.partial(handler or QuietHandler, directory=str(folder))
    with QuietServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_port}/"
        finally:
            running.shutdown()
            thread.join()


class QuietServer(ThreadingHTTPServer):
    """Serves each request in a thread; a browser that hangs up is no error."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Raise what is not the browser's doing."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name for it
        """Leave stderr to the tests."""
