"""Makes the pages and files of one model, and what pages of all models say of it."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from generator.cache import Cache
from generator.charts.static.vega import StaticPictures
from generator.claims.gate.maps import Move
from generator.claims.remembered import Remembered
from generator.numbers.number import Number
from generator.pages import addresses
from generator.pages.changes.known import Found, Judged, Known
from generator.pages.citing import Work
from generator.pages.claims.page import claim_files
from generator.pages.claims.tables import Ledger
from generator.pages.compare.beside import beside_file
from generator.pages.data import data_files
from generator.pages.heads.aside import Aside, Reason
from generator.pages.heads.atlas import Atlas, cached
from generator.pages.heads.naming.specialty import Specialty
from generator.pages.heads.summary import Summary
from generator.pages.heads.written import HeadGrid, Written
from generator.pages.links import Contest
from generator.pages.of_model import against
from generator.pages.render import judged, model_pages
from generator.pages.renderer import File, Page, Renderer
from generator.pages.walk import walk
from generator.plain import Reader, plain
from generator.results.extras import all_made_of
from generator.results.files import Folder, StoredTable
from generator.results.store import Results
from generator.site.fonts import fonts
from generator.site.loaded import ASSETS, loaded
from generator.site.models.cached import PAGE

PICTURES, JUDGED, FONTS = Path("build/pictures"), Path("build/judged"), Path("build/fonts")
"""Paths below the project of what is kept between builds: drawings by Vega, what is known of each model, and fonts."""
SHOWN = "shown"
"""What pages of all models show of one, among what is remembered of it."""
READER = Reader(
    *(
        Known,
        Judged,
        Found,
        Number,
        HeadGrid,
        Summary,
        Specialty,
        Aside,
        Reason,
        Move,
        *(record for part in cached() for record in part.records),
    ),
    *(Folder, StoredTable, Written),
)


class Made(NamedTuple):
    """What is known of a model once its pages are made."""

    problems: list[str]
    """Sentences about what could not be made."""
    known: Known | None = None
    """None if the model cannot be shown."""
    numbers: Mapping[str, Any] = {}
    """What its atlas shows on pages of all models, which then need not read its larger tables again."""
    pages: Sequence[Page] = ()
    """Without their HTML if that was put aside."""
    files: Sequence[File] = ()
    """The files that belong to no page, unless they were put aside."""
    refused: Sequence[str] = ()
    """What these pages say that the gate would refuse."""


@dataclass(frozen=True)
class Maker:
    """Makes the pages and files of models, and what pages of all models say of each."""

    root: Path
    """The project's folder."""
    templates: Path
    address: str
    """The address at which the site will be published; empty if it is not known."""
    repository: str
    work: Work
    """How the site is cited."""
    folder: Path | None = None
    """The folder in which pages and files are put aside; None keeps them in memory."""

    @cached_property
    def aside(self) -> Path | None:
        """The folder of pages and files that were put aside; it has the form of the site."""
        return self.folder and self.folder / "aside"

    @cached_property
    def _folders(self) -> set[str]:
        """Folders of what was put aside."""
        return set()

    @cached_property
    def pictures(self) -> StaticPictures:
        """The pictures that Vega draws."""
        return StaticPictures(self.root / PICTURES)

    @cached_property
    def remembered(self) -> Remembered:
        """What earlier builds have judged."""
        return Remembered(self.root / JUDGED)

    @cached_property
    def renderer(self) -> Renderer:
        """The renderer of all pages of the site."""
        contest = Contest(self.repository, self.address) if self.repository else None
        return Renderer(
            self.templates, forgiving=True, site=self.address, contest=contest, pictures=self.pictures, work=self.work
        )

    def make(self, results: Results, *, kept: bool = False) -> Made:
        """Make the pages and files of a model, unless they are `kept`. Raises ResultsError."""
        if kept and (made := self.shown(results)):
            return made
        problems: list[str] = []
        slugs = [results.manifest.slug] if kept else []
        found = next(judged([results], problems, self.remembered, slugs), None)
        if found is None:
            return Made(problems)
        atlas, ledger, evidence = found
        files: list[File] = []
        pages: list[Page] = []
        numbers, refused = atlas.numbers, list[str]()
        with suppress(Exception):  # the finder, which alone shows them, says why
            numbers["written"] = atlas.written
        if not kept:
            self.remembered.agreements(results)  # pages of all models show them, after these tables are released
            files += map(self._put, claim_files(evidence, problems))
            files += map(self._put, data_files(atlas))
            files += (self._put(_published(results, path)) for path in all_made_of(results))
            files.append(self._put(beside_file(atlas, ledger, problems)))
            read, contradicts = atlas.looked, partial(against, Atlas(results))
            for page in model_pages(Atlas.of(results, numbers), ledger, self.renderer):
                refused += walk(page.address, page.html, read=read, contradicts=contradicts)
                pages.append(self._page(page))
        known = Known.of(results, ledger.judgements)
        results.release()  # tables of many models may not fit into memory
        self.remembered.entries(results)[SHOWN] = plain((known, numbers, refused))
        return Made(
            problems, known=known, numbers=numbers, pages=pages, files=() if self.aside else files, refused=refused
        )

    def shown(self, results: Results) -> Made | None:
        """What is remembered that pages of all models show of one; None if nothing is."""
        found = self.remembered.entries(results).get(SHOWN)
        if not found:
            return None
        known, numbers, refused = READER.read(found)
        return Made([], known, numbers, refused=refused)

    @property
    def assets(self) -> Iterator[File]:
        """The files that pages load."""
        kept = Cache(self.root / FONTS)
        for name, content in {**loaded(ASSETS, self.work), **fonts(kept)}.items():
            yield f"{addresses.ASSETS}{name}", content
        kept.forget()

    def put_assets(self) -> None:
        """Put these files aside."""
        for file in self.assets:
            self._put(file)

    @property
    def has_assets(self) -> bool:
        """Whether these files were put aside, by whichever process."""
        return self.aside is not None and (self.aside / addresses.ASSETS).is_dir()

    def ledger(self, results: Results) -> Ledger:
        """The ledger of a model that was made."""
        found = {results.manifest.slug: self.remembered.sentences(results)}
        return Ledger(tuple(self.remembered.judgements(results) or ()), (results.manifest,), (results,), found)

    def _page(self, page: Page) -> Page:
        """The page, its HTML and its files put aside."""
        files = tuple(map(self._put, page.files))
        if self.aside is None:
            return page
        self._put((f"{page.address}{PAGE}", page.html))
        return replace(page, html="", files=files)

    def _put(self, file: File) -> File:
        """The file, put aside."""
        address, content = file
        if self.aside is None:
            return file
        path = f"{self.aside}/{address}"
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self._folders.add(folder)
        if isinstance(content, Path):
            shutil.copyfile(content, path)
        else:
            with open(path, "wb") as written:  # noqa: PTH123 - pathlib takes longer, for thousands of files
                written.write(content if isinstance(content, bytes) else content.encode())
        return address, Path(path)


def _published(results: Results, extra: Path) -> File:
    """The address of a file that was made of a model itself, and its path."""
    return f"{addresses.model(results.manifest.slug)}{extra.parent.name}/{extra.name}", extra
