"""The last lines of a long command: where the result is, on stdout, and what to do next, on stderr."""

from pathlib import Path

import click

from generator.visible import visible

SHOW = "fieldguide build shows it if fieldguide.toml lists the model, or names this folder in `also`."


def end(result: Path | str, then: str = SHOW) -> None:
    """Say where the result is and what comes next."""
    click.echo(result)
    next_step(then)


def say(sentence: str) -> None:
    """Print a sentence in which no name steers a terminal."""
    click.echo(visible(sentence))


def next_step(then: str) -> None:
    """Say what comes next."""
    click.echo(f"Next: {then}", err=True)
