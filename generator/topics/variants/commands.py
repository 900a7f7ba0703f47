"""The command that compares trainings of several objectives.

Imports stand inside the command, so that `--help` is fast.
"""

from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end
from generator.defaults import SEED, Device

BANK = "treebank"


@click.command()
@click.argument(
    "runs", nargs=-1, required=True, help="Two or more run folders of `pretrain`; the first is the reference."
)
@click.option(
    "--text", type=options.PATH, help="A folder that holds a text `valid` that no run has read; not with --task."
)
@click.option("--of", help="The model whose pages show the result; if not given, the first training.")
@options.corpus
@click.option("--inputs", type=options.AT_LEAST_ONE, default=1000, help="How many inputs are read at most.")
@click.option("--task", help="Fine-tune the runs on this task instead of reading text.")
@options.data
@options.seeds_of_task
@options.rate_of_task
@options.examples_of_task
@options.seed
@options.max_tokens
@click.option("--revision", help="Branch, tag or commit of the model that --of names.")
@click.option("--name", help="What the model that --of names is called, if not by its id.")
@options.device
@options.out
@options.results
def variants(
    runs: tuple[str, ...],
    text: Path | None,
    of: str | None,
    corpus: tuple[str, ...],
    inputs: int,
    task: str | None,
    data: Path,
    seeds: int,
    rate: float | None,
    examples: int | None,
    seed: int,
    max_tokens: int,
    revision: str | None,
    name: str | None,
    device: Device,
    out: Path,
    results: Path,
) -> None:
    """Compare trainings of several objectives on the same held-out text, or fine-tuned on the same task."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.tasks.run.finetune.settings import make_finetuning  # noqa: PLC0415 - needed here alone
    from generator.topics.variants.run.run import run_variants  # noqa: PLC0415 - loads torch
    from generator.topics.variants.run.tuned import run_variants_tuning  # noqa: PLC0415 - loads torch

    if (revision or name) and not of:
        option = "--revision" if revision else "--name"
        raise click.BadParameter(f"{option} is about the model that --of names; give --of, too.")
    choice = ModelChoice(of, revision, name) if of else None
    if task:
        if text or corpus or seed != SEED:
            raise click.BadParameter(
                "--task fine-tunes with seeds 0, 1, ... and reads no text; leave out --text, --corpus and --seed."
            )
        tuning = make_finetuning(
            task=task, seeds=seeds, rate=rate, examples=examples, max_tokens=max_tokens, device=device
        )
        end(run_variants_tuning(runs, choice, tuning, data, out, results, TerminalReport()))
        return
    if text is None:
        raise click.BadParameter("Without --task, held-out text is read; give its folder with --text.")
    reading = Reading(corpus or (BANK,), None, options.DATA, seed=seed, max_tokens=max_tokens, device=device)
    end(run_variants(runs, choice, text, inputs, reading, results, TerminalReport()))


COMMANDS = (variants,)
