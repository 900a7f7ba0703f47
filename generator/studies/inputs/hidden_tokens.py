"""What a masked LM says of chosen positions, without logits of all others, which would fill the memory.

The output embedding of the head is given the states of these positions alone; a head that has none is run in full.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from generator.attention.anatomy import forward
from generator.attention.batches import collate
from generator.attention.dot_product import attend_fused
from generator.attention.seam import observing
from generator.attention.stream import BATCH_TOKENS
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM


class Unobserved:
    """Computes attention for a model that is set to the seam, and looks at nothing."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch."""
        return attend_fused(query, key, value, bias, scale)


def log_probabilities(
    masked_lm: MaskedLM, inputs: Sequence[Input], targets: Sequence[Mapping[int, int]]
) -> list[list[float]]:
    """For every input the log-probabilities, in nats, of its targets: 0-based position -> vocabulary id.

    Inputs of equal length share a batch, so that there is no padding.
    """
    device = masked_lm.encoder.device.type
    budget = BATCH_TOKENS.get(device, BATCH_TOKENS["cpu"])
    found: list[list[float]] = [[] for _ in inputs]
    waiting = sorted((at for at in range(len(inputs)) if targets[at]), key=lambda at: len(inputs[at]))
    while waiting:
        length = len(inputs[waiting[0]])
        batch = [at for at in waiting[: max(budget // length, 1)] if len(inputs[at]) == length]
        waiting = waiting[len(batch) :]
        rows = [row for row, at in enumerate(batch) for _ in targets[at]]
        places = [place for at in batch for place in targets[at]]
        logits = _logits(masked_lm, [inputs[at] for at in batch], rows, places)
        wanted = torch.tensor([token for at in batch for token in targets[at].values()], device=logits.device)
        values = log_softmax(logits.float(), dim=-1).gather(1, wanted[:, None])[:, 0]
        for row, value in zip(rows, values.tolist(), strict=True):
            found[batch[row]].append(value)
    return found


def _logits(masked_lm: MaskedLM, inputs: Sequence[Input], rows: list[int], places: list[int]) -> Tensor:
    """`[target, vocabulary]`."""
    encoder = masked_lm.encoder
    shape = len(inputs), len(inputs[0])

    picked = False

    def only_these(_module: object, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        nonlocal picked
        states = arguments[0]
        if states.shape[:-1] != shape:
            return None
        picked = True
        return (states[rows, places][None], *arguments[1:])

    head = encoder.model.get_output_embeddings()
    handle = head.register_forward_pre_hook(only_these) if head is not None else None
    try:
        with observing(Unobserved()):
            logits = forward(encoder, collate(inputs, encoder.pad))
    finally:
        if handle is not None:
            handle.remove()
    return logits[0] if picked else logits[rows, places]
