"""All pages and files of a site, from stored results and hand-written pages, whatever engine publishes them."""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from generator.config import Project
from generator.home import TEMPLATES
from generator.pages import addresses
from generator.pages.bibliography import read_bibliography
from generator.pages.changes import rebuilds
from generator.pages.changes.known import Known
from generator.pages.changes.page import changes_page
from generator.pages.citing import OURS, Work
from generator.pages.claims.tables import Ledger
from generator.pages.dictionary import dictionary_file
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import finder_file
from generator.pages.render import missing, shared_pages
from generator.pages.renderer import File, Page
from generator.pages.walk import walk
from generator.pages.written.knowledge import Knowledge
from generator.results.shown import gone, listed, shown
from generator.site.discovery import FEED, feed, robots, table
from generator.site.embeds import embed_file
from generator.site.models.cached import PAGE, CachedPages
from generator.site.models.gone import gone_pages
from generator.site.models.made import Workshop, make_all
from generator.site.models.maker import Maker

BIBLIOGRAPHY = "references.bib"
"""The file of sources that pages may cite, in the folder of hand-written pages."""
STYLE = "assets/fieldguide/fieldguide.css"
SCRIPTS = tuple(f"assets/fieldguide/{name}.js" for name in ("fieldguide", "menus", "helps"))
"""The scripts that every page loads."""


class Content:
    """Pages and files of a site. Raises FieldguideError for errors that concern the whole site."""

    def __init__(
        self,
        project: Project,
        docs: Path,
        templates: Path = TEMPLATES,
        address: str = "",
        repository: str = "",
        kept: CachedPages | None = None,
        workshop: Workshop | None = None,
        work: Work = OURS,
    ) -> None:
        """`docs` has the hand-written pages; the site will be published at `address`, if that is known, and is cited as
        `work`.

        Pages and files of models that are `kept` are not made here. With a `workshop`, those of other models are put
        aside in its folder, and several processes may make them.
        """
        self._kept = CachedPages() if kept is None else kept
        self.problems: list[str] = []
        self.refused: list[str] = []
        """What pages say that the gate would refuse; hand-written pages are added when they are made."""
        self._root, self._address = project.root, address
        self.maker = Maker(
            project.root,
            templates=templates,
            address=address,
            repository=repository,
            work=work,
            folder=workshop.folder if workshop else None,
        )
        left, self.renderer = gone(project), self.maker.renderer
        stored = shown(project, self.problems, self._kept.read)
        before, known = rebuilds.load(project.root), dict[str, Known]()
        staying = {item.manifest.slug for item in stored if self._kept.holds(item)}
        atlases: list[Atlas] = []
        ledgers: list[Ledger] = []
        self._own: list[File] = []
        own: list[Page] = []
        for results, made in make_all(self.maker, stored, staying, workshop, assets=not self._kept.assets):
            self.problems += made.problems
            self.refused += made.refused
            if made.known:
                atlases.append(Atlas.of(results, made.numbers))
                ledgers.append(self.maker.ledger(results))
                known[results.manifest.slug] = made.known
                own += made.pages if results.manifest.slug not in staying else ()
                self._own += made.files
        self._ledger = replace(Ledger.joined(ledgers), agreeing=self.maker.remembered.agreements)
        self._heads = finder_file(atlases, self.problems)
        # a model that cannot be shown today was not removed
        there = (
            {} if not self.problems else {key: model for key, model in before.models.items() if _stays(project, key)}
        )
        self._rebuilds = before.then({**there, **known}, _today())
        self.knowledge = Knowledge(self._ledger, docs / BIBLIOGRAPHY, self.renderer, atlases=atlases)
        shared = [*shared_pages(atlases, self._ledger, self.renderer, read_bibliography(docs / BIBLIOGRAPHY))]
        leaving = gone_pages(left, self.renderer)
        answering = {*known, *(model.slug for model in left)}
        changed = self.renderer.page(addresses.CHANGES, changes_page(self._rebuilds.builds, answering))
        self.pages: dict[str, Page] = {f"{page.address}index.md": page for page in (*leaving, *shared, *own, changed)}
        """Name that the page's Markdown source would have -> the page."""
        self.problems += missing(self.pages.values())
        for page in (*shared, changed):
            self.refused += walk(page.address, page.html)

    def files(self) -> Iterator[File]:
        """All files that are not pages and do not belong to a page."""
        yield from (*self._own, dictionary_file(), embed_file(), self._heads)
        yield "robots.txt", robots(self._address)
        yield addresses.VERDICTS, table(self._rebuilds.verdicts)
        if self._address:
            yield FEED, feed(self._rebuilds.builds, self._address)
        if not (self._kept.assets or self.maker.has_assets):
            yield from self.maker.assets

    def whole(self, page: Page) -> Page:
        """The page with its HTML, which may have been put aside."""
        if page.html or not self.maker.aside:
            return page
        with open(f"{self.maker.aside}/{page.address}{PAGE}", "rb") as aside:  # noqa: PTH123 - as in `Maker._put`
            return replace(page, html=aside.read().decode())

    def keep(self) -> None:
        """Record what was published, and keep what was drawn and judged for the next build."""
        if not self._kept.slugs:  # the pictures of kept pages were not asked for
            self.maker.pictures.cache.forget()
        self.maker.remembered.save()
        self._rebuilds.save(self._root)


def _stays(project: Project, slug: str) -> bool:
    """Whether a model that was shown may still be among those that are; folders of `also` name theirs themselves."""
    return slug in listed(project) or (
        bool(project.settings.also) and slug not in {model.slug for model in gone(project)}
    )


def _today() -> str:
    """The date of the build, or the one that replaces it in a reproducible build."""
    return time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
