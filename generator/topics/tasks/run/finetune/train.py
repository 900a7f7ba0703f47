"""Fine-tune an encoder on a task of GLUE, once per seed, and keep each model and its predictions for the dev examples.

    OUT/<model>/<task>/<start>[-frozen]/run.json    settings and checksums; other runs may not write here
                                       /seed-<k>/   a model folder for `from_pretrained`, with its predictions.json
                                       /.seed-<k>/  the last saved state of a run that is not finished

The order of the examples depends only on the seed, and the state of everything else is saved. So a run that was killed
and continued ends like one that was not, on the same machine with the same number of threads.
"""

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase, Trainer, TrainerCallback, TrainingArguments
from transformers.trainer_callback import PrinterCallback, ProgressCallback
from transformers.utils import logging

from generator.attention.anatomy import examine
from generator.corpora.tasks import LabelledTexts, find_task, read_task
from generator.errors import ResultsError, reason
from generator.lock import alone
from generator.models.load import choose_device, load
from generator.models.names import slug
from generator.models.source import Source
from generator.progress import PART, Advance, Report, in_parts
from generator.topics.learning.run.pretrain.state import claim_folder, write_folder, writing
from generator.topics.tasks.run.finetune.data import Batches, Tokenized, tokenize
from generator.topics.tasks.run.finetune.model import new_classifier, predict
from generator.topics.tasks.run.finetune.settings import Finetuning

PREDICTIONS = "predictions.json"
LAST_WRITTEN = "trainer_state.json"
"""The file that the Trainer writes last: without it a saved state is not complete."""


def finetune(source: Source, settings: Finetuning, data: Path, out: Path, report: Report) -> Path:
    """Train the seeds that are not finished; gives the folder of the runs.

    Raises CorpusError for examples that are not there, ResultsError where other runs lie in the folder, ModelError for
    an encoder that cannot be observed or fine-tuned or whose predictions are not finite, and DeviceError.
    """
    device = choose_device(settings.device)
    task = find_task(settings.task)
    train, dev = read_task(task, data, "train", settings.examples), read_task(task, data, "dev")
    folder = out / slug(source.title) / task.name / settings.folder
    with alone(folder, report.note):
        left = [seed for seed in range(settings.seeds) if not seed_folder(folder, seed).is_dir()]
        read = _read_inputs(source, settings, train, dev) if left else None
        claim_folder(
            folder,
            {
                "settings": settings.identity,
                "model": {"id": source.id, "weights": source.sha256, "setup": source.setup_sha256},
                "data": {"train": train.sha256, "dev": dev.sha256},
            },
        )
        if read:
            tokenizer, inputs, dev_inputs = read
            with in_parts(report, f"{task.name}, {settings.folder}", [PART] * len(left)) as parts:
                for part, seed in zip(parts, left, strict=True):
                    run = _Run(
                        source,
                        settings=settings,
                        device=device,
                        tokenizer=tokenizer,
                        dev_texts=dev,
                        inputs=inputs,
                        dev_inputs=dev_inputs,
                        folder=folder,
                        seed=seed,
                    )
                    run.train(part)
    return folder


def _read_inputs(
    source: Source, settings: Finetuning, *splits: LabelledTexts
) -> tuple[PreTrainedTokenizerBase, Tokenized, Tokenized]:
    encoder = load(source, torch.device("cpu"))
    examine(encoder)  # what cannot be observed is not worth training
    inputs, dev_inputs = (tokenize(texts, encoder, settings.max_tokens) for texts in splits)
    return encoder.tokenizer, inputs, dev_inputs


def seed_folder(folder: Path, seed: int) -> Path:
    """Where the model of a seed lies."""
    return folder / f"seed-{seed}"


