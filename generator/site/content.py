"""All pages and files of a site, from stored results and hand-written pages, whatever engine publishes them."""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from jinja2 import FileSystemBytecodeCache

from generator.charts.still.vega import Stills
from generator.claims.remembered import Remembered
from generator.config import Project
from generator.home import TEMPLATES
from generator.pages import addresses
from generator.pages.bibliography import read_bibliography
from generator.pages.changes import rebuilds
from generator.pages.changes.known import Known
from generator.pages.changes.page import changes_page
from generator.pages.claims.page import claim_files
from generator.pages.claims.tables import Ledger
from generator.pages.data import data_files
from generator.pages.dictionary import dictionary_file
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import finder_file
from generator.pages.render import judged, missing, model_pages, shared_pages
from generator.pages.renderer import Contest, Page, Renderer
from generator.pages.written.knowledge import Knowledge
from generator.results.store import find
from generator.site.discovery import FEED, feed, robots, table
from generator.site.embeds import embed_file
from generator.site.gone import gone_pages
from generator.site.kept import Kept
from generator.site.loaded import loaded

ASSETS = Path(__file__).parent / "assets"
BIBLIOGRAPHY = "references.bib"
"""The file of sources that pages may cite, in the folder of hand-written pages."""
STILLS, JUDGED, COMPILED = Path("build/pictures"), Path("build/judged.json"), Path("build/templates")
"""Paths below the project that are kept between builds: drawings by Vega, judgements, and compiled templates."""
STYLE = "assets/fieldguide/fieldguide.css"
SCRIPTS = tuple(f"assets/fieldguide/{name}.js" for name in ("fieldguide", "menus", "helps"))
"""The scripts that every page loads."""
File = tuple[str, str | Path]
"""The address of a file, and its content or the path where that lies."""


class Content:
    """Pages and files of a site. Raises FieldguideError for errors that concern the whole site."""

    def __init__(
        self,
        project: Project,
        docs: Path,
        templates: Path = TEMPLATES,
        address: str = "",
        repository: str = "",
        kept: Kept | None = None,
        beside: Path | None = None,
    ) -> None:
        """`docs` has the hand-written pages; the site will be published at `address`, if that is known.

        Pages and files of models that are `kept` are not made here. If a folder `beside` is given, the files beside
        pages of models are written there, because those of many models may not fit into memory.
        """
        self._beside, self._put_aside = beside, 0
        self._kept = Kept() if kept is None else kept
        self.problems: list[str] = []
        self._root, self._address = project.root, address
        removed = project.settings.removed
        stored = [one for one in find(project.places, self.problems) if one.manifest.slug not in project.hidden]
        staying = {one.manifest.slug for one in stored if self._kept.holds(one)}
        self._remembered, self.stills = Remembered(project.root / JUDGED), Stills(project.root / STILLS)
        contest = Contest(repository, address) if repository else None
        (project.root / COMPILED).mkdir(parents=True, exist_ok=True)
        self.compiled = FileSystemBytecodeCache(str(project.root / COMPILED))
        self.renderer = Renderer(
            templates, forgiving=True, site=address, contest=contest, stills=self.stills, compiled=self.compiled
        )
        before, known = rebuilds.load(project.root), dict[str, Known]()
        atlases: list[Atlas] = []
        ledgers: list[Ledger] = []
        self._own: list[File] = []
        own: list[Page] = []
        for atlas, ledger, evidence in judged(stored, self.problems, self._remembered, staying):
            results, slug = atlas.results, atlas.slug
            atlases.append(atlas)
            ledgers.append(ledger)
            if slug not in staying:
                self._own += (*map(self._put, claim_files(evidence, self.problems)), *data_files([results]))
                pages = model_pages(Atlas(results), ledger, self.renderer)  # what it reads goes when they are made
                own += (replace(page, files=tuple(map(self._put, page.files))) for page in pages)
            told = before.models.get(slug) if slug in staying else None
            known[slug] = told or Known.of(results, ledger.judgements)
            results.release()  # tables of many models may not fit into memory
        self._ledger = replace(Ledger.joined(ledgers), agreeing=self._remembered.agreements)
        self._heads = finder_file(atlases, self.problems)
        # a model that cannot be shown today was not removed
        self._rebuilds = before.then({**before.models, **known} if self.problems else known, _today())
        self.knowledge = Knowledge(self._ledger, docs / BIBLIOGRAPHY, self.renderer, order=project.names)
        listed = shared_pages(atlases, self._ledger, self.renderer, read_bibliography(docs / BIBLIOGRAPHY))
        gone = gone_pages(removed, [*known], self.renderer)
        answering = {*known, *(one.slug for one in removed)}
        changed = self.renderer.page(addresses.CHANGES, changes_page(self._rebuilds.builds, answering))
        self.pages: dict[str, Page] = {f"{page.address}index.md": page for page in (*gone, *listed, *own, changed)}
        """Name that the page's Markdown source would have -> the page."""
        self.problems += missing(self.pages.values())

    def files(self) -> Iterator[File]:
        """All files that are not pages and do not belong to a page."""
        yield from (*self._own, dictionary_file(), embed_file(), self._heads)
        yield "robots.txt", robots(self._address)
        yield addresses.VERDICTS, table(self._rebuilds.verdicts)
        if self._address:
            yield FEED, feed(self._rebuilds.builds, self._address)
        if not self._kept.assets:
            yield from ((f"{addresses.ASSETS}{name}", content) for name, content in loaded(ASSETS).items())

    def _put(self, file: tuple[str, str | Path]) -> File:
        """The file, after writing it to the folder for files beside pages."""
        address, content = file
        if self._beside is None or not isinstance(content, str):
            return file
        self._put_aside += 1
        path = self._beside / str(self._put_aside)
        path.write_text(content, encoding="utf-8", newline="")
        return address, path

    def keep(self) -> None:
        """Record what was published, and keep what was drawn and judged for the next build."""
        if not self._kept.slugs:  # the pictures of kept pages were not asked for
            self.stills.forget()
        self._remembered.save()
        self._rebuilds.save(self._root)


def _today() -> str:
    """The date of the build, or the one that replaces it in a reproducible build."""
    return time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
