"""The command that trains heads for spans.

Imports stand inside the command, so that `--help` is fast.
"""

from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import SHOW, end
from generator.defaults import Device


@click.command()
@options.model
@click.option("--train", required=True, help="A file of GAP, or other text with linked mentions, to train on.")
@click.option("--corpus", required=True, help="The same kind of text, to judge on.")
@click.option("--seeds", default=3, help="How many runs, each with a seed of its own.")
@click.option("--epochs", default=2, help="How often every example is read.")
@click.option("--batch", default=16, help="Examples a step.")
@click.option("--rate", default=1e-4, help="Peak learning rate.")
@click.option("--max-tokens", default=256, help="Longest input in tokens.")
@options.revision
@options.name
@options.device
@options.out
@options.results
def spans(
    model: str,
    train: str,
    corpus: str,
    seeds: int,
    epochs: int,
    batch: int,
    rate: float,
    max_tokens: int,
    revision: str | None,
    name: str | None,
    device: Device,
    out: Path,
    results: Path,
) -> None:
    """Train a head that marks whom a pronoun means, and store how often its end comes before its start."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.mentions.run.spans.run import run_spans  # noqa: PLC0415 - loads torch
    from generator.topics.tasks.run.finetune.settings import make_finetuning  # noqa: PLC0415 - needed here alone

    settings = make_finetuning(
        task="spans",
        seeds=seeds,
        epochs=epochs,
        batch=batch,
        rate=rate,
        max_tokens=max_tokens,
        device=device,
    )
    choice = ModelChoice(model, revision, name)
    end(run_spans(choice, settings, (train, corpus), out, results, TerminalReport()), SHOW)


COMMANDS = (spans,)
