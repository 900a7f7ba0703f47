"""Analyse a model on some corpora and write a results folder with a manifest; a folder that is up to date is kept."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from generator.attention.saved import read_maps
from generator.config import Analysis
from generator.corpora.kind import Corpora
from generator.defaults import PRECISION
from generator.errors import CorpusError, FieldguideError
from generator.jobs.executors import LOCAL, Where, run
from generator.jobs.job import Plan, chosen, observe, one_job, opened
from generator.lock import alone
from generator.models.load import choose_device
from generator.models.names import slug
from generator.models.source import UNPINNED, Identity, Source
from generator.progress import Report, in_parts
from generator.results.manifest import ABOUT, Manifest, packages
from generator.results.writing import check_free, prepare, write
from generator.studies.all import PROCEDURES
from generator.survey.code import CODE, Code
from generator.survey.maps import survey_maps
from generator.survey.stale import fresh
from generator.survey.wanted import Wanted, advising, facts, opened_for, readable, want

TEXTS = ("examples", "inputs")
"""Tables that hold what was read, sentence by sentence."""

Analysed = tuple[Path, bool] | FieldguideError
"""The folder of the results and whether they are new, or why there are none."""


@dataclass(frozen=True)
class How:
    """How analyses are run: the settings that do not depend on the model or the corpora."""

    results: Path
    """The folder that holds one folder of results per model."""
    report: Report
    force: bool = True
    """Compute again even what is stored and up to date."""
    code: Code = CODE
    where: Where = LOCAL


def analyze(
    source: Source,
    settings: Analysis,
    results: Path,
    report: Report,
    *,
    force: bool = True,
    code: Code = CODE,
    where: Where = LOCAL,
) -> tuple[Path, bool]:
    """Observe one encoder on the corpora and store what was seen; returns the folder and whether it is new.

    The files of public corpora must have the checksums that the catalogue lists. Without `force`, stored studies are
    kept if they were made with the same weights, corpora, settings, `code`, libraries and kind of device. Raises
    FieldguideError.
    """
    ((_, found),) = analyze_all([(source, settings)], How(results, report, force, code, where))
    if isinstance(found, FieldguideError):
        raise found
    return found


def analyze_all(models: Sequence[tuple[Source, Analysis]], how: How) -> Iterator[tuple[Source, Analysed]]:
    """Analyse several encoders, one after the other or, if jobs run side by side, together.

    One bar stands for all of them. One after the other, each is the part of it that its weights are of all weights.
    """
    if how.where.apart or len(models) < 2:
        yield from _analyze_group(models, how)
        return
    sizes = [max(source.size, 1) for source, _ in models]
    with in_parts(how.report, f"{len(models)} models", sizes) as parts:
        for part, model in zip(parts, models, strict=True):
            yield from _analyze_group([model], replace(how, report=part))


def _analyze_group(models: Sequence[tuple[Source, Analysis]], how: How) -> Iterator[tuple[Source, Analysed]]:
    """Analyse encoders of which all are planned before the first is observed."""
    corpora: dict[Analysis, Corpora] = {}
    plans: list[tuple[Source, Plan | Analysed]] = []
    with ExitStack() as held:
        for source, settings in sorted(models, key=lambda one: one[0].title):  # no two runs wait for each other
            try:
                if settings not in corpora:
                    corpora[settings] = readable(settings)
                plans.append((source, _plan(source, settings, corpora[settings], how, held)))
            except FieldguideError as error:
                plans.append((source, error))
        jobs = [job for _, plan in plans if isinstance(plan, Plan) for job in plan.parts]
        outcomes = iter(run(observe, jobs, how.where, how.report))
        for source, plan in plans:
            yield source, plan.finish([next(outcomes) for _ in plan.parts]) if isinstance(plan, Plan) else plan


def _plan(source: Source, settings: Analysis, corpora: Corpora, how: How, held: ExitStack) -> Plan | tuple[Path, bool]:
    """The plan of an analysis, or the stored results and False if they are up to date.

    With a plan, the results folder stays locked until `held` is closed. Raises FieldguideError.
    """
    wanted = want(source.identity, corpora, settings, chosen(settings), how.code)
    folder = how.results / slug(source.title)
    if not how.force and _is_current(folder, wanted):
        return folder, False
    prepare(how.results)
    held.enter_context(alone(folder, how.report.note, beside=True))
    if not how.force and _is_current(folder, wanted):  # made by the run that held the lock
        return folder, False
    current = [] if how.force else fresh(wanted.studies, opened(folder), choose_device(settings.device).type)
    if current:
        again = ", ".join(name for name in wanted.studies if name not in current) or "none"
        how.report.note(
            f"{source.title}: {len(current)} of {len(wanted.studies)} studies are up to date; made again: {again}."
        )
    command = _command(source, settings)
    job = one_job(source, settings=settings, wanted=wanted, results=how.results, current=current, command=command)
    return Plan.of(job, apart=how.where.apart, force=how.force)


def due(
    model: Identity, settings: Analysis, results: Path, *, corpora: Callable[[Analysis], Corpora] = readable
) -> str:
    """Why an analysis would compute something, in a few words; empty if the stored results are up to date.

    `corpora` opens what the settings name. Raises FieldguideError.
    """
    stored = opened(results / slug(model.title))
    wanted = want(model, corpora(settings), settings, chosen(settings), CODE)
    if stored is None:
        return "new"
    if stored.manifest.fingerprint == wanted.fingerprint:
        return ""
    if stored.manifest.weights_sha256 != model.weights:
        return f"other weights, revision {model.revision}"
    stale = [name for name, checksum in wanted.studies.items() if stored.manifest.studies.get(name) != checksum]
    return f"stale: {', '.join(stale)}" if stale else "other corpora"


@dataclass(frozen=True)
class Archive:
    """A file of saved maps, and what must be known about it."""

    path: Path
    name: str
    """What the model is called."""
    treebanks: tuple[str, ...] = ()
    """Treebanks that annotate the words of the maps."""
    keep_text: bool = True
    """If false, the results hold no sentence: no examples, and no ids of what was read."""
    about: str = ""
    """One sentence that says what the maps are, for the page of the model."""

    @property
    def command(self) -> list[str]:
        """The command that measures this file, as a list of words."""
        words = ["fieldguide", "analyze", "--maps", self.path.name, "--name", self.name]
        words += [word for corpus in self.treebanks for word in ("--corpus", Path(corpus).name)]
        words += [] if self.keep_text else ["--no-text"]
        return [*words, "--about", self.about] if self.about else words


def analyze_maps(archive: Archive, settings: Analysis, results: Path, report: Report, *, force: bool = False) -> Path:
    """Measure maps that were computed elsewhere and store what they show. Raises FieldguideError.

    The corpora of the settings are not read. Results of other maps are replaced only with `force`.
    """
    corpora = opened_for(settings, archive.treebanks)
    other = next((corpus for corpus in corpora.all if not corpus.kind.words), None)
    if other:
        raise CorpusError(
            f"Expected treebanks for the words of {archive.path}, found {other.name} of kind {other.kind.name}; name "
            ".conllu files."
        )
    prepare(results)
    maps = read_maps(archive.path)
    if maps.rounded:
        report.note(
            f"Rows of {archive.path.name} miss a sum of one by the rounding of {' and '.join(maps.rounded)}; they are "
            "scaled."
        )
    if not force:
        check_free(results, archive.name, maps.sha256)
    with alone(results / slug(archive.name), report.note, beside=True):
        with advising():
            seen = survey_maps(
                archive.name, maps=maps, annotated=corpora.all, settings=settings, studies=PROCEDURES, report=report
            )
        tables = {key: table for key, table in seen.tables.items() if archive.keep_text or key not in TEXTS}
        layers, heads = maps.shape
        manifest = Manifest(
            model=archive.name,
            slug=slug(archive.name),
            family="saved maps",
            layers=layers,
            heads=heads,
            revision="file",
            weights_sha256=maps.sha256,
            corpora=seen.corpora,
            settings=facts(settings) | ({ABOUT: archive.about} if archive.about else {}),
            dtype=PRECISION,
            device="cpu",
            observed="saved maps",
            vocabulary=seen.vocabulary,
            packages=packages(),
            command=shlex.join([*archive.command, "--seed", str(settings.seed), *_skipping(settings)]),
            fingerprint=maps.sha256,
        )
        return write(results, manifest, tables)


def _command(source: Source, settings: Analysis) -> str:
    """The command that computes the same results again; files and folders appear in it without their paths."""
    words = ["fieldguide", "analyze", source.id]
    words += ["--revision", source.revision] if source.revision not in UNPINNED else []
    words += ["--name", source.name] if source.name else []
    words += [word for corpus in settings.corpora for word in ("--corpus", Path(corpus).name)]
    words += ["--documents", str(settings.documents)] if settings.documents else []
    words += ["--max-tokens", str(settings.max_tokens), "--seed", str(settings.seed)]
    words += ["--entropy-smoothing", str(settings.entropy_smoothing)] if settings.entropy_smoothing else []
    words += ["--word-vectors", Path(settings.word_vectors).name] if settings.word_vectors else []
    words += [] if settings.segment_ids else ["--no-segment-ids"]
    words += [] if settings.studies else ["--no-studies"]
    words += _skipping(settings)
    words += ["--precision", settings.precision] if settings.precision != PRECISION else []
    return shlex.join(words)


def _skipping(settings: Analysis) -> list[str]:
    return ["--skip-bad"] if settings.skip_bad else []


def _is_current(folder: Path, wanted: Wanted) -> bool:
    stored = opened(folder)
    return stored is not None and stored.manifest.fingerprint == wanted.fingerprint
