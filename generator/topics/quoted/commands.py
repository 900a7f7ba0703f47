"""The command that lets a model read the example sentences of the sources.

Imports stand inside the command, so that `--help` is fast.
"""

from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end
from generator.defaults import Device

BANK = "ud-english-ewt-test"
"""Hardly a sentence of the treebank that comes with the program is as short as an example."""


@click.command()
@options.model
@options.corpus
@options.seed
@options.max_tokens
@options.revision
@options.name
@options.device
@options.results
def quoted(
    model: str,
    corpus: tuple[str, ...],
    seed: int,
    max_tokens: int,
    revision: str | None,
    name: str | None,
    device: Device,
    results: Path,
) -> None:
    """Read the example sentences of the sources, beside sentences of a treebank that have as many words."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.quoted.run.run import run_quoted  # noqa: PLC0415 - loads torch

    reading = Reading(corpus or (BANK,), None, options.DATA, seed=seed, max_tokens=max_tokens, device=device)
    end(run_quoted(ModelChoice(model, revision, name), reading, results, TerminalReport()))


COMMANDS = (quoted,)
