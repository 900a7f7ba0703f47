"""Pre-train a small BERT from scratch and keep its checkpoints on a logarithmic scale.

What is drawn for a batch depends only on the seed, the epoch and the batch, and the state of everything else is saved.
So a run that was killed and continued gives the same losses as one that was not, on the same machine with the same
number of threads and processes. Apart from dropout, the number of processes changes losses only by rounding.
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
    """Start or continue the run in the folder `out`; returns the folder of the last model.

    `data` is the folder of the text, or several, as in `read_split`; with a `treebank` the log says which relations
    the heads find.
    `kept` is called with the step and the folder of every model that is written, before training goes on. Of several
    processes only the main one reports and calls `kept`; the others wait.
    Raises CorpusError if the text is missing or too short, ResultsError if `out` holds another run, DeviceError,
    SettingsError for fewer inputs than processes, and ModelError if the loss is no longer a finite number.
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
