"""The command that compares trainings of several objectives.

Imports stand inside the command, so that `--help` is fast.
"""

from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end
from generator.defaults import Device

BANK = "treebank"


@click.command()
@click.argument(
    "runs", nargs=-1, required=True, help="Two or more run folders of `pretrain`; the first is the reference."
)
@click.option(
    "--text", type=options.PATH, required=True, help="A folder that holds a text `valid` that no run has read."
)
@click.option("--of", help="The model whose pages show the result; if not given, the first training.")
@options.corpus
@click.option("--inputs", type=options.AT_LEAST_ONE, default=1000, help="How many inputs are read at most.")
@options.seed
@options.max_tokens
@click.option("--revision", help="Branch, tag or commit of the model that --of names.")
@click.option("--name", help="What the model that --of names is called, if not by its id.")
@options.device
@options.results
def variants(
    runs: tuple[str, ...],
    text: Path,
    of: str | None,
    corpus: tuple[str, ...],
    inputs: int,
    seed: int,
    max_tokens: int,
    revision: str | None,
    name: str | None,
    device: Device,
    results: Path,
) -> None:
    """Compare trainings of several objectives on the same held-out text."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.variants.run.run import run_variants  # noqa: PLC0415 - loads torch

    if (revision or name) and not of:
        option = "--revision" if revision else "--name"
        raise click.BadParameter(f"{option} is about the model that --of names; give --of, too.")
    reading = Reading(corpus or (BANK,), None, options.DATA, seed=seed, max_tokens=max_tokens, device=device)
    choice = ModelChoice(of, revision, name) if of else None
    end(run_variants(runs, choice, text, inputs, reading, results, TerminalReport()))


COMMANDS = (variants,)
