"""Analyse, render, publish: the only file that knows all stages; only the command line imports it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.config import ModelChoice, Project
from generator.corpora.catalogue import CATALOGUE
from generator.errors import CorpusError, FieldguideError, ModelError, NewerResultsError, SiteError, joined
from generator.experiments.code import older
from generator.files import FLAT, Files, look, misnamed
from generator.home import DATA, TEMPLATES
from generator.jobs.executors import LOCAL, Where
from generator.models.source import UNPINNED
from generator.numbers.writing import listed
from generator.progress import Report, in_parts
from generator.project.extras import make_extras
from generator.project.models import Listed, address, called, located
from generator.project.settle import settle
from generator.results.extras import EXTRAS
from generator.results.shown import GONE, leftover
from generator.site.build import build_site
from generator.site.stamp import load
from generator.topics import PROGRAM

CONFIG = "mkdocs.yml"
ANALYSES, PAGES = 6, 1
"""How long the analyses of models take, compared with making their pages: seen with the embedded models."""


def build(project: Project, report: Report, *, force: bool = False, where: Where = LOCAL) -> tuple[Path, bool]:
    """Analyse what is missing or stale, then build the site; returns its folder and whether anything was built.

    Models that cannot be analysed, or whose corpora cannot be read, do not keep the others from being published. Raises
    FieldguideError; for such models only after all else is built.
    """
    settle(project)
    known, places = {} if force else _known(project), _inputs(project)
    read = look(places, known)  # before anything is computed from it
    current = () if force or not project.models else _current(project, report)
    models, failed = located(project, but=current)
    folders = [model.source.folder / FLAT for model in models if model.source.revision in UNPINNED]  # others are fixed
    read |= look(folders, known)
    with in_parts(report, "the site", [ANALYSES if models else 0, PAGES]) as parts:
        first = next(parts)
        failed |= _analyse(models, project.results, first, force, where) if models else {}
        problems = _sentences(failed)
        made = make_extras(project, first)
        lacking = _sentences({name: why for name, why in made.items() if name not in failed})
        settled = not failed and not lacking and all(model.pinned for model in models)
        read |= look([*project.places, project.root / EXTRAS], known)
        ended = _show(
            project,
            [*places, *folders],
            read,
            [*problems, *lacking],
            next(parts),
            settled=settled,
            force=force,
            where=where,
        )
    if failed:
        raise ModelError(f"Expected to analyse every model, found {joined(problems, len(failed))} All else is built.")
    return ended


def show(project: Project, problems: Sequence[str], report: Report) -> tuple[Path, bool]:
    """Build the site from the results that are stored, and analyse nothing; each problem becomes a warning. Returns and
    raises what `build` does.
    """
    settle(project)
    lacking, places = _sentences(make_extras(project, report)), _inputs(project)
    read = look([*places, *project.places], _known(project))
    return _show(project, places, read, [*problems, *lacking], report, settled=False)


def _show(
    project: Project, places: Sequence[Path], read: Files, problems: Sequence[str], report: Report, **how: Any
) -> tuple[Path, bool]:
    """Build the site; `places` are all that was read but the results, and `how` is what `build_site` is told."""
    if earlier := older(project.places, known=read):
        report.note(
            f"Made by earlier code: {', '.join(earlier)}. They are shown as they are; the command that makes one again "
            "stands in its manifest."
        )
    if left := leftover(project):
        report.note(
            f"Not listed, and so not shown: {listed([path.name for path in left])}. To show one, list it with "
            f"`fieldguide add`, or name its folder in `also` of {project.file}."
        )
    for problem in problems:
        report.warn(problem)
    return build_site(
        project.root / CONFIG, [*places, *project.places], report, settings=project.file, read=read, **how
    )


def _known(project: Project) -> Files:
    """The files that the last build read."""
    last = load(project.root)
    return last.read if last else {}


def _inputs(project: Project) -> list[Path]:
    """The paths of everything that a build reads except models and results; some of them may not exist. Raises
    SiteError.
    """
    root, chosen = project.root, project.settings.analysis
    config = root / CONFIG
    if not config.is_file():
        raise SiteError(f"Expected {CONFIG} in {root}, found none; run this in the project's folder.")
    if sentence := misnamed(root / "docs"):
        raise SiteError(sentence)
    own = [name for choice in project.models for name in choice.corpora or ()]
    names = [*chosen.corpora, *own, *([chosen.word_vectors] if chosen.word_vectors else [])]
    named = [place for name in names for place in (root / name, Path(name))]
    known = [path for entry in CATALOGUE if entry.name in names for path in entry.paths]
    return [
        config,
        root / project.file,
        root / "docs",
        root / GONE,
        root / EXTRAS,
        TEMPLATES,
        DATA,
        *PROGRAM,
        *named,
        *known,
    ]


def _current(project: Project, report: Report) -> Sequence[ModelChoice]:
    """The models that are up to date: they need neither an analysis nor their files. Each gets a note."""
    from generator.project.due import Due  # noqa: PLC0415 - loads torch

    current = Due(project).current()
    for choice in current:
        report.note(f"{called(choice)}: up to date in {project.results / address(choice)}")
    return current


def _analyse(models: Sequence[Listed], results: Path, report: Report, force: bool, where: Where) -> dict[str, str]:
    """Analyse every model that was found; returns name -> reason for those that cannot be analysed."""
    from generator.analysis import How, analyze_all  # noqa: PLC0415 - loads torch

    failed, how = {}, How(results, report, force, where=where)
    for source, found in analyze_all([(model.source, model.analysis) for model in models], how):
        if isinstance(found, ModelError | CorpusError | NewerResultsError):
            failed[source.title] = str(found)
        elif isinstance(found, FieldguideError):
            raise found
        else:
            folder, fresh = found
            report.note(f"{source.title}: {'analysed' if fresh else 'up to date'} in {folder}")
    return failed


def _sentences(failed: Mapping[str, str]) -> list[str]:
    """A sentence for each reason, with the names of all models that it keeps from being analysed."""
    return [
        f"{listed([name for name, why in failed.items() if why == reason])}: {reason}"
        for reason in dict.fromkeys(failed.values())
    ]
