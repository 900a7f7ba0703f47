"""Pre-train a small BERT from scratch and keep its checkpoints on a logarithmic scale.

`pretrain` starts or continues a run; `Run` is the training loop and everything whose state changes during it. What is
drawn for a batch depends only on the seed, the epoch and the batch, and the state of everything else is saved. So a run
that was killed or stopped, and continued, gives the same losses as one that was not, on the same machine with the same
number of threads and processes. Apart from dropout, the number of processes changes losses only by rounding.
"""

import json
import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers.utils import logging

from generator.errors import ModelError
from generator.lock import alone
from generator.progress import Advance, Report
from generator.topics.learning.run.pretrain.data.reading import TRAINING, Place, read_batches
from generator.topics.learning.run.pretrain.evaluation import evaluate
from generator.topics.learning.run.pretrain.material import Material, prepare
from generator.topics.learning.run.pretrain.model import new_model
from generator.topics.learning.run.pretrain.parallel import Objective, Processes, find_processes
from generator.topics.learning.run.pretrain.settings import Pretraining
from generator.topics.learning.run.pretrain.state import (
    append,
    checkpoint_folder,
    cut_log,
    restore,
    save_state,
    write_folder,
)
from generator.topics.learning.run.pretrain.updates import Updates
from generator.topics.learning.run.pretrain.watch import watch


def pretrain(
    settings: Pretraining,
    data: Path | Sequence[Path],
    out: Path,
    report: Report,
    kept: Callable[[int, Path], None] | None = None,
    treebank: Path | None = None,
    minutes: float | None = None,
) -> Path | None:
    """Start or continue the run in the folder `out`; returns the folder of the last model.

    With `minutes` it stops, its state saved, after the step at which so many are over since the call, and returns None
    if steps are left; 0 minutes only prepare the text.
    `data` is the folder of the text, or several, as in `read_split`; with a `treebank` the log says which relations
    the heads find.
    `kept` is called with the step and the folder of every model that is written, before training goes on. Of several
    processes only the main one reports and calls `kept`; the others wait.
    Raises CorpusError if the text is missing or too short, ResultsError if `out` holds another run, DeviceError,
    SettingsError for fewer inputs than processes, and ModelError if the loss is no longer a finite number.
    """
    end = None if minutes is None else time.monotonic() + 60 * minutes
    processes = find_processes(settings)
    report = processes.report(report)
    logging.disable_progress_bar()
    with ExitStack() as held:
        with processes.together():
            if processes.main:
                held.enter_context(alone(out, report.note))
        material = prepare(settings, data=data, out=out, processes=processes, report=report, treebank=treebank)
        with processes.together():
            run = Run(settings, material, out, processes, kept)
        if run.at.step:
            report.note(f"Going on with {out} after step {run.at.step} of {settings.steps}.")
        with report.bar(f"training {out.name}", settings.steps) as advance:
            advance(run.at.step)
            done = run.train(advance, end)
    processes.close()
    if not done:
        report.note(f"Stopped {out} after step {run.at.step} of {settings.steps}; the same command goes on with it.")
    return checkpoint_folder(out, settings.steps) if done else None


