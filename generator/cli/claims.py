"""`fieldguide claims`: the verdicts of stored models, and how one of them came about."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from generator.defaults import FILE

claims = typer.Typer(
    name="claims", help="Judge every published claim by the stored results.", invoke_without_command=True
)

Format = Literal["table", "json", "markdown"]
Config = Annotated[Path, typer.Option("--config", help="The settings file.")]


@claims.callback()
def verdicts(
    context: typer.Context,
    model: Annotated[list[str] | None, typer.Option(help="An analysed model; repeat for more, all by default.")] = None,
    form: Annotated[Format, typer.Option("--format", help="How to print the verdicts.")] = "table",
    config: Config = Path(FILE),
) -> None:
    """Judge every published claim by the stored results."""
    if context.invoked_subcommand:
        return
    from generator.claims.report import report  # noqa: PLC0415 - loads scipy
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic

    typer.echo(report(read_project(config).places, model or (), form))


@claims.command()
def explain(
    claim: Annotated[str, typer.Argument(help="A claim by its id, such as C14.")],
    model: Annotated[str, typer.Option(help="An analysed model.")],
    csv: Annotated[Path | None, typer.Option(help="Also write every row that the claim reads to this file.")] = None,
    config: Config = Path(FILE),
) -> None:
    """Print the rows, halves, resampling, bounds and verdict of one claim for one model."""
    from generator.claims.report import explained  # noqa: PLC0415 - loads scipy
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic

    typer.echo(explained(read_project(config).places, model, claim, csv), nl=False)
