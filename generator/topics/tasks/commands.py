"""Commands that fine-tune a model on a task, and take heads away from it.

Imports stand inside the commands, so that `--help` is fast.
"""

import shlex
from pathlib import Path
from typing import Literal

import click

from generator.cli import options
from generator.cli.ending import SHOW, end
from generator.defaults import CORPORA, Device


@click.command()
@options.model
@click.option("--task", required=True, help=options.TASK_HELP)
@click.option("--data", type=options.PATH, required=True, help=options.DATA_HELP)
@click.option(
    "--from",
    "start",
    type=click.Choice(["pretrained", "random"]),
    default="pretrained",
    help="The weights to start from.",
)
@click.option("--frozen", is_flag=True, help="Train the head for the task alone, and leave the encoder as it is.")
@click.option("--seeds", default=2, help="How many runs, each with a seed of its own.")
@options.epochs
@options.batch
@click.option("--rate", type=float, help="Peak learning rate; if not given, 5e-5, or 1e-2 with --frozen.")
@options.examples
@options.trained_in
@options.max_tokens
@options.revision
@options.name
@options.device
@options.out
@options.results
def finetune(
    model: str,
    task: str,
    data: Path,
    start: Literal["pretrained", "random"],
    frozen: bool,
    seeds: int,
    epochs: int,
    batch: int,
    rate: float | None,
    examples: int | None,
    precision: Literal["float32", "bfloat16"],
    max_tokens: int,
    revision: str | None,
    name: str | None,
    device: Device,
    out: Path,
    results: Path,
) -> None:
    """Train a model on a labelled task, once per seed, and store its scores; a run that is there goes on."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.tasks.run.finetune.run import run_finetune  # noqa: PLC0415 - loads torch
    from generator.topics.tasks.run.finetune.settings import make_finetuning  # noqa: PLC0415 - needed here alone

    settings = make_finetuning(
        task=task,
        start=start,
        frozen=frozen,
        seeds=seeds,
        epochs=epochs,
        batch=batch,
        rate=rate,
        examples=examples,
        precision=precision,
        max_tokens=max_tokens,
        device=device,
    )
    choice = ModelChoice(model, revision, name)
    folder = run_finetune(choice, settings, data=data, out=out, results=results, report=TerminalReport())
    then = shlex.join(["fieldguide", "disable", model, *choice.options(), "--task", task, "--data", str(data)])
    end(folder, f"{then}, or {SHOW}")


@click.command()
@options.model
@options.task
@options.data
@options.corpus
@options.out
@options.seed
@options.max_tokens
@options.revision
@options.name
@options.device
@options.results
def disable(
    model: str,
    task: str | None,
    data: Path,
    corpus: tuple[str, ...],
    out: Path,
    seed: int,
    max_tokens: int,
    revision: str | None,
    name: str | None,
    device: Device,
    results: Path,
) -> None:
    """Disable every head and every layer, and store how a task's score or the masked-LM loss changes."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.tasks.run.disable.run import run_disable  # noqa: PLC0415 - loads torch

    corpora = () if task else corpus or CORPORA[:1]
    reading = Reading(corpora, task, data, seed=seed, max_tokens=max_tokens, device=device)
    end(run_disable(ModelChoice(model, revision, name), reading, out, results, TerminalReport()))


@click.command()
@options.model
@click.option("--task", required=True, help=options.TASK_HELP)
@options.data
@click.option("--seeds", default=3, help="How many trainings from one start, and how many starts, of each kind.")
@options.epochs
@options.batch
@click.option("--rate", type=float, help="Peak learning rate; if not given, 5e-5.")
@options.examples
@options.trained_in
@options.max_tokens
@options.revision
@options.name
@options.device
@options.out
@options.results
def optima(
    model: str,
    task: str,
    data: Path,
    seeds: int,
    epochs: int,
    batch: int,
    rate: float | None,
    examples: int | None,
    precision: Literal["float32", "bfloat16"],
    max_tokens: int,
    revision: str | None,
    name: str | None,
    device: Device,
    out: Path,
    results: Path,
) -> None:
    """Fine-tune a model from one start and from several, and store where this ends; trainings that are there go on."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.tasks.run.finetune.settings import make_finetuning  # noqa: PLC0415 - needed here alone
    from generator.topics.tasks.run.optima.run import run_optima  # noqa: PLC0415 - loads torch

    settings = make_finetuning(
        task=task,
        seeds=seeds,
        epochs=epochs,
        batch=batch,
        rate=rate,
        examples=examples,
        precision=precision,
        max_tokens=max_tokens,
        device=device,
    )
    end(run_optima(ModelChoice(model, revision, name), settings, data, out, results, TerminalReport()))


COMMANDS = (finetune, disable, optima)
