"""Commands that train from nothing, and show what a training taught.

Imports stand inside the commands, so that `--help` is fast.
"""

import os
import shlex
from dataclasses import replace
from pathlib import Path

import click

from generator.cli import options
from generator.cli.ending import end
from generator.defaults import CORPORA, SEED, Device


@click.command()
@click.option(
    "--config", type=options.PATH, required=True, help="The settings of the run, such as data/models/small.toml."
)
@click.option(
    "--texts",
    type=options.PATH,
    multiple=True,
    required=True,
    help="A folder with the texts `train` and `valid`, or one of them; may be repeated.",
)
@click.option("--out", type=options.PATH, required=True, help="Where the run is kept; a run that is there goes on.")
@options.corpus
@click.option("--analyse/--no-analyse", default=True, help="Analyse every model as it is kept, for `fieldguide curve`.")
@click.option("--drop-weights", is_flag=True, help="Keep only the weights of the first and the last model.")
@click.option("--treebank", type=options.PATH, help="Log which relations of this .conllu file the heads find.")
@click.option("--seed", type=options.SEEDS, help="The seed, instead of the one in the settings.")
@click.option(
    "--set", "changes", multiple=True, help="KEY=VALUE, as TOML, instead of what the settings say; repeat for more."
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0),
    help="Stop after the step at which so many are over; the same command goes on. 0 only prepares the text.",
)
def pretrain(
    config: Path,
    texts: tuple[Path, ...],
    out: Path,
    corpus: tuple[str, ...],
    analyse: bool,
    drop_weights: bool,
    treebank: Path | None,
    seed: int | None,
    changes: tuple[str, ...],
    minutes: float | None,
) -> None:
    """Train a small BERT from nothing and keep its history."""
    from generator.config import Analysis  # noqa: PLC0415 - loads pydantic
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.learning.run.curve.runs import run_pretrain  # noqa: PLC0415 - loads torch
    from generator.topics.learning.run.pretrain.settings import read_pretraining  # noqa: PLC0415 - needed here alone

    settings = read_pretraining(config, changes)
    settings = settings if seed is None else replace(settings, seed=seed)
    analysis = Analysis(corpora=corpus or CORPORA, device=settings.device) if analyse else None
    folder = run_pretrain(
        *(settings, texts, out, analysis, TerminalReport()),
        drop_weights=drop_weights,
        treebank=treebank,
        minutes=minutes,
    )
    if folder and os.environ.get("RANK", "0") == "0":  # of several processes only one reports
        end(folder, f"{shlex.join(['fieldguide', 'curve', str(folder)])} stores what its heads learned when.")


@click.command()
@options.model
@click.argument("text", type=options.PATH, help="A .txt or .jsonl file, or a folder that holds a text `valid`.")
@options.revision
@click.option("--inputs", type=options.AT_LEAST_ONE, default=1000, help="How many inputs are read at most.")
@options.max_tokens
@options.device
@options.seed
def wordloss(
    model: str, text: Path, revision: str | None, inputs: int, max_tokens: int, device: Device, seed: int
) -> None:
    """Print how well a masked LM predicts hidden words, in nats a word and a character, which suit any vocabulary."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.topics.learning.run.pretrain.word_loss import run_word_loss  # noqa: PLC0415 - loads torch

    click.echo(
        run_word_loss(ModelChoice(model, revision), text, most=inputs, max_tokens=max_tokens, device=device, seed=seed)
    )


@click.command()
@click.argument(
    "run_or_list", type=options.PATH, help="A folder of `pretrain`, a folder of checkpoints, or a list of them."
)
@click.option("--name", help="What the last checkpoint's model is called.")
@options.corpus
@click.option(
    "--without", type=options.PATH, help="To compare: a run that differs only in having no next-sentence prediction."
)
@click.option("--task", help="Fine-tune checkpoints on this task instead of analysing them.")
@options.data
@click.option("--every", type=options.AT_LEAST_ONE, default=4, help="With --task: take one checkpoint in so many.")
@options.seeds_of_task
@options.rate_of_task
@options.examples_of_task
@options.seed
@options.max_tokens
@options.device
@options.out
@click.option(
    "--work",
    type=options.PATH,
    default=Path("build/checkpoints"),
    help="Where the results of a list's checkpoints are kept.",
)
@options.results
def curve(
    run_or_list: Path,
    name: str | None,
    corpus: tuple[str, ...],
    without: Path | None,
    task: str | None,
    data: Path,
    every: int,
    seeds: int,
    rate: float | None,
    examples: int | None,
    seed: int,
    max_tokens: int,
    device: Device,
    out: Path,
    work: Path,
    results: Path,
) -> None:
    """Analyse the checkpoints of one training that are not analysed yet, and store what its heads learned when."""
    from generator.config import Analysis  # noqa: PLC0415 - loads pydantic
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich
    from generator.topics.learning.run.curve.runs import run_curve, run_curve_tuning  # noqa: PLC0415 - loads torch
    from generator.topics.tasks.run.finetune.settings import make_finetuning  # noqa: PLC0415 - needed here alone

    if task:
        if corpus or without or seed != SEED:
            raise click.BadParameter(
                "--task fine-tunes with seeds 0, 1, ... and reads no text; leave out --corpus, --without and --seed."
            )
        tuning = make_finetuning(
            task=task, seeds=seeds, rate=rate, examples=examples, max_tokens=max_tokens, device=device
        )
        end(
            run_curve_tuning(
                run_or_list, name, tuning, every=every, data=data, out=out, results=results, report=TerminalReport()
            )
        )
        return
    analysis = Analysis(corpora=corpus or CORPORA, max_tokens=max_tokens, seed=seed, device=device)
    end(run_curve(run_or_list, name, analysis, work=work, results=results, report=TerminalReport(), without=without))


COMMANDS = (pretrain, wordloss, curve)
