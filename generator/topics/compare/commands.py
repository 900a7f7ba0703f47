"""The command that compares a model with another one.

Imports stand inside the commands, so that `--help` is fast.
"""

from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end
from generator.defaults import CORPORA, Device


@click.command()
@options.model
@click.argument("other", help="The second model: an id, a folder or a name.")
@click.option("--name", help="What the second model is called, if not by its id.")
@click.option("--model-name", help="What the first model is called, if not by its id.")
@options.corpus
@options.task
@options.data
@options.seed
@options.max_tokens
@options.revision
@click.option("--other-revision", help="Branch, tag or commit of the second model on the hub.")
@options.device
@options.results
def compare(
    model: str,
    other: str,
    name: str | None,
    model_name: str | None,
    corpus: tuple[str, ...],
    task: str | None,
    data: Path,
    seed: int,
    max_tokens: int,
    revision: str | None,
    other_revision: str | None,
    device: Device,
    results: Path,
) -> None:
    """Compare a model with another one on the same text, head by head."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.compare.run.run import run_compare  # noqa: PLC0415 - loads torch

    corpora = corpus or (() if task else CORPORA)
    reading = Reading(corpora, task, data, seed=seed, max_tokens=max_tokens, device=device)
    models = ModelChoice(model, revision, model_name), ModelChoice(other, other_revision, name)
    end(run_compare(*models, reading, results, TerminalReport()))


COMMANDS = (compare,)