@dataclass(frozen=True)
class _Run:
    """The training with one seed."""

    source: Source
    settings: Finetuning
    device: torch.device
    tokenizer: PreTrainedTokenizerBase
    dev_texts: LabelledTexts
    inputs: Tokenized
    dev_inputs: Tokenized
    folder: Path
    seed: int

    def train(self, report: Report) -> None:
        """Train, or go on, and write the model and its predictions."""
        settings, task = self.settings, self.dev_texts.task
        place, drafts = seed_folder(self.folder, self.seed), self.folder / f".seed-{self.seed}"
        model = new_classifier(self.source, task, settings, self.seed, self.device)
        batches = Batches(self.inputs, settings.batch, settings.epochs, self.seed)
        saved = _last_saved(drafts)
        if saved:
            report.note(f"Going on with {place} after step {saved.name.rpartition('-')[2]} of {len(batches)}.")
        title = f"{task.name}, {settings.folder}, seed {self.seed}"
        with report.bar(title, sum(batches.tokens)) as advance:
            trainer = Trainer(
                model=model,
                args=_arguments(settings, drafts, self.seed, self.device.type),
                train_dataset=batches,
                data_collator=_only,
                callbacks=[watch := _Watch(batches.tokens, advance, settings.save_seconds)],
            )
            for noisy in (PrinterCallback, ProgressCallback):
                trainer.remove_callback(noisy)
            try:
                trainer.train(resume_from_checkpoint=str(saved) if saved else None)
            except Exception as error:
                if saved and not watch.begun:
                    raise ResultsError(
                        f"Expected the state of a run in {saved}, found one that cannot be read ({reason(error)}); "
                        "delete it and give the same command again."
                    ) from None
                with writing(drafts):
                    raise
            finally:
                torch.use_deterministic_algorithms(False)  # the Trainer leaves it on after a run on a GPU
        model = trainer.accelerator.unwrap_model(model, keep_fp32_wrapper=False)  # predicts in float32, as it is stored
        text = f"{self.source.title} on {title}"
        said = self._said(predict(model, self.dev_inputs, self.device, text))

        def write(at: Path) -> None:
            model.save_pretrained(at)
            self.tokenizer.save_pretrained(at)
            (at / PREDICTIONS).write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")

        write_folder(place, write)
        shutil.rmtree(drafts, ignore_errors=True)

    def _said(self, predicted: np.ndarray) -> dict[str, Any]:
        dev = self.dev_texts
        return {
            "task": dev.task.name,
            "seed": self.seed,
            "dev_sha256": dev.sha256,
            "predicted": {example.id: said.item() for example, said in zip(dev.examples, predicted, strict=True)},
        }


def _arguments(settings: Finetuning, drafts: Path, seed: int, device: str) -> TrainingArguments:
    logging.set_verbosity_error()
    arguments = TrainingArguments(
        output_dir=str(drafts),
        num_train_epochs=1,  # the batches of all epochs are drawn beforehand
        per_device_train_batch_size=1,  # and each of them is one item
        train_sampling_strategy="sequential",
        learning_rate=settings.peak_rate,
        lr_scheduler_type="linear",
        warmup_steps=settings.warm_up,
        weight_decay=settings.weight_decay,
        seed=seed,
        full_determinism=device == "cuda",
        use_cpu=device == "cpu",
        bf16=settings.precision == "bfloat16",
        save_strategy="no",
        save_total_limit=1,
        logging_strategy="no",
        report_to=[],
        disable_tqdm=True,
        remove_unused_columns=False,
        dataloader_pin_memory=device == "cuda",
    )
    arguments._n_gpu = min(arguments.n_gpu, 1)  # several GPUs would divide the batch among them
    return arguments


class _Watch(TrainerCallback):
    """Reports progress and says when to save."""

    def __init__(self, tokens: list[int], advance: Advance, seconds: float) -> None:
        self._tokens, self._advance, self._seconds = tokens, advance, seconds
        self._saved = time.monotonic()
        self.begun = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002 - its interface
        """Count what was done before the run was killed."""
        self._advance(sum(self._tokens[: state.global_step]))

    def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002 - as above
        """Note that the run has begun: whatever state was saved has been read by now."""
        self.begun = True

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002 - as above
        """Count a batch; save when it is time."""
        self._advance(self._tokens[state.global_step - 1])
        if time.monotonic() - self._saved >= self._seconds and state.global_step < len(self._tokens):
            control.should_save = True
            self._saved = time.monotonic()


def _last_saved(drafts: Path) -> Path | None:
    """The newest complete saved state; None if there is none."""
    complete = [path for path in drafts.glob("checkpoint-*") if _is_json(path / LAST_WRITTEN)]
    return max(complete, key=lambda path: int(path.name.rpartition("-")[2]), default=None)


def _is_json(path: Path) -> bool:
    try:
        return bool(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return False


def _only(items: list[Any]) -> Any:
    return items[0]
