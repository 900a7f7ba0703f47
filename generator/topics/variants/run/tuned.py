"""The command `variants --task`: fine-tunes trainings of several objectives on a task, and stores what they score."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from generator.config import ModelChoice
from generator.corpora.tasks import LabelledTexts, find_task, read_task
from generator.experiments.record import of_task, store
from generator.lock import alone
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import locate
from generator.numbers.number import Number
from generator.numbers.resampling import Resampled, of_joined, sample_counts, unit_weights, with_all
from generator.progress import PART, Report, in_parts
from generator.results.writing import check_free, prepare
from generator.studies.fact_rows import facts
from generator.topics.seeds.run.trainings import check_shape
from generator.topics.tasks.run.disable.scores import resampled
from generator.topics.tasks.run.finetune.leads import LEAD, MAJORITY, constant_answer, lead
from generator.topics.tasks.run.finetune.settings import Finetuning
from generator.topics.tasks.run.finetune.table import read_predictions
from generator.topics.tasks.run.finetune.train import finetune, seed_folder
from generator.topics.variants.records import TUNED, VARIANTS
from generator.topics.variants.run.estimates import of_trainings
from generator.topics.variants.run.groups import Variant, find_runs, group, said

SEED = 0
"""For intervals."""


def run_variants_tuning(
    places: Sequence[str],
    of: ModelChoice | None,
    settings: Finetuning,
    data: Path,
    out: Path,
    results: Path,
    report: Report,
) -> Path:
    """Fine-tune the runs in these folders where that is not done, and store what sets their objectives apart on a task,
    for the pages of the model `of`, or else of the first run. Raises FieldguideError.
    """
    prepare(results)
    runs = find_runs(places)
    variants = group(runs)
    source = locate(of.id, of.revision, of.name or "") if of else runs[0].source
    task = find_task(settings.task)
    dev = read_task(task, data, "dev")
    experiment = f"{VARIANTS.name}.{task.name}"
    check_free(results, source.title, source.sha256, experiment)
    with alone(results / f"{slug(source.title)}@{experiment}", report.note, beside=True):
        device = choose_device(settings.device)
        home = load(source, device)
        check_shape([load(runs[0].source, device), home])
        with in_parts(report, f"{task.name}, {len(runs)} trainings", [PART] * len(runs)) as parts:
            tuned = [finetune(run.source, settings, data, out, part) for run, part in zip(runs, parts, strict=True)]
        predicted = [
            [read_predictions(seed_folder(folder, seed), dev) for seed in range(settings.seeds)] for folder in tuned
        ]
        numbers = scored(np.array(predicted), dev, variants)
        return store(
            *(results, source, home, experiment),
            read=[of_task(dev)],
            settings=settings.identity
            | {"seeds": settings.seeds, "variants": [said(variant, runs) for variant in variants]},
            command=_command([run.source.id for run in runs], of, settings),
            tables={"facts": [facts(numbers, TUNED, source.title, task.name)]},
        )


def scored(predicted: np.ndarray, dev: LabelledTexts, variants: Sequence[Variant]) -> dict[str, Number]:
    """The numbers of all trainings, from predictions `[training, seed, example]`."""
    trainings, seeds, n = predicted.shape
    metric, labels = dev.task.metrics[0], np.array([example.label for example in dev.examples])
    counts = with_all(sample_counts(n, SEED))
    each = resampled(metric, predicted.reshape(-1, n), labels, counts).reshape(-1, trainings, seeds)
    weights = [unit_weights(seeds, np.random.default_rng([SEED, at])) for at in range(trainings)]
    means = (each * np.stack(weights, axis=1)).sum(-1)
    numbers = of_trainings("score", Resampled(means[0], means[1:], np.full(trainings, n)), variants)
    majority = resampled(metric, constant_answer(dev)[None], labels, counts)[:, 0]
    found: dict[str, np.ndarray] = {} if np.isnan(majority[0]) else {f"score.{MAJORITY}": majority}
    for number, variant in enumerate(variants, start=1):
        for own, at in enumerate(variant.trainings, start=1):
            name = f"score.{number}.{own}"
            found[f"{name}.{LEAD}"] = lead(means[:, at], majority)
            found |= {f"{name}.seed{seed}": each[:, at, seed] for seed in range(seeds)}
    return numbers | {name: Number(*of_joined(values), n) for name, values in found.items()}


def _command(runs: Sequence[str], of: ModelChoice | None, settings: Finetuning) -> str:
    words = [*runs, *(["--of", of.id, *of.options()] if of else [])]
    words += ["--task", settings.task, "--data", "DIR", "--seeds", str(settings.seeds)]
    words += ["--rate", str(settings.peak_rate), "--max-tokens", str(settings.max_tokens)]
    words += ["--examples", str(settings.examples)] if settings.examples else []
    return shlex.join(["fieldguide", "variants", *words])
