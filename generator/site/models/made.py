"""Makes models in this process or in several; the bytes are the same.

A page below a model's address shows only that model, so models can be made side by side. A process writes their pages
and files into a folder that has the form of the site, and a record of all else that was made of each; only records are
read again, because the pages of many models may not fit into memory. The next build reads the records of models whose
pages it keeps.
"""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from generator.jobs.executors import LOCAL, Where, run
from generator.jobs.processes import at_a_time
from generator.jobs.work import clear
from generator.progress import Report
from generator.results.store import Results
from generator.site.models.maker import Made, Maker

RECORDS = Path("build/models")
"""The folder, below the project, of what was made of each model; it is kept between builds."""
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
    maker: Maker, stored: Sequence[Results], kept: Mapping[str, str], workshop: Workshop | None, *, assets: bool
) -> Iterator[tuple[Results, Made]]:
    """What is made of each model, in their order. Raises FieldguideError.

    `kept` has the models whose pages are kept from the last site: slug -> name of the record, which may be missing.
    With `assets`, a process that is begun makes the files that pages load.
    """
    new = [one for one in stored if one.manifest.slug not in kept]
    if workshop and new:
        count = max(min(at_a_time(workshop.where.workers, MEMORY), len(new) // FEW), 1)
        where = Where("processes", count) if count > 1 else LOCAL
        shares = [
            Share(replace(maker), workshop.folder, new[at::count], assets=assets and count > 1 and at == count - 1)
            for at in range(count)
        ]
        for error in filter(None, run(work, shares, where, workshop.report)):
            raise error
    for results in stored:
        slug = results.manifest.slug
        stays = slug in kept
        folder = maker.root / RECORDS if stays else maker.folder
        whole = not (stays and maker.remembered.judged(results))
        found = _read(folder, kept.get(slug, slug), whole=whole) if folder else None
        yield results, found or maker.make(results, kept=stays)


def work(share: Share, report: Report) -> None:
    """Make a share, without the models that another process made before it died. Raises FieldguideError."""
    if share.assets:
        share.maker.put_assets()
    with report.bar("pages, model by model", len(share.models)) as advance:
        for results in share.models:
            record = _record(share.folder, results.manifest.slug)
            if not record.is_file():
                draft = record.with_suffix(".part")
                made = share.maker.make(results)
                own = made.pages, made.remembered
                draft.write_bytes(pickle.dumps(made._replace(pages=(), remembered={})) + pickle.dumps(own))
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


def keep_records(maker: Maker, names: Mapping[str, str]) -> None:
    """Keep the records of these models for the next build, under these names by slug, and delete all others."""
    folder = maker.root / RECORDS
    folder.mkdir(parents=True, exist_ok=True)
    for slug, name in names.items():
        if maker.folder and _record(maker.folder, slug).is_file():
            _record(maker.folder, slug).replace(_record(folder, name))
    for path in {*folder.iterdir()} - {_record(folder, name) for name in names.values()}:
        path.unlink()


def _record(folder: Path, name: str) -> Path:
    """The file with what was made of a model."""
    return folder / f"{name}.made"


def _read(folder: Path, name: str, *, whole: bool) -> Made | None:
    """What was recorded. Unless the `whole` is asked for, without its pages, which take longer than all else, and what
    is remembered, which `Remembered` mostly has, too. None where it cannot be read, as all of it can be made again.
    """
    try:
        with _record(folder, name).open("rb") as file:
            made: Made = pickle.load(file)  # noqa: S301 - a build of this project wrote it
            if whole:
                pages, remembered = pickle.load(file)  # noqa: S301 - as above
                made = made._replace(pages=pages, remembered=remembered)
            return made
    except Exception:  # noqa: BLE001 - a damaged record may raise anything
        return None
