"""The commands of long runs: pre-train, fine-tune, disable heads, compare two models.

Imports stand inside the commands, as in `app`.
"""

import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from generator.cli.ending import SHOW, end
from generator.defaults import CORPORA, DEVICE, MAX_TOKENS, RESULTS, SEED, Device
from generator.limits import MIN_TOKENS, MOST_SEED

experiments = typer.Typer()

Model = Annotated[str, typer.Argument(help="A hub id, a local folder, or a name from `fieldguide models`.")]
Revision = Annotated[str | None, typer.Option(help="Branch, tag or commit on the hub.")]
Data = Annotated[Path, typer.Option(help="A folder that holds GLUE's folders, as shipped: RTE, MRPC, ...")]
Out = Annotated[Path, typer.Option(help="Where fine-tuned models are kept.")]
ResultsFolder = Annotated[Path, typer.Option(help="Where to write the results.")]
TaskName = Annotated[str | None, typer.Option(help="rte, mrpc, sst2, stsb, qnli, qqp, mnli or cola.")]
Corpora = Annotated[list[str] | None, typer.Option("--corpus", help="A corpus name or a file; repeat for more.")]
Seed = Annotated[int, typer.Option(help="For sampling, pairing and intervals.", min=0, max=MOST_SEED)]
MaxTokens = Annotated[int, typer.Option(help="Longest input in tokens.", min=MIN_TOKENS)]
Where = Annotated[Device, typer.Option(help="auto takes a GPU where there is one.")]
CHECKPOINTS = Path("build/finetuned")
HISTORIES = Path("build/checkpoints")
DATA = Path("data")


@experiments.command()
def pretrain(
    config: Annotated[Path, typer.Option(help="The settings of the run, such as data/models/small.toml.")],
    data: Annotated[
        list[Path], typer.Option(help="A folder with the texts `train` and `valid`, or one of them; may be repeated.")
    ],
    out: Annotated[Path, typer.Option(help="Where the run is kept; a run that is there goes on.")],
    corpus: Corpora = None,
    analyse: Annotated[bool, typer.Option(help="Analyse every model as it is kept, for `fieldguide curve`.")] = True,
    drop_weights: Annotated[
        bool, typer.Option("--drop-weights", help="Keep only the weights of the first and the last model.")
    ] = False,
    treebank: Annotated[
        Path | None, typer.Option(help="Log which relations of this .conllu file the heads find.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Instead of the one in the settings.", min=0, max=MOST_SEED)] = None,
) -> None:
    """Train a small BERT from nothing and keep its history."""
    from generator.config import Analysis  # noqa: PLC0415 - loads pydantic
    from generator.experiments.curve.runs import run_pretrain  # noqa: PLC0415 - loads torch
    from generator.experiments.pretrain.settings import read_pretraining  # noqa: PLC0415 - needed here alone
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    settings = read_pretraining(config)
    settings = settings if seed is None else replace(settings, seed=seed)
    analysis = Analysis(corpora=tuple(corpus or CORPORA), device=settings.device) if analyse else None
    folder = run_pretrain(settings, data, out, analysis, TerminalReport(), drop_weights=drop_weights, treebank=treebank)
    if os.environ.get("RANK", "0") == "0":  # of several processes only one reports
        end(folder, f"{shlex.join(['fieldguide', 'curve', str(folder)])} stores what its heads learned when.")


