"""The last lines of a long command: where the result is, on stdout, and what to do next, on stderr."""

from pathlib import Path

import click

SHOW = "fieldguide build makes pages of all results in build/results and data/results."


def end(result: Path, then: str = SHOW) -> None:
    """Say where the result is and what comes next."""
    click.echo(result)
    click.echo(f"Next: {then}", err=True)
