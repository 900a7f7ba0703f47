"""What a masked LM says of hidden tokens, of many inputs at once."""

from collections.abc import Mapping, Sequence
from itertools import islice

import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from generator.attention.batches import collate
from generator.attention.dot_product import attend_fused
from generator.attention.gradient import target_logits
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
        read = collate([inputs[at] for at in batch], masked_lm.encoder.pad)
        with torch.inference_mode(), observing(Unobserved()):
            logits = target_logits(masked_lm.encoder, read, [targets[at] for at in batch])
        wanted = torch.tensor([token for at in batch for token in targets[at].values()], device=logits.device)
        values = iter(log_softmax(logits.float(), dim=-1).gather(1, wanted[:, None])[:, 0].tolist())
        for at in batch:
            found[at] = list(islice(values, len(targets[at])))
    return found
