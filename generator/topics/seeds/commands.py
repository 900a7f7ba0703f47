"""The command that compares trainings of one recipe.

Imports stand inside the commands, so that `--help` is fast.
"""

from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end
from generator.defaults import CORPORA, Device


@click.command()
@click.argument(
    "trainings", nargs=-1, required=True, help="Two or more: run folders of `pretrain`, folders of models, hub ids."
)
@click.option("--of", help="The model whose pages show the result; if not given, the first training.")
@options.corpus
@options.seed
@options.max_tokens
@click.option("--revision", help="Branch, tag or commit of the model that --of names.")
@click.option("--name", help="What the model that --of names is called, if not by its id.")
@options.device
@options.results
def seeds(
    trainings: tuple[str, ...],
    of: str | None,
    corpus: tuple[str, ...],
    seed: int,
    max_tokens: int,
    revision: str | None,
    name: str | None,
    device: Device,
    results: Path,
) -> None:
    """Compare trainings of one recipe: which heads come back, and which are chance."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.seeds.run.run import run_seeds  # noqa: PLC0415 - loads torch

    if (revision or name) and not of:
        option = "--revision" if revision else "--name"
        raise click.BadParameter(f"{option} is about the model that --of names; give --of, too.")
    reading = Reading(corpus or CORPORA, None, options.DATA, seed=seed, max_tokens=max_tokens, device=device)
    end(run_seeds(trainings, ModelChoice(of, revision, name) if of else None, reading, results, TerminalReport()))


COMMANDS = (seeds,)
