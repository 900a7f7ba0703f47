"""All that a site holds, from stored results and hand-written pages, whatever engine publishes it."""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from generator.charts.still.vega import Stills
from generator.claims.remembered import Agreements
from generator.config import Project
from generator.home import TEMPLATES
from generator.pages import addresses
from generator.pages.bibliography import read_bibliography
from generator.pages.changes import rebuilds
from generator.pages.changes.known import Known
from generator.pages.changes.page import changes_page
from generator.pages.claims.page import claim_files
from generator.pages.data import data_files
from generator.pages.dictionary import dictionary_file
from generator.pages.heads.finder import finder_file
from generator.pages.render import judged, missing, pages
from generator.pages.renderer import Contest, Page, Renderer
from generator.pages.studies.knowledge import Knowledge
from generator.results.store import find
from generator.site.discovery import FEED, feed, robots, table
from generator.site.embeds import embed_file
from generator.site.gone import gone_pages
from generator.site.loaded import loaded

ASSETS = Path(__file__).parent / "assets"
BIBLIOGRAPHY = "references.bib"
"""The file of sources that pages may cite, in the folder of hand-written pages."""
STILLS, AGREEMENTS = Path("build/pictures"), Path("build/agreements.json")
"""Below the project: what Vega has drawn, and what takes long to judge."""
STYLE = "assets/fieldguide/fieldguide.css"
SCRIPTS = tuple(f"assets/fieldguide/{name}.js" for name in ("fieldguide", "menus", "helps"))
"""What every page loads."""
File = tuple[str, str | Path]
"""The address of a file, and its content or the path where that lies."""


class Content:
    """Pages and files of a site. Raises FieldguideError for what is wrong with all of it."""

    def __init__(
        self, project: Project, docs: Path, templates: Path = TEMPLATES, address: str = "", repository: str = ""
    ) -> None:
        """`docs` has the hand-written pages; the site will stand at `address`, if that is known."""
        self.problems: list[str] = []
        self._root, self._address = project.root, address
        removed = project.settings.removed
        stored = (one for one in find(project.places, self.problems) if one.manifest.slug not in project.hidden)
        results, ledger = judged(stored, self.problems)
        self._agreements, self.stills = Agreements(project.root / AGREEMENTS), Stills(project.root / STILLS)
        self._ledger = replace(ledger, agreeing=self._agreements.of)
        contest = Contest(repository, address) if repository else None
        self.renderer = Renderer(templates, forgiving=True, site=address, contest=contest, stills=self.stills)
        self._data, self._heads = tuple(data_files(results)), finder_file(results, self.problems)
        before = rebuilds.load(project.root)
        known = {one.manifest.slug: Known.of(one, ledger.of_model(one.manifest.model)) for one in results}
        # a model that cannot be shown today was not removed
        self._rebuilds = before.then({**before.models, **known} if self.problems else known, _today())
        self.knowledge = Knowledge(self._ledger, docs / BIBLIOGRAPHY, self.renderer)
        listed = pages(results, self._ledger, self.renderer, read_bibliography(docs / BIBLIOGRAPHY))
        gone = gone_pages(removed, [one.manifest.slug for one in results], self.renderer)
        answering = {*known, *(one.slug for one in removed)}
        changed = self.renderer.page(addresses.CHANGES, changes_page(self._rebuilds.builds, answering))
        self.pages: dict[str, Page] = {f"{page.address}index.md": page for page in (*gone, *listed, changed)}
        """The pages by the names that their Markdown sources would have."""
        self.problems += missing(self.pages.values())

    def files(self) -> Iterator[File]:
        """All files that are not pages and do not stand beside one; adds to the problems."""
        yield from (*claim_files(self._ledger, self.problems), dictionary_file(), embed_file(), self._heads)
        yield "robots.txt", robots(self._address)
        yield addresses.VERDICTS, table(self._rebuilds.verdicts)
        if self._address:
            yield FEED, feed(self._rebuilds.builds, self._address)
        yield from self._data
        yield from ((f"{addresses.ASSETS}{name}", content) for name, content in loaded(ASSETS).items())

    def keep(self) -> None:
        """Record that this was published, and keep for the next build what this one has drawn and judged."""
        self.stills.forget()
        self._agreements.save()
        self._rebuilds.save(self._root)


def _today() -> str:
    """The day of the build, or the one that stands in for it."""
    return time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
