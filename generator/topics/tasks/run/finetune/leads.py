"""How far a score lies above that of a constant answer, which a model that learned nothing can reach.

The constant answer is the class that most of the scored examples have, so no other class is right more often; in a
regression it is the mean of their labels. The correlation of a constant is undefined and counts as 0 in a lead.
"""

import numpy as np
import torch

from generator.corpora.tasks import LabelledTexts
from generator.errors import ModelError
from generator.models.classifier import load_classifier
from generator.models.source import Source
from generator.numbers.number import Number
from generator.numbers.resampling import of_joined, sample_counts, with_all
from generator.topics.tasks.run.disable.scores import resampled
from generator.topics.tasks.run.finetune.data import tokenize
from generator.topics.tasks.run.finetune.model import predict

MAJORITY, LEAD = "majority", "lead"


def constant_answer(texts: LabelledTexts) -> np.ndarray:
    """`[example]`: the same answer for each, the class that most examples have or the mean of a regression."""
    labels = np.array([example.label for example in texts.examples])
    answer = float(np.bincount(labels.astype(int)).argmax()) if texts.task.labels else float(labels.mean())
    return np.full(len(labels), answer)


def lead(score: np.ndarray, constant: np.ndarray) -> np.ndarray:
    """A score minus that of the constant answer, which counts as 0 where it is NaN, as a correlation is."""
    return score - np.nan_to_num(constant)


def against_constant(name: str, scores: np.ndarray) -> dict[str, tuple[float, float, float]]:
    """Value, low and high of `NAME`, `NAME.majority` and `NAME.lead`, the first minus the second on the same draws.

    `scores` is `[1 + draw, 2]`: a score and that of the constant answer; `[1 + draw, 1]` if there is no such answer.
    """
    found = {name: scores[:, 0]}
    if scores.shape[1] > 1:
        found |= {f"{name}.{MAJORITY}": scores[:, 1], f"{name}.{LEAD}": lead(scores[:, 0], scores[:, 1])}
    return {key: of_joined(array) for key, array in found.items()}


def score_of(
    source: Source, texts: LabelledTexts, max_tokens: int, seed: int, device: torch.device
) -> dict[str, Number]:
    """`score`, `score.majority` and `score.lead` of a checkpoint on examples of a task, by its headline metric.

    Intervals resample examples, which `n` counts. Empty if the checkpoint has no head with as many outputs as the task
    has labels, or with one for a regression. Raises ModelError if its outputs are not finite, or if its tokenizer does
    not know most of the text.
    """
    task = texts.task
    try:
        classifier = load_classifier(source, device)
    except ModelError:
        return {}
    if classifier.outputs != max(len(task.labels), 1):
        return {}
    inputs, text = tokenize(texts, classifier.encoder, max_tokens), f"{source.title} on {task.name}"
    said = predict(classifier.encoder.model, inputs, device, text)
    both, labels = np.stack([said, constant_answer(texts)]), np.array([example.label for example in texts.examples])
    n = len(labels)
    scores = resampled(task.metrics[0], both, labels, with_all(sample_counts(n, seed)))
    found = against_constant("score", scores)
    return {name: Number(*ends, n) for name, ends in found.items()}
