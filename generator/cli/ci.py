"""`fieldguide ci`: the steps of an unattended rebuild; each is a command that can also be run by hand."""

from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end, say
from generator.cli.group import Ordered
from generator.defaults import Executor
from generator.errors import ModelError, SiteError, joined


@click.group(cls=Ordered)
def ci() -> None:
    """The steps of a rebuild: plan, analyse, summarise, publish; and what is new on the hub."""


@ci.command()
@options.config
def plan(config: Path) -> None:
    """Print which models have to be analysed and why, as the JSON of a workflow's matrix."""
    from generator.ci import plan as planning  # noqa: PLC0415 - loads torch
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.project.settle import settle  # noqa: PLC0415 - loads pandas

    project = read_project(config)
    settle(project)
    jobs, failed = planning.plan(project)
    click.echo(planning.matrix(jobs))
    if failed:
        raise ModelError(f"Expected to plan every model, found {joined(failed)} All else is planned.")


@ci.command()
@options.config
def revisions(config: Path) -> None:
    """Print a line for each model that is listed with a commit and has a newer one on the hub."""
    from generator.ci.revisions import moved  # noqa: PLC0415 - loads pandas
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic

    for line in moved(read_project(config)):
        say(f"- {line}")


@ci.command()
@click.argument("model", help="The name of a model in the settings file.")
@options.config
@options.executor
@options.workers
def analyze(model: str, config: Path, executor: Executor, workers: int | None) -> None:
    """Analyse one listed model as the settings ask for, and print the folder of its results."""
    from generator import analysis  # noqa: PLC0415 - loads torch
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.project.models import one  # noqa: PLC0415 - loads pydantic
    from generator.project.settle import settle  # noqa: PLC0415 - loads pandas
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    project = read_project(config)
    settle(project)
    listed = one(project, model)
    on, report = options.where(executor, workers), TerminalReport()
    folder, _ = analysis.analyze(listed.source, listed.analysis, project.results, report, force=False, where=on)
    end(folder, "fieldguide ci publish builds the site once every listed model is analysed.")


@ci.command()
@click.option(
    "--before",
    type=options.PATH,
    help="A folder with the last build's results, or with its build/changes.json, to tell what changed.",
)
@options.config
def summarize(before: Path | None, config: Path) -> None:
    """Print in Markdown what came of a rebuild: verdicts, what changed, the nearest model of each, the site's size."""
    from generator.ci.summary import known, published, summary  # noqa: PLC0415 - loads pandas
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.pages.changes.known import changes  # noqa: PLC0415 - loads pandas
    from generator.results.shown import shown  # noqa: PLC0415 - loads pandas
    from generator.site.stamp import load  # noqa: PLC0415 - needed here and in publish

    project = read_project(config)
    after = known(shown(project))
    also = [place for place in project.places if place != project.results]
    changed = changes(published(before, also), after) if before else None
    click.echo(summary(after, changed, load(project.root)), nl=False)


@ci.command()
@click.argument("folder", type=options.PATH, help="A checkout of the branch of results.")
@options.config
def keep(folder: Path, config: Path) -> None:
    """Write the results of all listed models, and what is known of others, into a checkout of the branch of results."""
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.project import settle  # noqa: PLC0415 - loads pandas

    settle.keep(read_project(config), folder)
    say(f"{folder} holds the results of this guide; commit what git finds changed there.")


@ci.command()
@options.config
def publish(config: Path) -> None:
    """Build the site from stored results. If those of a listed model are missing or stale, all else is built first."""
    from generator import pipeline  # noqa: PLC0415 - loads mkdocs
    from generator.ci import plan as planning  # noqa: PLC0415 - loads torch
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.project.settle import settle  # noqa: PLC0415 - loads pandas
    from generator.site.stamp import load  # noqa: PLC0415 - needed here and in summarize
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    project, report = read_project(config), TerminalReport()
    settle(project)
    if problems := planning.problems(project):
        listed = "; ".join(problem.rstrip(".") for problem in problems)
        missing = (
            f"Expected results of every listed model, found: {listed}. Analyse each with: fieldguide ci analyze MODEL"
        )
        if not planning.shown(project):
            raise SiteError(f"{missing}. Nothing is built.")
        pipeline.show(project, problems, report)
        raise SiteError(f"{missing}. All else is built; results that are stale are shown as they are.")
    site, _ = pipeline.build(project, report)
    built = load(project.root)
    click.echo(f"{site}: {built.size}" if built else site)
