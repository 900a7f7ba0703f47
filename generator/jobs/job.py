"""A job: one model reads one or more corpora and stores what it saw; the results of several jobs can be joined."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from generator.attention.anatomy import Anatomy, examine
from generator.config import Analysis
from generator.errors import FieldguideError, NewerResultsError, ResultsError
from generator.jobs.work import Outcome
from generator.models.answering import load_answering
from generator.models.encoder import Encoder
from generator.models.load import choose_device, load
from generator.models.masked_lm import load_masked_lm
from generator.models.names import slug
from generator.models.source import Source
from generator.models.threads import threads
from generator.numbers.writing import listed
from generator.progress import Report
from generator.results.manifest import ABOUT, Manifest, checksum_of, packages
from generator.results.store import Results
from generator.results.writing import write
from generator.studies.all import PROCEDURES
from generator.studies.procedure import Need, Procedure
from generator.survey.about import about
from generator.survey.engine import Reused, Survey, Surveyor
from generator.survey.rows import Rows, join
from generator.survey.stale import reused
from generator.survey.wanted import Wanted

PARTS = ".parts"
"""Ending of the folder, beside a model's results, in which jobs store results that are not joined yet."""
COPIES = 5
"""Models held in memory at most: the encoder, two untrained twins, a masked-LM and a question-answering model."""
BESIDE = 2 << 30
"""Bytes for libraries, maps and rows."""


@dataclass(frozen=True)
class Job:
    """One model, some corpora, and the studies that are to be made of them."""

    source: Source
    settings: Analysis
    wanted: Wanted
    """What to analyse: corpora and fingerprint are the job's own, all else is that of the whole analysis."""
    current: tuple[str, ...]
    """Studies whose rows are taken from what is stored."""
    stored: Path
    """The folder of the model's results."""
    place: Path
    """Where the job writes a folder of its own."""
    command: str
    threads: int
    gpu: bool

    @property
    def title(self) -> str:
        """What is done, in words."""
        corpora = dict.fromkeys(corpus.name for corpus in self.wanted.corpora.all)
        return f"the analysis of {self.source.title} on {listed(list(corpora))}"

    @property
    def name(self) -> str:
        """The name of its first corpus; a part has corpora of one name."""
        return self.wanted.corpora.all[0].name

    @property
    def memory(self) -> int:
        """Estimated memory in bytes: COPIES times the weights in float32, plus BESIDE."""
        return COPIES * self.source.size + BESIDE

    @property
    def folder(self) -> Path:
        """The folder that the job writes."""
        return self.place / slug(self.source.title)


def chosen(settings: Analysis) -> tuple[Procedure, ...]:
    """The studies that the settings ask for: all, or only those that need no more than the sums of one pass."""
    return tuple(procedure for procedure in PROCEDURES if settings.studies or procedure.watches is Need.SUMS)


def parts_of(job: Job) -> tuple[Job, ...]:
    """A job split into one for each name of a corpus; their results can be joined.

    Corpora of one name, such as a treebank and the mentions that are linked in it, stay in one job.
    """
    place = job.stored.with_name(f".{job.stored.name}{PARTS}")
    parts = []
    for name in dict.fromkeys(corpus.name for corpus in job.wanted.corpora.all):
        corpora = job.wanted.corpora.named(name)
        own = checksum_of({"of": job.wanted.fingerprint, "current": job.current, "corpora": corpora.checksums})
        wanted = job.wanted._replace(corpora=corpora, fingerprint=own)
        parts.append(replace(job, wanted=wanted, place=place / own[:16]))
    return tuple(parts)


def observe(job: Job, report: Report) -> None:
    """Do a job, unless its results are stored already. A whole analysis keeps what it has finished on one corpus until
    all are done, and goes on from there if it was stopped. Raises FieldguideError.
    """
    whole = job.place == job.stored.parent
    if not whole and _is_done(job):
        return
    source, settings, corpora = job.source, job.settings, job.wanted.corpora
    placed = choose_device(settings.device, settings.precision), settings.precision
    encoder = load(source, *placed)
    anatomy = examine(encoder)
    studies = chosen(settings)
    needs = {need for study in studies if corpora.of(study.reads) for need in study.needs}
    masked_lm = load_masked_lm(source, *placed) if Need.MASKED_LM in needs else None
    answering = load_answering(source, *placed) if Need.ANSWERS in needs else None
    surveyor = Surveyor(
        encoder, anatomy=anatomy, settings=settings, report=report, masked_lm=masked_lm, answering=answering
    )
    parts = parts_of(job) if whole else ()
    text = about(encoder, source.id)

    def store(done: Job, seen: Survey) -> None:
        write(done.place, _manifest(done, encoder, anatomy, seen, text), seen.tables)

    def finished(name: str, seen: Survey) -> None:
        for part in parts:
            if part.name == name:
                store(part, seen)

    found = _found(job, [part for part in parts if _is_done(part)])
    store(job, surveyor.survey(corpora, studies, found, finished))
    for part in parts:
        shutil.rmtree(part.place.parent, ignore_errors=True)


