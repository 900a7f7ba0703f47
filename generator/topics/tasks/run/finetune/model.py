"""Makes a classifier to be trained from a checkpoint, and predicts with a classifier."""

import copy

import numpy as np
import torch
from transformers import AutoConfig, AutoModelForSequenceClassification, PreTrainedModel

from generator.corpora.tasks import Task
from generator.errors import ModelError, reason
from generator.models.accounts import check_whole
from generator.models.source import Source
from generator.topics.tasks.run.finetune.data import Tokenized
from generator.topics.tasks.run.finetune.settings import Finetuning

_AT_ONCE = 64
"""Examples in one forward pass without gradients."""


def new_classifier(
    source: Source, task: Task, settings: Finetuning, seed: int, device: torch.device
) -> PreTrainedModel:
    """The encoder with transformers' own head for its family; seeds the random numbers of torch. Raises ModelError."""
    config = AutoConfig.from_pretrained(source.folder, trust_remote_code=False)
    if config.is_encoder_decoder:
        raise ModelError(
            f"Expected an encoder to fine-tune in {source.folder}, found one with a decoder; choose another model."
        )
    config.num_labels = max(len(task.labels), 1)
    config.problem_type = "single_label_classification" if task.labels else "regression"
    if task.labels:
        config.id2label = dict(enumerate(task.labels))
        config.label2id = {label: number for number, label in enumerate(task.labels)}
    common = {
        "trust_remote_code": False,
        "attn_implementation": "eager",  # the fastest to train on a CPU, and the same every time on a GPU
        "dtype": torch.float32,
    }
    try:
        torch.manual_seed(seed)
        model, report = AutoModelForSequenceClassification.from_pretrained(
            source.folder,
            config=copy.deepcopy(config),
            use_safetensors=True,
            ignore_mismatched_sizes=True,  # a head made for another task is drawn anew
            output_loading_info=True,
            **common,
        )
        if settings.start == "random":
            torch.manual_seed(seed)
            model = AutoModelForSequenceClassification.from_config(config, **common)
    except Exception as error:  # noqa: BLE001 - a foreign folder can make transformers raise anything
        raise ModelError(
            f"Expected a model that transformers can fine-tune as a classifier in {source.folder}, found: "
            f"{reason(error)}; choose a model with a sequence classification head in transformers."
        ) from None
    check_whole(config, model, report["unexpected_keys"], source.weights())
    if settings.frozen:
        body = f"{model.base_model_prefix}."
        new = set(report["missing_keys"]) | {key for key, *_ in report["mismatched_keys"]}
        for name, weights in model.named_parameters():
            weights.requires_grad_(name in new or not name.startswith(body))
    return model.to(device)


def predict(model: PreTrainedModel, examples: Tokenized, device: torch.device, text: str) -> np.ndarray:
    """[example]: class indices, or scores of a regression, in float32 and evaluation mode.

    Raises ModelError if one is not finite; `text` says in it whose predictions they are, and of which task.
    """
    model.eval()
    order = np.argsort(examples.lengths, kind="stable")
    parts = []
    with torch.inference_mode():
        for start in range(0, len(order), _AT_ONCE):
            which = order[start : start + _AT_ONCE]
            batch = {name: part.to(device) for name, part in examples.batch(which).items() if name != "labels"}
            parts.append(model(**batch).logits.cpu().numpy())
    # Back into the order of the examples.
    logits = np.concatenate(parts)[np.argsort(order)]
    if not np.isfinite(logits).all():
        raise ModelError(
            f"Expected finite predictions of {text}, found others; choose another checkpoint, or train it again at a "
            "lower --rate."
        )
    return logits[:, 0] if logits.shape[1] == 1 else logits.argmax(1)
