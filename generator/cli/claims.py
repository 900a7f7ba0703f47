"""`fieldguide claims`: the verdicts of stored models, and how one of them came about."""

from pathlib import Path
from typing import Literal, get_args

import click

from generator.cli import options

Format = Literal["table", "json", "markdown"]


@click.group(invoke_without_command=True)
@click.option("--model", multiple=True, help="An analysed model; repeat for more, all by default.")
@click.option(
    "--format", "form", type=click.Choice(get_args(Format)), default="table", help="How to print the verdicts."
)
@options.config
@click.pass_context
def claims(context: click.Context, model: tuple[str, ...], form: Format, config: Path) -> None:
    """Judge every published claim by the stored results."""
    if context.invoked_subcommand:
        return
    from generator.claims.report import report  # noqa: PLC0415 - loads pandas
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic

    click.echo(report(read_project(config).places, model, form))


@claims.command()
@click.argument("claim", help="A claim by its id, such as C14.")
@click.option("--model", required=True, help="An analysed model.")
@click.option("--csv", type=options.PATH, help="Also write every row that the claim reads to this file.")
@options.config
def explain(claim: str, model: str, csv: Path | None, config: Path) -> None:
    """Print the rows, halves, resampling, bounds and verdict of one claim for one model."""
    from generator.claims.report import explained  # noqa: PLC0415 - loads pandas
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic

    click.echo(explained(read_project(config).places, model, claim, csv), nl=False)
