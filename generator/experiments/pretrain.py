"""Pre-train a small BERT from scratch and keep its checkpoints on a logarithmic scale.

What is drawn for a batch depends on the seed, the epoch and the batch alone, and the state of everything else is saved,
so a run that was killed gives the same losses as one that was not, on the same machine with as many threads.
"""

import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoTokenizer, PreTrainedTokenizerBase, get_linear_schedule_with_warmup
from transformers.utils import logging

from generator.errors import CorpusError, ModelError
from generator.experiments.pretrain_evaluation import HeldOut, evaluate, hold_out, losses
from generator.experiments.pretrain_masking import make_batch
from generator.experiments.pretrain_model import new_model, new_optimiser
from generator.experiments.pretrain_pairs import Pairs, make_batches, make_pairs
from generator.experiments.pretrain_settings import Pretraining
from generator.experiments.pretrain_state import (
    append,
    checkpoint_folder,
    claim_folder,
    cut_log,
    read_state,
    save_state,
    write_folder,
)
from generator.experiments.pretrain_text import read_split
from generator.experiments.pretrain_vocabulary import (
    Pieces,
    continuations,
    split_pieces,
    train_vocabulary,
)
from generator.models.load import choose_device
from generator.survey import Report

TRAINING = 0
"""As `HELD_OUT`: the second part of a random generator's seed."""


@dataclass(frozen=True)
class Material:
    """What is made of the text before the first step."""

    tokenizer: PreTrainedTokenizerBase
    train: Pieces
    words: np.ndarray | None
    """As in `choose`."""
    held_out: HeldOut


