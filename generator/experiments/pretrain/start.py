"""Pre-train a small BERT from scratch and keep its checkpoints on a logarithmic scale.

What is drawn for a batch depends on the seed, the epoch and the batch alone, and the state of everything else is saved,
so a run that was killed gives the same losses as one that was not, on the same machine with as many threads and
processes. How many processes read a batch changes its losses and gradients by rounding alone, but for dropout.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from transformers.utils import logging

from generator.experiments.pretrain.material import prepare
from generator.experiments.pretrain.parallel import find_processes
from generator.experiments.pretrain.run import Run
from generator.experiments.pretrain.settings import Pretraining
from generator.experiments.pretrain.state import checkpoint_folder
from generator.lock import alone
from generator.progress import Report


def pretrain(
    settings: Pretraining,
    data: Path | Sequence[Path],
    out: Path,
    report: Report,
    kept: Callable[[int, Path], None] | None = None,
    treebank: Path | None = None,
) -> Path:
    """Train, or go on with, the run in the folder `out`; gives the folder of the last model.

    `data` is the folder of the text, or several, as in `read_split`; with a `treebank` the log says which relations
    the heads find.
    `kept` is told the step and the folder of every model that is written, before training goes on. Of several
    processes the main one alone reports and calls `kept`, and the others wait.
    Raises CorpusError for text that is not there or too little, ResultsError where another run lies in `out`,
    DeviceError, SettingsError for fewer inputs than processes, and ModelError where the loss is no longer a number.
    """
    processes = find_processes(settings)
    report = processes.report(report)
    logging.disable_progress_bar()
    with ExitStack() as held:
        with processes.together():
            if processes.main:
                held.enter_context(alone(out, report.note))
        material = prepare(settings, data, out, processes, report, treebank)
        with processes.together():
            run = Run(settings, material, out, processes, kept)
        if run.at.step:
            report.note(f"Going on with {out} after step {run.at.step} of {settings.steps}.")
        total = round(settings.steps * run.batches.shape[1] * float(run.pairs.lengths.mean()))
        with report.bar(f"training {out.name}", total) as advance:
            advance(run.at.tokens)
            run.train(advance)
    processes.close()
    return checkpoint_folder(out, settings.steps)
