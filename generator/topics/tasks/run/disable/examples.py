"""What disabling is scored on: labelled examples with a classifier, or masked text with a masked language model.

Each input gives one outcome, and an example that is read in several inputs the mean of theirs. From these a score of
any sample of examples is computed without the model.
"""

from collections.abc import Sequence
from itertools import compress
from typing import Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, mse_loss

from generator.attention.batches import Batch
from generator.attention.gradient import masked_losses
from generator.corpora.pairs import Input, PairMaker
from generator.corpora.tasks import LabelledTexts
from generator.errors import CorpusError, ModelError
from generator.models.classifier import Classifier
from generator.models.encoder import Encoder
from generator.models.masked_lm import MaskedLM
from generator.studies.halves import reported
from generator.survey.known import check_known
from generator.topics.tasks.run.disable.scores import MEAN, resampled
from generator.topics.tasks.run.finetune.leads import constant_answer
from generator.topics.vectors.compute.gradients import hide


class Examples(Protocol):
    """Inputs and what is expected of the model for them."""

    corpus: str
    """The name of the task or of the text."""
    encoder: Encoder
    """Its output is what `outcomes` reads."""
    inputs: tuple[Input, ...]
    """Sorted by name, so that the order in which they were given changes no number."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the examples, which intervals resample. An example may be read in several inputs."""

    @property
    def constant(self) -> np.ndarray | None:
        """`[example]`: the best answer that is the same for all examples; None if the examples have no answer."""

    def outcomes(self, output: Tensor, items: Sequence[Input]) -> np.ndarray:
        """`[input]`: the outcome of each input, from the model's output `[input, ...]`."""

    def losses(self, batch: Batch) -> Tensor:
        """`[input]`: each one's own loss, in nats or squared units of the label; gradients can flow."""

    def by_example(self, rows: np.ndarray) -> np.ndarray:
        """`[..., input]` -> `[..., example]`, in the order of `names`."""

    def scores(self, outcomes: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """`[draw, condition]`: scores of `outcomes [condition, example]` on samples, `counts [draw, example]`."""


class LabelledExamples:
    """The examples of a task, scored by its headline metric; outcomes are classes, or values of a regression."""

    def __init__(self, classifier: Classifier, texts: LabelledTexts, max_tokens: int) -> None:
        """Raises ModelError for a classifier of another number of classes, or if its tokenizer does not know most of
        the text, and CorpusError for fewer than two examples.
        """
        task = texts.task
        self.corpus = task.name
        self.encoder = encoder = classifier.encoder
        outputs = len(task.labels) or 1
        if classifier.outputs != outputs:
            raise ModelError(
                f"Expected {encoder.id} to put out {outputs} numbers for a text of {task.name}, found "
                f"{classifier.outputs}; give a model that was fine-tuned on {task.name}."
            )
        maker = PairMaker(encoder.tokenizer, min(max_tokens, encoder.positions))
        ordered = sorted(texts.examples, key=lambda example: example.id)
        self.inputs = tuple(maker.pair(example.id, example.first, example.second) for example in ordered)
        check_known(encoder, self.corpus, self.inputs)
        _check_enough(self.names, self.corpus)
        self.constant = constant_answer(texts)
        self._metric = task.metrics[0]
        self._classes = bool(task.labels)
        self._gold = np.array([example.label for example in ordered])
        self._row = {example.id: at for at, example in enumerate(ordered)}

    @property
    def names(self) -> tuple[str, ...]:
        """The examples' ids."""
        return tuple(item.document for item in self.inputs)

    def outcomes(self, output: Tensor, items: Sequence[Input]) -> np.ndarray:
        """The class with the largest logit, or the value."""
        del items
        found: np.ndarray = (output.argmax(-1) if self._classes else output[:, 0]).double().cpu().numpy()
        return found

    def losses(self, batch: Batch) -> Tensor:
        """Negative log-likelihood of the label, or squared error."""
        logits = self.encoder.run(batch.input_ids, batch.mask, batch.segment_ids)[0]
        gold = torch.tensor(self._gold[[self._row[item.document] for item in batch.inputs]], device=logits.device)
        if self._classes:
            return cross_entropy(logits, gold.long(), reduction="none")
        return mse_loss(logits[:, 0], gold.to(logits.dtype), reduction="none")

    def by_example(self, rows: np.ndarray) -> np.ndarray:
        """One input is one example."""
        return rows

    def scores(self, outcomes: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """The headline metric."""
        return resampled(self._metric, outcomes, self._gold, counts)


class MaskedExamples:
    """The documents of a text, scored by the masked-LM loss; outcomes are negated losses, so that higher is better."""

    constant = None

    def __init__(self, masked_lm: MaskedLM, inputs: Sequence[Input], corpus: str, seed: int) -> None:
        """Raises CorpusError for fewer than two documents with text."""
        self.corpus = corpus
        self.encoder = masked_lm.encoder
        hidden = [hide(item, masked_lm, seed) for item in sorted(inputs, key=lambda item: item.place)]
        self._targets = {masked.input.place: masked.targets for masked in hidden if masked.targets}
        self.inputs = tuple(masked.input for masked in hidden if masked.targets)
        _check_enough(self.names, corpus)

    @property
    def names(self) -> tuple[str, ...]:
        """The documents' names."""
        return tuple(sorted({item.document for item in self.inputs}))

    def outcomes(self, output: Tensor, items: Sequence[Input]) -> np.ndarray:
        """Mean log-likelihood of the hidden tokens, in nats."""
        found = []
        for logits, item in zip(output, items, strict=True):
            targets = self._targets[item.place]
            tokens = torch.tensor(list(targets.values()), device=logits.device)
            found.append(-cross_entropy(logits[list(targets)], tokens).double())
        means: np.ndarray = torch.stack(found).cpu().numpy()
        return means

    def losses(self, batch: Batch) -> Tensor:
        """Mean negative log-likelihood of the hidden tokens, in nats."""
        return masked_losses(self.encoder, batch, [self._targets[item.place] for item in batch.inputs])

    def by_example(self, rows: np.ndarray) -> np.ndarray:
        """A document in several parts counts once, as the mean of its parts."""
        of_name = {name: at for at, name in enumerate(self.names)}
        example = [of_name[item.document] for item in self.inputs]
        # `[input, example]`, of which each column becomes a mean.
        parts = np.eye(len(of_name))[example]
        means: np.ndarray = rows @ (parts / parts.sum(0))
        return means

    def scores(self, outcomes: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """The mean over documents."""
        return resampled(MEAN, outcomes, np.zeros(outcomes.shape[-1]), counts)


def _check_enough(names: Sequence[str], corpus: str) -> None:
    if len(names) < 2:
        raise CorpusError(
            f"Expected at least 2 examples of {corpus} to score on, found {len(names)}; give a text of more documents, "
            "or a task with more examples."
        )


def halves_of(
    masked_lm: MaskedLM, inputs: Sequence[Input], corpus: str, seed: int
) -> tuple[MaskedExamples, MaskedExamples]:
    """The documents to choose on, and those to report on. Raises CorpusError if either are fewer than two."""
    to_report = reported([item.document for item in inputs], seed)
    chosen, shown = (
        MaskedExamples(masked_lm, list(compress(inputs, to_report == report)), corpus, seed) for report in (False, True)
    )
    return chosen, shown
