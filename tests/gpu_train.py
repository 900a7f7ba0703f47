"""`python -m tests.gpu_train OUT --texts DIR --minutes N`: a BERT, trained and measured on a GPU, N minutes at a time.

All is kept below OUT, and the same command goes on with it, also after a kill:

    OUT/run       the training; in run/results what its kept models give, each measured as soon as it is there
    OUT/results   what the last model gives, the curve with its relations, and the scores of fine-tuned copies
    OUT/tuned     these copies: six kept models, fine-tuned on each task

The exit code is 0 when all is done, 3 when the time was over before that, and 1 after an error. Every piece of work is
a process of its own that may be ended at any moment; the training stops by itself, with its state saved.
"""

import argparse
import math
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

from generator.analysis import analyze
from generator.config import Analysis
from generator.corpora.opening import open_corpora
from generator.corpora.tasks import find_task, read_task
from generator.defaults import CORPORA
from generator.errors import FieldguideError
from generator.models.names import slug
from generator.models.source import locate
from generator.terminal import TerminalReport
from generator.topics.learning.run.curve.checkpoints import Checkpoint
from generator.topics.learning.run.curve.runs import (
    RESULTS,
    analyze_checkpoint,
    run_curve,
    run_curve_tuning,
    run_pretrain,
)
from generator.topics.learning.run.pretrain.settings import Pretraining, read_pretraining
from generator.topics.learning.run.pretrain.state import checkpoint_folder
from generator.topics.tasks.run.finetune.settings import Finetuning, make_finetuning
from tests.reports import Silence

CONFIG = Path("data/models/large.toml")
TASKS = ("stsb", "mrpc")
STARTS = 6
"""How many kept models are fine-tuned at most, the first and the last among them."""
DONE, FAILED, LEFT = 0, 1, 3
SAID = {
    DONE: "Done: {}.",
    FAILED: "Stopped at an error; once it is mended, the same command goes on with {}.",
    LEFT: "Time is over; the same command goes on with {}.",
}
START = "spawn"
"""How a piece of work begins: a process that uses a GPU cannot be forked from one that does."""
LOOK = 0.2
"""Seconds between two looks for the next kept model."""


class Plan(NamedTuple):
    """What is to be done."""

    settings: Pretraining
    texts: Sequence[Path]
    out: Path
    name: str
    corpora: Sequence[str] = CORPORA
    treebank: Path | None = None
    tunings: Sequence[Finetuning] = ()
    data: Path = Path("data")

    @property
    def run(self) -> Path:
        """The folder of the training."""
        return self.out / "run"

    @property
    def results(self) -> Path:
        """The folder of the curve and the scores."""
        return self.out / "results"

    @property
    def analysis(self) -> Analysis:
        """How a kept model is measured."""
        return Analysis(corpora=tuple(self.corpora), device=self.settings.device)


def main(words: Sequence[str] | None = None) -> int:
    """Work for so many minutes; returns the exit code."""
    given = _parser().parse_args(words)
    try:
        settings = read_pretraining(given.config)
        tunings = [
            make_finetuning(task=task, rate=given.rate, examples=given.examples, device=settings.device)
            for task in given.task or TASKS
        ]
        for tuning in tunings:  # what is missing is missed before hours of work, not after
            read_task(find_task(tuning.task), given.data, "dev")
        open_corpora(given.corpus or CORPORA)
    except FieldguideError as error:
        return _refused(error)
    plan = Plan(
        *(settings, given.texts, given.out, given.name),
        corpora=given.corpus or CORPORA,
        treebank=given.treebank,
        tunings=tunings,
        data=given.data,
    )
    return work(plan, given.minutes)


def work(plan: Plan, minutes: float) -> int:
    """Do what is left, until so many minutes are over; returns the exit code."""
    end = time.monotonic() + 60 * minutes
    measuring = _begin(measure, plan)
    code = _end(_begin(train, plan, minutes), math.inf)
    _end(measuring, end if code == DONE else 0)
    for piece, *more in ((curve,), *((tune, tuning) for tuning in plan.tunings)):
        if code == DONE:
            code = _end(_begin(piece, plan, *more), end)
    print(SAID[code].format(plan.out), flush=True)
    return code


