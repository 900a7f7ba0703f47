"""`fieldguide why`: why a head has its name."""

from pathlib import Path

import click

from generator.cli import options


@click.command()
@click.argument("model", help="An analysed model.")
@click.argument("head", help="A head by layer and number, such as 3-1.")
@options.config
def why(model: str, head: str, config: Path) -> None:
    """Print the names that a head might have, what is said for and against each, and the rows that were read."""
    from generator.config import read_project  # noqa: PLC0415 - loads pydantic
    from generator.pages.heads.why import why_named  # noqa: PLC0415 - loads pandas

    click.echo(why_named(read_project(config).places, model, head), nl=False)
