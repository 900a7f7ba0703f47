"""What a build makes of each model, in this process or in several; the bytes are the same.

A page below a model's address shows only that model, so models can be made side by side. A worker process writes their
pages and files into a folder that has the form of the site, and a record of all else that is needed of a model; only
records are read again, because the pages of many models may not fit into memory.
"""

import pickle
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import FileSystemBytecodeCache

from generator.charts.still.vega import Stills
from generator.claims.remembered import Remembered
from generator.jobs.executors import Where, run
from generator.jobs.processes import at_a_time
from generator.pages.changes.known import Known
from generator.pages.claims.page import claim_files
from generator.pages.claims.tables import Ledger
from generator.pages.data import data_files
from generator.pages.heads.atlas import Atlas
from generator.pages.render import judged, model_pages
from generator.pages.renderer import Contest, Page, Renderer
from generator.progress import Report
from generator.results.store import Results
from generator.site.models.kept import PAGE

STILLS, JUDGED, COMPILED = Path("build/pictures"), Path("build/judged.json"), Path("build/templates")
"""Paths below the project that are kept between builds: drawings by Vega, judgements, and compiled templates."""
FEW = 3
"""The fewest models for which a process is begun: to load what it needs takes as long as the pages of two."""
MEMORY = 1 << 30
"""The bytes that a process is taken to need."""
File = tuple[str, str | Path]
"""The address of a file, and its content or the path where that lies."""


class Made(NamedTuple):
    """What is known of a model once its pages are made."""

    problems: list[str]
    """Sentences about what could not be made."""
    atlas: Atlas | None = None
    """None if the model cannot be shown."""
    known: Known | None = None
    remembered: Mapping[str, list[Any]] = {}
    """What is to be remembered of its claims."""
    drawn: Collection[str] = ()
    """The names of the pictures that were asked for."""
    pages: Sequence[Page] = ()
    """Without their HTML if that was put aside."""
    files: Sequence[File] = ()
    """The files that belong to no page, unless they were put aside."""


class Workshop(NamedTuple):
    """Where the pages of models are made for a site that will be published."""

    folder: Path
    """An empty folder on the disk of the site."""
    where: Where
    """How many processes may make them; without a number one for each core, as far as memory allows."""
    report: Report


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

    @property
    def aside(self) -> Path | None:
        """The folder of pages and files that were put aside; it has the form of the site."""
        return self.folder and self.folder / "aside"

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

    def make(self, results: Results, *, kept: bool = False, known: Known | None = None) -> Made:
        """Make the pages and files of a model, unless they are `kept`. Raises ResultsError.

        `known` is what the last build said of it, if that still holds.
        """
        problems: list[str] = []
        slugs = [results.manifest.slug] if kept else []
        found = next(judged([results], problems, self.remembered, slugs), None)
        if found is None:
            return Made(problems)
        atlas, ledger, evidence = found
        files: list[File] = []
        pages: list[Page] = []
        if not kept:
            self.remembered.agreements(results)  # pages of all models tell them, when these tables are gone
            files += map(self._put, claim_files(evidence, problems))
            files += map(self._put, data_files([results]))
            pages += map(self._page, model_pages(Atlas(results), ledger, self.renderer))  # what it reads goes with it
        known = known or Known.of(results, ledger.judgements)
        results.release()  # tables of many models may not fit into memory
        own = () if self.aside else files
        return Made(problems, atlas, known, self.remembered.entries(results), self.stills.used, pages, own)

    def ledger(self, made: Made) -> Ledger:
        """The ledger of a model that was made by a process; what that was told and has drawn is remembered here."""
        assert made.atlas
        results = made.atlas.results
        self.remembered.entries(results).update(made.remembered)
        self.stills.used.update(made.drawn)
        return Ledger(tuple(self.remembered.judgements(results) or ()), (results.manifest,), (results,))

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
        path = self.aside / address
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copyfile(content, path)
        else:
            path.write_text(content, encoding="utf-8", newline="")
        return address, path


@dataclass(frozen=True)
class Share:
    """The models that one process makes."""

    maker: Maker
    folder: Path
    models: Sequence[Results]
    memory: int = MEMORY
    gpu: bool = False
    threads: int = 1

    @property
    def title(self) -> str:
        """What is done, in words."""
        first, *others = self.models
        more = f" and {len(others)} more" if others else ""
        return f"the making of the pages of {first.manifest.model}{more}"


def make_all(
    maker: Maker, stored: Sequence[Results], kept: Mapping[str, Known | None], workshop: Workshop | None
) -> Iterator[Made]:
    """What is made of each model, in their order. Raises FieldguideError.

    `kept` has, by slug, what is known of the models whose pages are kept from the last site.
    """
    if workshop:
        new = [one for one in stored if one.manifest.slug not in kept]
        workers = min(at_a_time(workshop.where.workers, MEMORY), len(new) // FEW)
        shares = [Share(replace(maker), workshop.folder, new[at::workers]) for at in range(workers)]
        ended = run(work, shares, Where("processes", workers), workshop.report) if len(shares) > 1 else []
        for error in filter(None, ended):
            raise error
    for results in stored:
        slug = results.manifest.slug
        record = _record(workshop.folder, slug) if workshop else None
        if record and record.is_file():
            made: Made = pickle.loads(record.read_bytes())  # noqa: S301 - a process of this build wrote it
            yield made
        else:
            yield maker.make(results, kept=slug in kept, known=kept.get(slug))


def work(share: Share, report: Report) -> None:  # noqa: ARG001 - as jobs are called
    """Make the models of a share, but those that another process has made before it died. Raises FieldguideError."""
    for results in share.models:
        record = _record(share.folder, results.manifest.slug)
        if not record.is_file():
            draft = record.with_suffix(".part")
            draft.write_bytes(pickle.dumps(share.maker.make(results)))
            draft.replace(record)


def bring(aside: Path, site: Path) -> None:
    """Move what was put aside, if anything was, into the site; a file that the site already has stays as it is."""
    for path in aside.iterdir() if aside.is_dir() else ():
        there = site / path.name
        if not there.exists():
            path.replace(there)
        elif path.is_dir():
            bring(path, there)


def _record(folder: Path, slug: str) -> Path:
    """The file with what is known of a model that another process has made."""
    return folder / f"{slug}.made"
