"""Commands that set something beside a model: itself with heads disabled, another model, other trainings of its recipe.

Imports stand inside the commands, as in `app`.
"""

from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end
from generator.defaults import CORPORA, Device


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
    reading = Reading(corpora, task, data, seed, max_tokens, device)
    end(run_disable(ModelChoice(model, revision, name), reading, out, results, TerminalReport()))


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
    reading = Reading(corpora, task, data, seed, max_tokens, device)
    models = ModelChoice(model, revision, model_name), ModelChoice(other, other_revision, name)
    end(run_compare(*models, reading, results, TerminalReport()))


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
    reading = Reading(corpus or CORPORA, None, options.DATA, seed, max_tokens, device)
    end(run_seeds(trainings, ModelChoice(of, revision, name) if of else None, reading, results, TerminalReport()))
