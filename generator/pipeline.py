"""Analyse, render, publish: the one file that knows all stages, and nothing imports it but the command line."""

from pathlib import Path

from generator.analysis import CODE, analyze
from generator.config import Project
from generator.errors import ModelError, NewerResultsError, SettingsError, SiteError
from generator.experiments.record import older as experiments_older
from generator.home import TEMPLATES
from generator.models.encoder import slug
from generator.models.source import locate
from generator.progress import Report
from generator.site.build import build_site
from generator.survey.code import PACKAGE


def build(project: Project, report: Report, *, force: bool = False) -> tuple[Path, bool]:
    """Analyse what is missing or stale, then build the site; returns its folder and whether anything was built.

    A model that cannot be analysed does not keep the others from being published. Raises FieldguideError, for such a
    model when all else is built.
    """
    config = project.root / "mkdocs.yml"
    if not config.is_file():
        raise SiteError(f"Expected mkdocs.yml in {project.root}, found none; run this in the project's folder.")
    failed = _analyse(project, report, force=force)
    older = experiments_older(project.places, CODE)
    if older:
        report.note(
            f"Made by earlier code: {', '.join(older)}. They are shown as they are; the command that makes one again "
            "stands in its manifest."
        )
    sources = [project.root / project.file, *project.places, TEMPLATES, project.root / "docs", PACKAGE]
    for problem in failed:
        report.warn(problem)
    site, built = build_site(config, sources, report, settings=project.file, force=force)
    if failed:
        listed = "; ".join(problem.rstrip(".") for problem in failed)
        raise ModelError(
            f"Expected to analyse every model, found {len(failed)} that cannot be: {listed}. All else is built."
        )
    return site, built


def _analyse(project: Project, report: Report, *, force: bool) -> list[str]:
    """Every model of the settings; gives a sentence for each that cannot be analysed."""
    found, failed = [], []
    for choice in project.models:
        try:
            found.append(locate(choice.id, choice.revision))
        except ModelError as error:
            failed.append(f"{choice.id}: {error}")
    slugs = [slug(source.id) for source in found]
    twice = next((name for name in slugs if slugs.count(name) > 1), None)
    if twice:
        raise SettingsError(f"Expected models of different names, found {twice!r} twice; rename a folder.")
    for source in found:
        try:
            folder, fresh = analyze(source, project.analysis, project.results, report, force=force)
        except (ModelError, NewerResultsError) as error:
            failed.append(f"{source.id}: {error}")
        else:
            report.note(f"{source.id}: {'analysed' if fresh else 'up to date'} in {folder}")
    return failed