def train(plan: Plan, minutes: float) -> int:
    """Train until the last step, or so many minutes."""
    last = run_pretrain(
        *(plan.settings, plan.texts, plan.run, None, TerminalReport()),
        drop_weights=False,
        treebank=plan.treebank,
        minutes=minutes,
    )
    return DONE if last else LEFT


def measure(plan: Plan) -> int:
    """Measure each kept model as soon as it is there, while the training goes on beside it."""
    for step in plan.settings.kept:
        folder = checkpoint_folder(plan.run, step)
        while not folder.is_dir():
            time.sleep(LOOK)
        begun = time.monotonic()
        analyze_checkpoint(Checkpoint(step, str(folder)), plan.analysis, plan.run / RESULTS, Silence())
        print(f"Measured the model of step {step} in {time.monotonic() - begun:.1f} seconds.", flush=True)
    return DONE


def curve(plan: Plan) -> int:
    """Store what the last model gives under its name, and the curve, unless they are there."""
    last = replace(locate(str(checkpoint_folder(plan.run, plan.settings.steps))), id=plan.name)
    analyze(last, plan.analysis, plan.results, TerminalReport(), force=False)
    if not _stored(plan, "curve"):
        run_curve(plan.run, plan.name, plan.analysis, plan.out / "work", plan.results, TerminalReport())
    return DONE


def tune(plan: Plan, tuning: Finetuning) -> int:
    """Fine-tune six kept models on a task and store their scores, unless these are there."""
    if not _stored(plan, f"curve.{tuning.task}"):
        run_curve_tuning(
            *(plan.run, plan.name, tuning),
            every=math.ceil((len(plan.settings.kept) - 1) / (STARTS - 1)),
            data=plan.data,
            out=plan.out / "tuned",
            results=plan.results,
            report=TerminalReport(),
        )
    return DONE


def _stored(plan: Plan, experiment: str) -> bool:
    return (plan.results / f"{slug(plan.name)}@{experiment}").is_dir()


def _begin(piece: Callable[..., int], *given: Any) -> BaseProcess:
    process = multiprocessing.get_context(START).Process(target=_piece, args=(piece, *given))
    process.start()
    return process


def _piece(piece: Callable[..., int], *given: Any) -> None:
    threading.Thread(target=_leave, daemon=True).start()
    try:
        code = piece(*given)
    except FieldguideError as error:
        code = _refused(error)
    sys.exit(code)


def _leave() -> None:
    """End with the process that began this one, however that ends."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(LEFT)


def _refused(error: FieldguideError) -> int:
    print(f"Error: {error}", file=sys.stderr, flush=True)
    return FAILED


def _end(process: BaseProcess, end: float) -> int:
    """Wait for a piece of work until a time of the monotonic clock; returns its exit code, or that time was over."""
    process.join(None if end == math.inf else max(end - time.monotonic(), 0))
    if process.is_alive():
        process.terminate()
        process.join()
        return LEFT
    return process.exitcode if process.exitcode in (DONE, LEFT) else FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.gpu_train", description=str(__doc__).partition("\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--texts", type=Path, action="append", required=True, help="as for `fieldguide pretrain`")
    parser.add_argument("--minutes", type=float, required=True, help="after which the training stops")
    parser.add_argument("--config", type=Path, default=CONFIG)
    parser.add_argument("--name", default="large-bert", help="what the last model is called")
    parser.add_argument("--corpus", action="append", help="what kept models read; repeat for more")
    parser.add_argument("--treebank", type=Path, help="as for `fieldguide pretrain`")
    parser.add_argument("--task", action="append", help=f"repeat for more; {' and '.join(TASKS)} by default")
    parser.add_argument("--data", type=Path, default=Path("data"), help="the folder of GLUE's folders")
    parser.add_argument("--rate", type=float, help="peak learning rate of fine-tuning")
    parser.add_argument("--examples", type=int, help="fine-tune on a sample of so many")
    return parser


if __name__ == "__main__":
    sys.exit(main())