@dataclass
class Progress:
    """Where a run is, and what it has to report next."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    """Of the epoch, the next to be read."""
    tokens: int = 0
    """Read so far, without padding."""
    masked_sum: float = 0.0
    """Of the training losses since the last line of the log."""
    next_sum: float = 0.0


def pretrain(settings: Pretraining, data: Path, out: Path, report: Report) -> Path:
    """Train, or go on with, the run in the folder `out`; gives the folder of the last model.

    Raises CorpusError for text that is not there or too little, ResultsError where another run lies in `out`,
    DeviceError, and ModelError where the loss is no longer a number.
    """
    device = choose_device(settings.device)
    logging.disable_progress_bar()
    material = _prepare(settings, data, out, report)
    run = _Run(settings, material, out, device)
    if run.at.step:
        report.note(f"Going on with {out} after step {run.at.step} of {settings.steps}.")
    total = round(settings.steps * settings.batch * float(run.pairs.lengths.mean()))
    with report.bar(f"training {out.name}", total) as advance:
        advance(run.at.tokens)
        run.train(advance)
    return checkpoint_folder(out, settings.steps)


def _prepare(settings: Pretraining, data: Path, out: Path, report: Report) -> Material:
    train, valid = read_split(data, "train"), read_split(data, "valid")
    claim_folder(out, {"settings": settings.identity, "text": {"train": train.sha256, "valid": valid.sha256}})
    folder = out / "tokenizer"
    if not folder.is_dir():
        report.note(f"Training a vocabulary of {settings.vocabulary} pieces.")
        made = train_vocabulary(train, settings.vocabulary, settings.max_tokens)
        write_folder(folder, made.save_pretrained)
    tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    words = continuations(tokenizer) if settings.whole_words else None
    pieces = split_pieces(tokenizer, train)
    report.note(f"Training text: {len(train.documents)} documents, {len(pieces.ids):,} pieces.")
    held_out = hold_out(settings, split_pieces(tokenizer, valid), pieces, words, str(data))
    return Material(tokenizer, pieces, words, held_out)


class _Run:
    """The training loop and all that changes in it."""

    def __init__(self, settings: Pretraining, material: Material, out: Path, device: torch.device) -> None:
        self.settings, self.material, self.out, self.device = settings, material, out, device
        self.kept = set(settings.kept)
        self.model = new_model(settings, device)
        self.optimiser = new_optimiser(settings, self.model)
        self.schedule = get_linear_schedule_with_warmup(self.optimiser, settings.warm_up, settings.steps)
        self.at = Progress()
        state = read_state(out, torch.device("cpu"))
        cut_log(out, state["at"]["step"] if state else -1)
        if state:
            self._restore(state)
        self._open_epoch()

    def train(self, advance: Any) -> None:
        """Take all steps that are left."""
        if self.at.step == 0:
            append(self.out, {"kind": "held-out", "step": 0, **self.material.held_out.known})
            self._keep()
        saved = logged = time.monotonic()
        tokens = self.at.tokens
        while self.at.step < self.settings.steps:
            before = self.at.tokens
            self._step()
            advance(self.at.tokens - before)
            if self.at.step % self.settings.log_every == 0 or self.at.step == self.settings.steps:
                clock = time.monotonic()
                self._log((self.at.tokens - tokens) / (clock - logged))
                logged, tokens = clock, self.at.tokens
            if self.at.step in self.kept:
                self._keep()
                saved = time.monotonic()
            elif time.monotonic() - saved >= self.settings.save_seconds:
                save_state(self.out, self._state())
                saved = time.monotonic()

    def _open_epoch(self) -> None:
        rng = np.random.default_rng([self.settings.seed, TRAINING, self.at.epoch])
        self.pairs: Pairs = make_pairs(self.material.train, self.settings.max_tokens, self.settings.short, rng)
        self.batches = make_batches(self.pairs.lengths, self.settings.batch, rng)
        if not len(self.batches):
            raise CorpusError(
                f"Expected training text for a batch of {self.settings.batch} inputs, found enough for "
                f"{len(self.pairs.ids)}; give more text or set a smaller batch."
            )

    def _step(self) -> None:
        at, settings = self.at, self.settings
        if at.batch == len(self.batches):
            at.epoch, at.batch = at.epoch + 1, 0
            self._open_epoch()
        # A seed's trailing zeros do not count: batch 0 would draw what its epoch drew.
        rng = np.random.default_rng([settings.seed, TRAINING, at.epoch, at.batch + 1])
        which = self.batches[at.batch]
        batch = make_batch(self.pairs, which, settings.masked, self.material.words, settings.vocabulary, rng)
        batch = batch.to(self.device)
        bfloat16 = settings.precision == "bfloat16"
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=bfloat16):
            masked, follows, _, _ = losses(self.model, batch)
        torch.autograd.backward(masked + follows if settings.next_sentence else masked)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings.clip)
        self.optimiser.step()
        self.schedule.step()
        self.optimiser.zero_grad(set_to_none=True)
        at.step, at.batch, at.tokens = at.step + 1, at.batch + 1, at.tokens + batch.tokens
        at.masked_sum += masked.item()
        at.next_sum += follows.item()

    def _log(self, rate: float) -> None:
        at = self.at
        steps = (at.step - 1) % self.settings.log_every + 1
        masked, follows = at.masked_sum / steps, at.next_sum / steps
        if not math.isfinite(masked + follows):
            raise ModelError(f"Expected a loss that is a number at step {at.step}, found {masked}; set a lower rate.")
        line: dict[str, Any] = {"kind": "training", "step": at.step, "epoch": at.epoch, "tokens": at.tokens}
        line |= {"masked_loss": masked} | ({"next_loss": follows} if self.settings.next_sentence else {})
        append(self.out, line | {"rate": self.schedule.get_last_lr()[0], "tokens_per_second": round(rate)})
        at.masked_sum = at.next_sum = 0.0

    def _keep(self) -> None:
        """Evaluate the model, log it, write it and save the state."""
        found = evaluate(self.model, self.material.held_out.batches, self.settings.next_sentence)
        line = {"kind": "evaluation", "step": self.at.step, "tokens": self.at.tokens, **found}
        append(self.out, line)

        def write(folder: Path) -> None:
            self.model.save_pretrained(folder)
            self.material.tokenizer.save_pretrained(folder)
            (folder / "evaluation.json").write_text(json.dumps(line | self.material.held_out.known, indent=1) + "\n")

        write_folder(checkpoint_folder(self.out, self.at.step), write)
        save_state(self.out, self._state())

    def _state(self) -> dict[str, Any]:
        cuda = torch.cuda.get_rng_state(self.device) if self.device.type == "cuda" else None
        parts = {"model": self.model, "optimiser": self.optimiser, "schedule": self.schedule}
        random = {"cpu": torch.get_rng_state(), "cuda": cuda}
        return {name: part.state_dict() for name, part in parts.items()} | {"random": random, "at": vars(self.at)}

    def _restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"]["cpu"])
        if self.device.type == "cuda" and state["random"]["cuda"] is not None:
            torch.cuda.set_rng_state(state["random"]["cuda"], self.device)
        self.at = Progress(**state["at"])