@experiments.command()
def wordloss(
    model: Model,
    text: Annotated[Path, typer.Argument(help="A .txt or .jsonl file, or a folder that holds a text `valid`.")],
    revision: Revision = None,
    inputs: Annotated[int, typer.Option(help="How many inputs are read at most.", min=1)] = 1000,
    max_tokens: MaxTokens = MAX_TOKENS,
    device: Where = DEVICE,
    seed: Seed = SEED,
) -> None:
    """Print how well a masked LM predicts hidden words, in nats a word and a character: whatever its vocabulary."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.pretrain.word_loss import run_word_loss  # noqa: PLC0415 - loads torch

    typer.echo(run_word_loss(ModelChoice(model, revision), text, inputs, max_tokens, device, seed))


@experiments.command()
def curve(
    run_or_list: Annotated[
        Path, typer.Argument(help="A folder of `pretrain`, a folder of checkpoints, or a list of them.")
    ],
    name: Annotated[str | None, typer.Option(help="What the last checkpoint's model is called.")] = None,
    corpus: Corpora = None,
    without: Annotated[
        Path | None, typer.Option(help="A run that differs in having no next-sentence prediction, to set beside it.")
    ] = None,
    task: Annotated[str | None, typer.Option(help="Fine-tune checkpoints on this task instead.")] = None,
    data: Data = DATA,
    every: Annotated[int, typer.Option(help="With a task: take every so many checkpoints.", min=1)] = 4,
    seeds: Annotated[int, typer.Option(help="With a task: how many runs.")] = 2,
    rate: Annotated[float | None, typer.Option(help="With a task: peak learning rate.")] = None,
    examples: Annotated[int | None, typer.Option(help="With a task: train on a sample of so many examples.")] = None,
    seed: Seed = SEED,
    max_tokens: MaxTokens = MAX_TOKENS,
    device: Where = DEVICE,
    out: Out = CHECKPOINTS,
    work: Annotated[Path, typer.Option(help="Where the results of a list's checkpoints are kept.")] = HISTORIES,
    results: ResultsFolder = RESULTS,
) -> None:
    """Analyse the checkpoints of one training and store what its heads learned when; what is done is kept."""
    from generator.config import Analysis  # noqa: PLC0415 - loads pydantic
    from generator.experiments.curve.runs import run_curve, run_curve_tuning  # noqa: PLC0415 - loads torch
    from generator.experiments.finetune.settings import make_finetuning  # noqa: PLC0415 - needed here alone
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    if task:
        tuning = make_finetuning(
            task=task, seeds=seeds, rate=rate, examples=examples, max_tokens=max_tokens, device=device
        )
        end(run_curve_tuning(run_or_list, name, tuning, every, data, out, results, TerminalReport()))
        return
    corpora = tuple(corpus or CORPORA)
    analysis = Analysis(corpora=corpora, max_tokens=max_tokens, seed=seed, device=device)
    end(run_curve(run_or_list, name, analysis, work, results, TerminalReport(), without))


@experiments.command()
def finetune(
    model: Model,
    task: Annotated[str, typer.Option(help="rte, mrpc, sst2, stsb, qnli, qqp, mnli or cola.")],
    data: Data,
    start: Annotated[
        Literal["pretrained", "random"], typer.Option("--from", help="The weights to start from.")
    ] = "pretrained",
    frozen: Annotated[bool, typer.Option("--frozen", help="Train the head alone.")] = False,
    seeds: Annotated[int, typer.Option(help="How many runs.")] = 2,
    epochs: Annotated[int, typer.Option(help="How often every example is read.")] = 3,
    batch: Annotated[int, typer.Option(help="Examples a step.")] = 32,
    rate: Annotated[float | None, typer.Option(help="Peak learning rate; 5e-5, or 1e-2 for a head alone.")] = None,
    examples: Annotated[int | None, typer.Option(help="Train on a sample of so many examples.")] = None,
    precision: Annotated[Literal["float32", "bfloat16"], typer.Option(help="Of the training.")] = "float32",
    max_tokens: MaxTokens = MAX_TOKENS,
    revision: Revision = None,
    device: Where = DEVICE,
    out: Out = CHECKPOINTS,
    results: ResultsFolder = RESULTS,
) -> None:
    """Train a model on a labelled task, once per seed, and store its scores; a run that is there goes on."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.finetune.run import run_finetune  # noqa: PLC0415 - loads torch
    from generator.experiments.finetune.settings import make_finetuning  # noqa: PLC0415 - needed here alone
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

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
    folder = run_finetune(ModelChoice(model, revision), settings, data, out, results, TerminalReport())
    then = shlex.join(["fieldguide", "disable", model, "--task", task, "--data", str(data)])
    end(folder, f"{then}, or {SHOW}")


@experiments.command()
def disable(
    model: Model,
    task: TaskName = None,
    data: Data = DATA,
    corpus: Corpora = None,
    out: Out = CHECKPOINTS,
    seed: Seed = SEED,
    max_tokens: MaxTokens = MAX_TOKENS,
    revision: Revision = None,
    device: Where = DEVICE,
    results: ResultsFolder = RESULTS,
) -> None:
    """Disable every head and every layer, and store how a task's score or the masked-LM loss changes."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.disable.run import run_disable  # noqa: PLC0415 - loads torch
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    corpora = () if task else tuple(corpus or CORPORA[:1])
    reading = Reading(corpora, task, data, seed, max_tokens, device)
    end(run_disable(ModelChoice(model, revision), reading, out, results, TerminalReport()))


@experiments.command()
def compare(
    model: Model,
    other: Annotated[str, typer.Argument(help="The second model: an id, a folder or a name.")],
    name: Annotated[str | None, typer.Option(help="What the second model is called.")] = None,
    corpus: Corpora = None,
    task: TaskName = None,
    data: Data = DATA,
    seed: Seed = SEED,
    max_tokens: MaxTokens = MAX_TOKENS,
    revision: Revision = None,
    other_revision: Annotated[str | None, typer.Option(help="The same for the second model.")] = None,
    device: Where = DEVICE,
    results: ResultsFolder = RESULTS,
) -> None:
    """Compare a model with another one on the same text, head by head."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.compare.run import run_compare  # noqa: PLC0415 - loads torch
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    corpora = tuple(corpus or (() if task else CORPORA))
    reading = Reading(corpora, task, data, seed, max_tokens, device)
    models = ModelChoice(model, revision), ModelChoice(other, other_revision)
    end(run_compare(*models, reading, results, TerminalReport(), name))


@experiments.command()
def seeds(
    trainings: Annotated[list[str], typer.Argument(help="Two or more: folders of `pretrain`, other folders, hub ids.")],
    of: Annotated[
        str | None, typer.Option(help="The model whose pages show the result; if not given, the first training.")
    ] = None,
    corpus: Corpora = None,
    seed: Seed = SEED,
    max_tokens: MaxTokens = MAX_TOKENS,
    revision: Annotated[str | None, typer.Option(help="Branch, tag or commit of the model that --of names.")] = None,
    device: Where = DEVICE,
    results: ResultsFolder = RESULTS,
) -> None:
    """Compare trainings of one recipe: which heads come back, and which are chance."""
    from generator.config import ModelChoice  # noqa: PLC0415 - loads pydantic
    from generator.experiments.reading import Reading  # noqa: PLC0415 - loads torch
    from generator.experiments.seeds.run import run_seeds  # noqa: PLC0415 - loads torch
    from generator.terminal import TerminalReport  # noqa: PLC0415 - loads rich

    if revision and not of:
        raise typer.BadParameter("--revision is that of the model that --of names; give --of, too.")
    reading = Reading(tuple(corpus or CORPORA), None, DATA, seed, max_tokens, device)
    end(run_seeds(trainings, ModelChoice(of, revision) if of else None, reading, results, TerminalReport()))
