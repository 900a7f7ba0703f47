"""The command `finetune`: trains a model on a task and writes its scores to a results folder beside the model's own."""

import shlex
from pathlib import Path
from typing import Any

from generator.config import ModelChoice
from generator.corpora.tasks import Task, find_task, read_task
from generator.errors import ResultsError
from generator.experiments.record import of_task, store
from generator.lock import alone
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import Source, locate
from generator.progress import Report
from generator.results.writing import check_free, prepare
from generator.topics.learning.run.pretrain.state import RUN, read_json
from generator.topics.tasks.run.finetune.settings import Finetuning
from generator.topics.tasks.run.finetune.table import score_table
from generator.topics.tasks.run.finetune.train import finetune, seed_folder


def run_finetune(
    choice: ModelChoice, settings: Finetuning, data: Path, out: Path, results: Path, report: Report
) -> Path:
    """Fine-tune what is not finished, and store the scores of all runs of this task. Raises FieldguideError."""
    prepare(results)
    source = locate(choice.id, choice.revision, choice.name or "")
    check_free(results, source.title, source.sha256, f"finetune.{find_task(settings.task).name}")
    runs = finetune(source, settings, data, out, report).parent
    task = find_task(settings.task)
    dev = read_task(task, data, "dev")
    with alone(results / f"{slug(source.title)}@finetune.{task.name}", report.note, beside=True):
        seeds = {path.parent.name: len(list(path.parent.glob("seed-*"))) for path in sorted(runs.glob("*/run.json"))}
        kinds = {name: _run(runs / name, source) for name, finished in seeds.items() if finished}
        return store(
            *(results, source, load(source, choose_device(settings.device)), f"finetune.{task.name}"),
            read=[of_task(dev)],
            settings={name: run["settings"] for name, run in kinds.items()},
            command="\n".join(_command(choice, run["settings"], seeds[name]) for name, run in kinds.items()),
            tables={"facts": [score_table(source.title, task, runs, dev)]},
        )


def tuned_copy(source: Source, task: Task, out: Path) -> Source:
    """The fine-tuned copy with the first seed that `run_finetune` left in `out`; the model itself if there is none.

    Raises ResultsError if the runs began with other weights.
    """
    runs = out / slug(source.title) / task.name / "pretrained"
    tuned = seed_folder(runs, 0)
    if not tuned.is_dir():
        return source
    _run(runs, source)
    return locate(str(tuned))


def _run(folder: Path, source: Source) -> dict[str, Any]:
    """The record of a folder of runs. Raises ResultsError if they began with other weights than the model's."""
    run = read_json(folder / RUN)
    if run.get("model", {}).get("weights") != source.sha256:
        raise ResultsError(
            f"Expected runs of {source.title} in {folder}, found those of other weights; delete it or give another "
            "--out."
        )
    return run


def _command(choice: ModelChoice, settings: dict[str, Any], seeds: int) -> str:
    words = ["fieldguide", "finetune", choice.id, "--task", str(settings["task"]), "--data", "DIR"]
    words += ["--from", str(settings["start"]), *(["--frozen"] if settings["frozen"] else [])]
    usual = Finetuning(task=settings["task"], frozen=settings["frozen"]).identity
    for name in ("epochs", "batch", "rate", "examples", "max_tokens"):
        words += [f"--{name.replace('_', '-')}", str(settings[name])] if settings[name] != usual[name] else []
    words += [*choice.options(), "--seeds", str(seeds), "--precision", str(settings["precision"])]
    return shlex.join(words)
