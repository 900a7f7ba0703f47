"""The commands `pretrain` and `curve`: analyse every checkpoint that is not analysed yet, and store the learning curve.

The results of checkpoints lie in the folder of the run, `RUN/results`, or in a folder that is given; the curve is
stored as an experiment of the last checkpoint's model.
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from generator.analysis import analyze
from generator.config import Analysis
from generator.corpora.files import TEXT
from generator.corpora.opening import open_corpora
from generator.corpora.tasks import find_task, read_task
from generator.corpora.treebank import TREEBANK
from generator.defaults import Device
from generator.errors import CorpusError, ResultsError
from generator.experiments.record import of_task, store
from generator.lock import alone
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import Source, locate
from generator.progress import PART, Report, Within, in_parts
from generator.results.store import Results
from generator.results.writing import check_free, prepare
from generator.topics.learning.run.curve.checkpoints import Checkpoint, check_alike, read_checkpoints
from generator.topics.learning.run.curve.contrast import check_contrast, contrast_rows
from generator.topics.learning.run.curve.history import distances, training_rows, tuning_rows
from generator.topics.learning.run.curve.table import Point, curve_tables
from generator.topics.learning.run.pretrain.run import pretrain
from generator.topics.learning.run.pretrain.settings import Pretraining
from generator.topics.learning.run.pretrain.state import read_counts, read_run
from generator.topics.tasks.run.finetune.settings import Finetuning
from generator.topics.tasks.run.finetune.table import score_table
from generator.topics.tasks.run.finetune.train import finetune

EXPERIMENT = "curve"
RESULTS = "results"
"""The subfolder of a run with the results of its checkpoints."""
MEASURES = "measures"
"""The subfolder with results without studies: a contrast needs no more."""
CHEAP = 10
"""About how many times as long an analysis with studies takes."""


def run_pretrain(
    settings: Pretraining,
    data: Sequence[Path],
    out: Path,
    analysis: Analysis | None,
    report: Report,
    *,
    drop_weights: bool,
    treebank: Path | None = None,
    minutes: float | None = None,
) -> Path | None:
    """Pre-train and analyse every model that is kept; without `analysis`, only train. Returns the folder of the last
    model, or None where `minutes` were over before the last step.

    With `drop_weights`, the weights of an analysed model are deleted, except those of the first and the last.
    """
    unseen = Within(0, lambda _: None, report)  # the training's bar stands for its analyses, too

    def kept(step: int, folder: Path) -> None:
        if analysis is None:
            return
        analyze_checkpoint(Checkpoint(step, str(folder)), analysis, out / RESULTS, unseen)
        if drop_weights and step not in (0, settings.steps):
            for file in folder.glob("*.safetensors"):
                file.unlink()

    return pretrain(settings, data=data, out=out, report=report, kept=kept, treebank=treebank, minutes=minutes)


def analyze_checkpoint(checkpoint: Checkpoint, settings: Analysis, place: Path, report: Report) -> Path:
    """Analyse a checkpoint unless that is done; returns the folder of its results. Raises FieldguideError.

    If the weights have been deleted, the stored results are used as they are.
    """
    folder = place / checkpoint.name
    if folder.is_dir() and not checkpoint.has_weights:
        return folder
    return analyze(checkpoint.source, settings, place, report, force=False)[0]


def run_curve(
    place: Path,
    name: str | None,
    settings: Analysis,
    work: Path,
    results: Path,
    report: Report,
    without: Path | None = None,
) -> Path:
    """Store the curve of a run or a list as an experiment of its last checkpoint.

    `name` is what that model is called, instead of its id or the name of its folder; `work` keeps the results of the
    checkpoints of a list; `without` is a run that differs only in having no next-sentence prediction. Raises
    FieldguideError; if a checkpoint is missing, before the first analysis.
    """
    prepare(results)
    opened = open_corpora(settings.corpora)
    if not opened.of(TEXT):
        names = ", ".join(corpus.name for corpus in opened.all) or "none"
        raise CorpusError(
            f"Expected running text among the corpora of a curve, found {names}; add a text with --corpus."
        )
    checkpoints, counts = _found(place), read_counts(place)
    others = {checkpoint.step: checkpoint for checkpoint in _found(without)} if without else {}
    if without:
        check_contrast(place, without)
    last = _last(checkpoints, name)
    shared = [checkpoint for checkpoint in checkpoints if checkpoint.step in others]
    if without and not shared:
        raise ResultsError(f"Expected a step that {place} and {without} share, found none; give another run.")
    kept = place / RESULTS if place.is_dir() else work / slug(last.id)
    # Before the first analysis: an hour's work is not thrown away for a name that another model has.
    check_free(results, last.id, last.sha256, EXPERIMENT)
    with alone(results / f"{slug(last.id)}@{EXPERIMENT}", report.note, beside=True):
        # Checkpoints beside it are read without studies, which takes a fraction of the time.
        sizes = [PART] * len(checkpoints) + [PART // CHEAP] * (len(shared) if without else 0)
        with in_parts(report, f"{len(checkpoints)} checkpoints", sizes) as parts:
            points = _points(checkpoints, settings, kept, parts)
            beside: list[Point] = []
            if without:
                cheap = replace(settings, studies=False)
                beside = _points([others[checkpoint.step] for checkpoint in shared], cheap, without / MEASURES, parts)
        tables = curve_tables(points, last.id, settings.seed, counts)
        tables["curves"] += [training_rows(place, last.id), distances(checkpoints, last.id)]
        read = points[-1].results.manifest
        if without:
            steps = [checkpoint.step for checkpoint in shared]
            first = [point.evidence for point in points if point.step in others]
            second = [point.evidence for point in beside]
            corpus = next(iter(read.of(TEXT)))
            tables["curves"].append(
                contrast_rows(steps, first=first, second=second, model=last.id, corpus=corpus, seed=settings.seed)
            )
        return _store(
            *(results, last, EXPERIMENT, settings.device),
            read=[replace(record, counts={}) for record in read.corpora if record.kind in (TEXT, TREEBANK)],
            settings={
                "seed": settings.seed,
                "max_tokens": settings.max_tokens,
                "steps": [checkpoint.step for checkpoint in checkpoints],
                "training": read_run(place).get("settings", {}),
            },
            command=shlex.join(
                ["fieldguide", "curve", place.resolve().name, "--name", last.id]
                + [word for corpus in settings.corpora for word in ("--corpus", Path(corpus).name)]
                + (["--without", without.resolve().name] if without else [])
                + ["--max-tokens", str(settings.max_tokens), "--seed", str(settings.seed)]
            ),
            tables=tables,
        )


def run_curve_tuning(
    place: Path,
    name: str | None,
    settings: Finetuning,
    every: int,
    data: Path,
    out: Path,
    results: Path,
    report: Report,
) -> Path:
    """Fine-tune one checkpoint in `every`, the first and the last included, and store the scores by step.

    Checkpoints without weights are passed over. Raises FieldguideError.
    """
    prepare(results)
    checkpoints = _found(place)
    last = _last(checkpoints, name)
    task = find_task(settings.task)
    dev = read_task(task, data, "dev")
    there = [checkpoint for checkpoint in checkpoints if checkpoint.has_weights]
    # Counted from the last, which is always among them.
    chosen = there[::-every][::-1]
    chosen = chosen if chosen[0] is there[0] else [there[0], *chosen]
    experiment = f"{EXPERIMENT}.{task.name}"
    check_free(results, last.id, last.sha256, experiment)
    with alone(results / f"{slug(last.id)}@{experiment}", report.note, beside=True):
        scores: dict[int, pd.DataFrame] = {}
        with in_parts(report, f"{task.name}, {len(chosen)} checkpoints", [PART] * len(chosen)) as parts:
            for part, checkpoint in zip(parts, chosen, strict=True):
                report.note(f"Step {checkpoint.step} of {checkpoints[-1].step}.")
                runs = finetune(
                    replace(checkpoint.source, id=f"{last.id}-{checkpoint.name}"), settings, data, out, part
                ).parent
                scores[checkpoint.step] = score_table(last.id, task, runs, dev)
        words = ["--task", task.name, "--data", "DIR", "--every", str(every), "--seeds", str(settings.seeds)]
        words += ["--rate", str(settings.peak_rate), "--max-tokens", str(settings.max_tokens)]
        words += ["--examples", str(settings.examples)] if settings.examples else []
        return _store(
            *(results, last, experiment, settings.device),
            read=[of_task(dev)],
            settings=settings.identity | {"seeds": settings.seeds, "steps": list(scores)},
            command=shlex.join(["fieldguide", "curve", place.resolve().name, "--name", last.id, *words]),
            tables={"curves": tuning_rows(scores, task, last.id)},
        )


def _found(place: Path) -> list[Checkpoint]:
    """The checkpoints at `place`. Raises ModelError unless the weights that are needed can be found."""
    checkpoints = read_checkpoints(place)
    for checkpoint in checkpoints:
        if checkpoint.has_weights or checkpoint is checkpoints[-1]:
            checkpoint.source  # noqa: B018 - finds it, or raises
    return checkpoints


def _points(checkpoints: Sequence[Checkpoint], settings: Analysis, kept: Path, parts: Iterator[Report]) -> list[Point]:
    """All checkpoints with their results, each with the next report. Raises ModelError at the first with other numbers
    of layers or heads.
    """
    points: list[Point] = []
    for checkpoint, report in zip(checkpoints, parts, strict=False):
        report.note(f"Step {checkpoint.step} of {checkpoints[-1].step}.")
        if checkpoint.has_weights:
            check_free(kept, checkpoint.name, checkpoint.source.sha256)
        points.append(Point(checkpoint.step, Results.open(analyze_checkpoint(checkpoint, settings, kept, report))))
        manifests = [point.results.manifest for point in points]
        check_alike([(at, (it.layers, it.heads)) for at, it in zip(checkpoints, manifests, strict=False)])
    return points


def _last(checkpoints: Sequence[Checkpoint], name: str | None) -> Source:
    source = locate(checkpoints[-1].model, checkpoints[-1].revision)
    return replace(source, id=name or source.id)


def _store(results: Path, last: Source, experiment: str, device: Device, **record: Any) -> Path:
    return store(results, last, load(last, choose_device(device)), experiment, **record)
