"""The command `optima`: trains on a task from one start and from several, and stores where they end."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from generator.config import ModelChoice
from generator.corpora.tasks import LabelledTexts, Task, find_task, read_task
from generator.errors import CorpusError, SettingsError
from generator.experiments.record import of_task, store
from generator.lock import alone
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import locate
from generator.numbers.number import Number
from generator.progress import Report
from generator.results.writing import check_free, prepare
from generator.studies.fact_rows import facts
from generator.studies.halves import reported
from generator.topics.tasks.records.optima import OPTIMA
from generator.topics.tasks.run.finetune.data import tokenize
from generator.topics.tasks.run.finetune.leads import constant_answer
from generator.topics.tasks.run.finetune.settings import Finetuning
from generator.topics.tasks.run.optima.estimates import Split, of_answers, of_split
from generator.topics.tasks.run.optima.read import read_all
from generator.topics.tasks.run.optima.trainings import Examples, folder_of, train

SPLITS = ("train", "dev")
MOST = 1000
"""Examples at most of those that were trained on whose loss is read."""
SEED = 0
"""For intervals, halves, and which examples are read."""


def run_optima(choice: ModelChoice, settings: Finetuning, data: Path, out: Path, results: Path, report: Report) -> Path:
    """Train what is not trained, read all lines, and store what was found. Raises FieldguideError."""
    prepare(results)
    task = find_task(settings.task)
    _check(settings, task)
    source = locate(choice.id, choice.revision, choice.name or "")
    experiment = f"{OPTIMA.name}.{task.name}"
    check_free(results, source.title, source.sha256, experiment)
    device = choose_device(settings.device)
    texts = Examples(data, read_task(task, data, "train", settings.examples), read_task(task, data, "dev"))
    encoder = load(source, device)
    read = (_sample(texts.train), texts.dev)
    halves = [_halves(each) for each in read]
    with alone(results / f"{slug(source.title)}@{experiment}", report.note, beside=True):
        places = train(source, encoder, settings, texts, out, report)
        inputs = [tokenize(each, encoder, settings.max_tokens) for each in read]
        found = read_all(places, folder_of(source, task, out), inputs, device, report)
        numbers: dict[str, Number] = {}
        for at, name in enumerate(SPLITS):
            split = Split(name, halves[at], *found.losses[at], _constant(texts.train)[inputs[at].labels])
            numbers |= of_split(split, list(places), SEED)
        answers = found.said, inputs[-1].labels, constant_answer(texts.dev)
        numbers |= of_answers(*answers, list(places), len(task.labels), SEED)
        return store(
            *(results, source, encoder, experiment),
            read=[of_task(texts.dev)],
            settings=_said(settings) | {"read": len(read[0].examples)},
            command=_command(choice, settings),
            tables={"facts": [facts(numbers, OPTIMA, source.title, task.name)]},
        )


def _said(settings: Finetuning) -> dict[str, Any]:
    """What the manifest says of the trainings."""
    said = settings.identity | {"seeds": settings.seeds}
    return {name: value for name, value in said.items() if name not in ("start", "frozen")}


def _check(settings: Finetuning, task: Task) -> None:
    """Raises SettingsError for a task without labels to agree on, and for fewer than two trainings of a kind."""
    if not task.labels:
        raise SettingsError(f"Expected a task whose answers are labels, found --task {task.name}; give another.")
    if settings.seeds < 2:
        raise SettingsError(f"Expected two --seeds or more, found {settings.seeds}: one training has none beside it.")


def _sample(texts: LabelledTexts) -> LabelledTexts:
    """At most MOST of the examples, in their order."""
    count = len(texts.examples)
    if count <= MOST:
        return texts
    chosen = sorted(np.random.default_rng(SEED).choice(count, MOST, replace=False))
    return replace(texts, examples=tuple(texts.examples[at] for at in chosen))


def _constant(texts: LabelledTexts) -> np.ndarray:
    """`[label]`: loss of answering as often as these examples have each label, one added to each count."""
    counts = 1 + np.bincount([int(example.label) for example in texts.examples], minlength=len(texts.task.labels))
    loss: np.ndarray = -np.log(counts / counts.sum())
    return loss


def _halves(texts: LabelledTexts) -> np.ndarray:
    """`[example]`: whether barriers are reported on it. Raises CorpusError for few examples."""
    halves = reported([example.id for example in texts.examples], SEED)
    if min(halves.sum(), (~halves).sum()) < 2:
        raise CorpusError(
            f"Expected two examples of {texts.task.name} or more on which the point of a barrier is chosen, and as "
            f"many on which it is reported, found {len(halves)} in all; give more."
        )
    return halves


def _command(choice: ModelChoice, settings: Finetuning) -> str:
    words = ["fieldguide", "optima", choice.id, "--task", settings.task, "--data", "DIR"]
    usual = Finetuning(task=settings.task).identity
    for name in ("epochs", "batch", "rate", "examples", "max_tokens"):
        words += [f"--{name.replace('_', '-')}", str(settings.identity[name])] * (
            settings.identity[name] != usual[name]
        )
    return shlex.join([*words, *choice.options(), "--seeds", str(settings.seeds), "--precision", settings.precision])
