"""Makes models in this process or in several; the bytes are the same.

A page below a model's address shows only that model, so models can be made side by side. A process writes their pages
and files into a folder that has the form of the site, and a record of all else that was made of each; only records are
read again, because the pages of many models may not fit into memory.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from generator.jobs.executors import LOCAL, Where, run
from generator.jobs.processes import at_a_time
from generator.jobs.work import clear
from generator.pages.renderer import Missing, Page
from generator.plain import Reader, plain
from generator.progress import Report
from generator.results.store import Results
from generator.site.models.maker import Made, Maker

READER = Reader(Page, Missing)
FEW = 3
"""The fewest models for which a process is begun: to load what it needs takes as long as the pages of two."""
MEMORY = 1 << 30
"""The bytes that a process is taken to need."""


class Workshop(NamedTuple):
    """Where the pages of models are made for a site that will be published."""

    folder: Path
    """An empty folder on the disk of the site."""
    where: Where
    """How many processes may make them; without a number one for each core, as far as memory allows."""
    report: Report


@dataclass(frozen=True)
class Share:
    """The models that one process makes."""

    maker: Maker
    folder: Path
    models: Sequence[Results]
    assets: bool = False
    """Whether it makes the files that pages load, too."""
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
    maker: Maker, stored: Sequence[Results], kept: Collection[str], workshop: Workshop | None, *, assets: bool
) -> Iterator[tuple[Results, Made]]:
    """What is made of each model, in their order. Raises FieldguideError.

    `kept` has the slugs of models whose pages are kept from the last site. With `assets`, a process that is begun makes
    the files that pages load.
    """
    new = [item for item in stored if item.manifest.slug not in kept]
    if workshop and new:
        count = max(min(at_a_time(workshop.where.workers, MEMORY), len(new) // FEW), 1)
        where = Where("processes", count) if count > 1 else LOCAL
        shares = [
            # A copy lacks what the maker has cached, which need not travel; the last share is the smallest and gets the
            # assets.
            Share(replace(maker), workshop.folder, new[at::count], assets=assets and count > 1 and at == count - 1)
            for at in range(count)
        ]
        for error in filter(None, run(work, shares, where, workshop.report)):
            raise error
    for results in stored:
        slug = results.manifest.slug
        found = _read(maker, results) if maker.folder and slug not in kept else None
        yield results, found or maker.make(results, kept=slug in kept)


def work(share: Share, report: Report) -> None:
    """Make a share, without the models that another process made before it died. Raises FieldguideError."""
    maker = share.maker
    if share.assets:
        maker.put_assets()
    with report.bar("pages, model by model", len(share.models)) as advance:
        for results in share.models:
            record = _record(share.folder, results)
            if not record.is_file():
                draft = record.with_suffix(".part")
                made = maker.make(results)
                own = plain((made.problems, made.pages, sorted(maker.pictures.cache.used)))
                draft.write_text(json.dumps((own, maker.remembered.entries(results))), encoding="utf-8")
                # Under this name there are only whole records, wherever a process dies.
                draft.replace(record)
            advance(1)
            if results is not share.models[-1]:
                clear()


def bring(aside: Path, site: Path) -> None:
    """Move what was put aside, if anything was, into the site; a file that the site already has stays as it is."""
    for path in aside.iterdir() if aside.is_dir() else ():
        there = site / path.name
        if not there.exists():
            path.replace(there)
        elif path.is_dir():
            bring(path, there)


def _record(folder: Path, results: Results) -> Path:
    """The file with what was made of a model."""
    return folder / f"{results.manifest.slug}.made"


def _read(maker: Maker, results: Results) -> Made | None:
    """What another process made of a model, with what it remembered and drew noted here; None if it did not end."""
    record = _record(maker.folder or Path(), results)
    if not record.is_file():
        return None
    own, entries = json.loads(record.read_bytes())
    maker.remembered.entries(results).update(entries)
    problems, pages, drawn = READER.read(own)
    maker.pictures.cache.used.update(drawn)
    made = maker.shown(results) or Made([])
    return made._replace(problems=problems, pages=pages)
