"""`fieldguide ci`: the steps of an unattended rebuild; each is a command that can also be run by hand."""

from pathlib import Path
from typing import Annotated

import typer

from generator.cli.where import ExecutorOption, WorkersOption, where
from generator.defaults import EXECUTOR, FILE
from generator.errors import SiteError

ci = typer.Typer(
    name="ci",
    help="The steps of a rebuild: plan, analyse, summarise, publish; and what is new on the hub.",
    no_args_is_help=True,
)
Config = Annotated[Path, typer.Option("--config", help="The settings file.")]


@ci.command()
def plan(config: Config = Path(FILE)) -> None:
    """Print which models have to be analysed and why, as the JSON of a workflow's matrix."""
    from generator.ci.plan import matrix  # noqa: PLC0415 - loads torch
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic

    typer.echo(matrix(read_project(config)))


@ci.command()
def revisions(config: Config = Path(FILE)) -> None:
    """Print a line for each model that is listed with a commit and has a newer one on the hub."""
    from generator.ci.revisions import moved  # noqa: PLC0415 - loads torch
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic

    for line in moved(read_project(config)):
        typer.echo(f"- {line}")


@ci.command()
def analyze(
    model: Annotated[str, typer.Argument(help="A model of the settings file, by what it is called.")],
    config: Config = Path(FILE),
    executor: ExecutorOption = EXECUTOR,
    workers: WorkersOption = None,
) -> None:
    """Analyse one listed model as the settings ask for, and print the folder of its results."""
    from generator import analysis  # noqa: PLC0415 - loads torch
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.project.models import one  # noqa: PLC0415 - loads a part of transformers
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    project = read_project(config)
    listed = one(project, model)
    on, report = where(executor, workers), TerminalReport()
    folder, _ = analysis.analyze(listed.source, listed.analysis, project.results, report, force=False, where=on)
    typer.echo(folder)


@ci.command()
def summarize(
    before: Annotated[Path | None, typer.Option(help="Results of the last build, to tell what changed.")] = None,
    config: Config = Path(FILE),
) -> None:
    """Print in Markdown what came of a rebuild: verdicts, what changed, the nearest model of each."""
    from generator.ci.summary import known, summary  # noqa: PLC0415 - loads scipy
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.pages.changes.known import changes  # noqa: PLC0415 - loads scipy

    project = read_project(config)
    after = known(project.places, project.hidden)
    also = [place for place in project.places if place != project.results]
    changed = changes(known([before, *also]), after) if before else None
    typer.echo(summary(after, changed), nl=False)


@ci.command()
def publish(config: Config = Path(FILE)) -> None:
    """Build the site from stored results; refuses if results of a listed model are missing or stale."""
    from generator import pipeline  # noqa: PLC0415 - loads torch
    from generator.ci.plan import plan as jobs  # noqa: PLC0415 - loads torch
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    project = read_project(config)
    if due := jobs(project):
        listed = "; ".join(f"{job.model} ({job.why})" for job in due)
        raise SiteError(
            f"Expected results of every listed model, found some to be computed: {listed}. Analyse each with: "
            "fieldguide ci analyze MODEL"
        )
    site, _ = pipeline.build(project, TerminalReport())
    files = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    typer.echo(f"{site}: {len(files):,} files, {sum(files) / 1e6:.1f} MB")
