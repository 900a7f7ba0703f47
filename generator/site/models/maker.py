"""Makes the pages and files of one model, and what pages of all models say of it."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import FileSystemBytecodeCache

from generator.charts.still.vega import Stills
from generator.claims.remembered import Remembered
from generator.pages import addresses
from generator.pages.changes.known import Known
from generator.pages.claims.page import claim_files
from generator.pages.claims.tables import Ledger
from generator.pages.data import data_files
from generator.pages.heads.atlas import Atlas
from generator.pages.links import Contest
from generator.pages.render import judged, model_pages
from generator.pages.renderer import Page, Renderer
from generator.pages.walk import out_of_range, walk
from generator.results.store import Results
from generator.site.loaded import ASSETS, loaded
from generator.site.models.kept import PAGE

STILLS, JUDGED, COMPILED = Path("build/pictures"), Path("build/judged"), Path("build/templates")
"""Paths below the project that are kept between builds: drawings by Vega, judgements, and compiled templates."""
File = tuple[str, str | Path]
"""The address of a file, and its content or the path where that lies."""


class Made(NamedTuple):
    """What is known of a model once its pages are made."""

    problems: list[str]
    """Sentences about what could not be made."""
    known: Known | None = None
    """None if the model cannot be shown."""
    numbers: Mapping[str, Any] = {}
    """What its atlas shows on pages of all models, which then need not read its larger tables again."""
    remembered: Mapping[str, Any] = {}
    """What is to be remembered of its claims."""
    drawn: Collection[str] = ()
    """The names of the pictures that were asked for."""
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
    def stills(self) -> Stills:
        """The pictures that Vega draws."""
        return Stills(self.root / STILLS)

    @cached_property
    def remembered(self) -> Remembered:
        """What earlier builds have judged."""
        return Remembered(self.root / JUDGED)

    @cached_property
    def compiled(self) -> FileSystemBytecodeCache:
        """Compiled templates."""
        (self.root / COMPILED).mkdir(parents=True, exist_ok=True)
        return FileSystemBytecodeCache(str(self.root / COMPILED))

    @cached_property
    def renderer(self) -> Renderer:
        """The renderer of all pages of the site."""
        contest = Contest(self.repository, self.address) if self.repository else None
        return Renderer(
            self.templates,
            forgiving=True,
            site=self.address,
            contest=contest,
            stills=self.stills,
            compiled=self.compiled,
        )

    def make(self, results: Results, *, kept: bool = False) -> Made:
        """Make the pages and files of a model, unless they are `kept`. Raises ResultsError."""
        problems: list[str] = []
        slugs = [results.manifest.slug] if kept else []
        found = next(judged([results], problems, self.remembered, slugs), None)
        if found is None:
            return Made(problems)
        atlas, ledger, evidence = found
        files: list[File] = []
        pages: list[Page] = []
        numbers, refused = atlas.numbers, [*out_of_range(results)]
        with suppress(Exception):  # the finder, which alone shows them, says why
            numbers["written"] = atlas.written
        if not kept:
            self.remembered.agreements(results)  # pages of all models show them, after these tables are released
            files += map(self._put, claim_files(evidence, problems))
            files += map(self._put, data_files(atlas))
            read = atlas.looked
            for page in model_pages(Atlas.of(results, numbers), ledger, self.renderer):
                refused += walk(page.address, page.html, read=read)
                pages.append(self._page(page))
        known = Known.of(results, ledger.judgements)
        results.release()  # tables of many models may not fit into memory
        own = () if self.aside else files
        return Made(problems, known, numbers, self.remembered.entries(results), self.stills.used, pages, own, refused)

    def put_assets(self) -> None:
        """Put the files aside that pages load."""
        for name, content in loaded(ASSETS).items():
            self._put((f"{addresses.ASSETS}{name}", content))

    @property
    def has_assets(self) -> bool:
        """Whether these files were put aside, by whichever process."""
        return self.aside is not None and (self.aside / addresses.ASSETS).is_dir()

    def ledger(self, results: Results, made: Made) -> Ledger:
        """The ledger of a model. What the process that made the model remembered and drew is noted here, too."""
        self.remembered.entries(results).update(made.remembered)
        self.stills.used.update(made.drawn)
        told = {results.manifest.slug: self.remembered.told(results)}
        return Ledger(tuple(self.remembered.judgements(results) or ()), (results.manifest,), (results,), told)

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
                written.write(content.encode())
        return address, Path(path)