def _is_done(job: Job) -> bool:
    stored = opened(job.folder)
    return stored is not None and stored.manifest.fingerprint == job.wanted.fingerprint


def _found(job: Job, parts: Sequence[Job]) -> Reused:
    """What need not be made again: studies that are up to date, and all that was found by these parts."""
    studies = chosen(job.settings)
    found = [reused(opened(job.stored), job.current, studies, job.wanted.corpora)]
    found += [reused(opened(part.folder), list(job.wanted.studies), studies, part.wanted.corpora) for part in parts]
    rows = {key: tables for stored in found for key, tables in stored.rows.items()}
    return Reused(rows, tuple(record for stored in found for record in stored.corpora))


def _manifest(job: Job, encoder: Encoder, anatomy: Anatomy, seen: Survey, text: str) -> Manifest:
    source = job.source
    return Manifest(
        model=source.title,
        slug=slug(source.title),
        family=encoder.family,
        layers=anatomy.layers,
        heads=anatomy.heads,
        revision=source.revision,
        weights_sha256=source.sha256,
        setup_sha256=source.setup_sha256,
        corpora=seen.corpora,
        settings=job.wanted.settings | ({ABOUT: text} if text else {}),
        studies=job.wanted.studies,
        dtype=job.settings.precision,
        device=encoder.device.type,
        observed="returned maps" if anatomy.sites else "attention function",
        vocabulary=seen.vocabulary,
        packages=packages(),
        command=job.command,
        fingerprint=job.wanted.fingerprint,
    )


@dataclass(frozen=True)
class Plan:
    """An analysis to be made, and the jobs that make it."""

    job: Job
    parts: tuple[Job, ...]
    """The job itself, or one for each corpus, whose results are joined."""

    @classmethod
    def of(cls, job: Job, *, apart: bool, force: bool) -> Self:
        """The plan of an analysis, split by corpus if `apart`; parts finished earlier are kept unless `force`."""
        parts = parts_of(job)
        if force:
            shutil.rmtree(parts[0].place.parent, ignore_errors=True)
        return cls(job, parts if apart else (job,))

    def finish(self, outcomes: Sequence[Outcome]) -> tuple[Path, bool] | FieldguideError:
        """The folder of the results and True, as they are new; or the first error that a job ended with."""
        error = next(filter(None, outcomes), None)
        if error:
            return error
        if self.parts != (self.job,):
            joined(self.job, self.parts)
        return self.job.folder, True


def joined(job: Job, parts: Sequence[Job]) -> None:
    """Write the results of a job from those of its parts, and delete the parts. Raises ResultsError."""
    studies, corpora = chosen(job.settings), job.wanted.corpora
    rows: Rows = {}
    manifests = []
    for part in parts:
        results = Results.open(part.folder)
        rows |= reused(results, list(job.wanted.studies), studies, part.wanted.corpora).rows
        manifests.append(results.manifest)
    tables = join(rows, studies, list(dict.fromkeys(corpus.name for corpus in corpora.all)))
    records = {(corpus.name, corpus.kind): corpus for manifest in manifests for corpus in manifest.corpora}
    sinks = {name: token for manifest in manifests for name, token in manifest.vocabulary.items()}
    whole_manifest = replace(
        manifests[0],
        corpora=tuple(records[corpus.name, corpus.kind] for corpus in corpora.all),
        # By number: as texts, 10 would come before 9.
        vocabulary=dict(sorted(sinks.items(), key=lambda one: int(one[0]))),
        fingerprint=job.wanted.fingerprint,
    )
    write(job.place, whole_manifest, tables)
    shutil.rmtree(parts[0].place.parent)


def one_job(
    source: Source, settings: Analysis, wanted: Wanted, results: Path, current: Sequence[str], command: str
) -> Job:
    """An analysis as one job, which writes the results of the model directly."""
    device = choose_device(settings.device, settings.precision).type
    folder = results / slug(source.title)
    return Job(
        source,
        settings=settings,
        wanted=wanted,
        current=tuple(current),
        stored=folder,
        place=results,
        command=command,
        threads=threads(),
        gpu=device == "cuda",
    )


def opened(folder: Path) -> Results | None:
    """Stored results, or None if there are none that this program can read.

    Raises NewerResultsError for results of a later version, so that they are not replaced.
    """
    try:
        return Results.open(folder)
    except NewerResultsError:
        raise
    except ResultsError:
        return None