@dataclass
class Progress:
    """Where a run is, and what it has to report next; the same in every process."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    """The number of the batch within the epoch that is read next."""
    tokens: int = 0
    """Tokens read so far, without padding."""
    masked_sum: float = 0.0
    """Sum of the training losses since the last line of the log."""
    next_sum: float = 0.0


class Run:
    """A run in the folder `out`, continued from its saved state. `tell` is called for every kept model, in the main
    process only.

    Raises CorpusError if the text is too short for a batch, ResultsError for a state that cannot be read.
    """

    def __init__(
        self,
        settings: Pretraining,
        material: Material,
        out: Path,
        processes: Processes,
        tell: Callable[[int, Path], None] | None,
    ) -> None:
        self.settings, self.material, self.out, self.tell = settings, material, out, tell
        self.processes, self.device = processes, processes.device
        self.kept = set(settings.kept)
        self.model = new_model(settings, self.device)
        self.updates = Updates(settings, self.model)
        self.at = Progress()
        self.begun = restore(out, torch.device("cpu"), self._restore)
        if processes.main:
            cut_log(out, self.at.step if self.begun else -1)
        start = Place(self.at.step, self.at.epoch, self.at.batch)
        self._batches = read_batches(settings, material.train, material.masking, start)
        self._next = next(self._batches, None)

    def train(self, advance: Advance, end: float | None = None) -> bool:
        """Take all steps that are left, or those before the time `end` of the monotonic clock; returns whether none is
        left. Raises ModelError if the loss is no longer a finite number.
        """
        if self._over(end) and not self.begun:
            return False
        objective = self.processes.wrap(Objective(self.model, self.settings.next_sentence))
        self._begin()
        saved = logged = time.monotonic()
        tokens = self.at.tokens
        while self.at.step < self.settings.steps and not self._over(end):
            self._step(objective)
            advance(1)
            if self.at.step % self.settings.log_every == 0 or self.at.step == self.settings.steps:
                clock = time.monotonic()
                self._log((self.at.tokens - tokens) / (clock - logged))
                logged, tokens = clock, self.at.tokens
            if self.at.step in self.kept:
                self._keep()
                saved = time.monotonic()
            elif self.settings.watch_every and self.at.step % self.settings.watch_every == 0:
                self._watch()
            if self.processes.main and time.monotonic() - saved >= self.settings.save_seconds:
                save_state(self.out, self._state())
                saved = time.monotonic()
        self._batches.close()
        done = self.at.step == self.settings.steps
        if not done and self.processes.main:
            save_state(self.out, self._state())
        return done

    def _begin(self) -> None:
        """Keep the untrained model, or tell of the one at which the run was left."""
        if not self.begun:
            if self.processes.main:
                append(self.out, {"kind": "held-out", "step": 0, **self.material.held_out.known})
            self._keep()
        elif self.at.step in self.kept:
            with self.processes.together():
                if self.processes.main:
                    self._tell(checkpoint_folder(self.out, self.at.step))

    def _over(self, end: float | None) -> bool:
        """Whether the time is over, by the clock of the main process."""
        return end is not None and self.processes.agree(time.monotonic() >= end)

    def _step(self, objective: torch.nn.Module) -> None:
        at, settings = self.at, self.settings
        assert self._next
        batch, after = self._next
        part, *weights = self.processes.share(batch)
        if self.processes.count > 1:  # so that the saved state of one process is enough for all
            seeds = [settings.seed, TRAINING, at.epoch, at.batch + 1]
            torch.manual_seed(int(np.random.default_rng([*seeds, self.processes.index + 1]).integers(2**63)))
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=settings.precision == "bfloat16"):
            loss, parts = objective(part.to(self.device), *weights)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings.clip)
        self.updates.step()
        masked, follows = self.processes.mean(parts)
        opens = after.epoch != at.epoch
        at.step, at.epoch, at.batch = after
        at.tokens += batch.tokens
        at.masked_sum += masked
        at.next_sum += follows
        with self.processes.together() if opens else nullcontext():  # opening an epoch may fail
            self._next = next(self._batches, None)

    def _log(self, rate: float) -> None:
        at = self.at
        # The last line of a run may come after fewer steps.
        steps = (at.step - 1) % self.settings.log_every + 1
        masked, follows = at.masked_sum / steps, at.next_sum / steps
        with self.processes.together():
            if not math.isfinite(masked + follows):
                raise self._diverged(str(masked))
            line: dict[str, Any] = {"kind": "training", "step": at.step, "epoch": at.epoch, "tokens": at.tokens}
            line |= {"masked_loss": masked} | ({"next_loss": follows} if self.settings.next_sentence else {})
            if self.processes.main:
                append(self.out, line | {"rate": self.updates.rate, "tokens_per_second": round(rate)})
        at.masked_sum = at.next_sum = 0.0

    def _diverged(self, found: str) -> ModelError:
        return ModelError(f"Expected a finite loss at step {self.at.step}, found {found}; set a lower rate.")

    def _keep(self) -> None:
        """Evaluate the model, log it, write it and save the state, in the main process."""
        with self.processes.together():
            if self.processes.main:
                self._look()
                folder = self._write()
                save_state(self.out, self._state())
                self._tell(folder)

    def _tell(self, folder: Path) -> None:
        """Call `tell` for a kept model.

        A run that is continued from this step calls it again, because it may have been killed during the first call.
        """
        if self.tell:
            here = [self.device] if self.device.type == "cuda" else []
            with torch.random.fork_rng(here):  # what it calls may draw random numbers
                self.tell(self.at.step, folder)

    def _watch(self) -> None:
        """Log what the heads attend to, in the main process."""
        with self.processes.together():
            if self.processes.main:
                self._look()

    def _look(self) -> None:
        try:
            found = watch(self.model, self.material.tokenizer, self.material.watched, self.settings.seed)
        except ModelError:  # a BERT's attention can be observed unless its numbers are not finite
            raise self._diverged("attention weights that are not finite") from None
        append(self.out, {"kind": "watch", "step": self.at.step, "tokens": self.at.tokens, **found})

    def _write(self) -> Path:
        found = evaluate(self.model, self.material.held_out.batches, self.settings.next_sentence)
        line = {"kind": "evaluation", "step": self.at.step, "tokens": self.at.tokens, **found}
        append(self.out, line)

        def write(folder: Path) -> None:
            self.model.save_pretrained(folder)
            self.material.tokenizer.save_pretrained(folder)
            (folder / "evaluation.json").write_text(json.dumps(line | self.material.held_out.known, indent=1) + "\n")

        folder = checkpoint_folder(self.out, self.at.step)
        write_folder(folder, write)
        return folder

    def _state(self) -> dict[str, Any]:
        cuda = torch.cuda.get_rng_state(self.device) if self.device.type == "cuda" else None
        return {
            "model": self.model.state_dict(),
            "updates": self.updates.state_dict(),
            "random": {"cpu": torch.get_rng_state(), "cuda": cuda},
            "at": vars(self.at),
        }

    def _restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.updates.load_state_dict(state["updates"])
        torch.set_rng_state(state["random"]["cpu"])
        if self.device.type == "cuda" and state["random"]["cuda"] is not None:
            torch.cuda.set_rng_state(state["random"]["cuda"], self.device)
        self.at = Progress(**state["at"])
