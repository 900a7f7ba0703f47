"""What one training predicts on held-out inputs: the chosen tokens, shown in three ways, and next sentences."""

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn.functional import cross_entropy
from transformers import AutoModelForPreTraining, BertForPreTraining

from generator.errors import ModelError
from generator.models.load import load_as
from generator.models.source import Source
from generator.progress import tell
from generator.topics.learning.run.pretrain.data.masking import Batch
from generator.topics.learning.run.pretrain.evaluation import losses
from generator.topics.variants.run.inputs import FATES, HeldOut, without_segments


def loss_rows(source: Source, held_out: HeldOut, device: torch.device) -> dict[str, np.ndarray]:
    """`[input]` by name: sums of the losses of chosen tokens in nats for each way of showing them, and of whole text
    `follows`, the loss of next-sentence prediction, and `next`, 1 where it is right.

    Raises ModelError for a model without the heads of pre-training.
    """
    found = load_as(AutoModelForPreTraining, source, device, "a model with the heads of pre-training")
    if found.missing:
        raise ModelError(
            f"Expected the heads of pre-training in {source.folder}, found no weights for {found.missing[0]}; give a "
            "run of `fieldguide pretrain`."
        )
    rows: dict[str, np.ndarray] = {}
    for shown in FATES:
        batches = held_out.batches[shown]
        tokens, follows = _predicted(
            found.encoder.model, batches if found.encoder.segments else without_segments(batches)
        )
        rows[shown] = held_out.of_inputs(tokens)
        if shown == "whole":
            rows |= {"follows": follows[:, 0], "next": follows[:, 1]}
    return rows


@torch.inference_mode()
def _predicted(model: BertForPreTraining, batches: Sequence[Batch]) -> tuple[np.ndarray, np.ndarray]:
    """`[chosen token]`: losses in nats; and `[input, 2]`: loss of next-sentence prediction, and whether it is right."""
    tokens, inputs = [], []
    for on_host in batches:
        batch = on_host.to(model.device)
        _, _, pieces, answers = losses(model, batch)
        tokens.append(cross_entropy(pieces, batch.targets, reduction="none").double().cpu().numpy())
        right = answers.argmax(-1) == batch.unrelated
        each = cross_entropy(answers, batch.unrelated, reduction="none")
        inputs.append(torch.stack([each.double(), right.double()], dim=-1).cpu().numpy())
        tell(on_host.tokens)
    return np.concatenate(tokens), np.concatenate(inputs)
