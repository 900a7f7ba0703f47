"""The probabilities that a masked LM gives to hidden tokens, for many inputs at once."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import torch
from torch import Tensor
from torch.nn.functional import log_softmax

from generator.attention.batches import collate
from generator.attention.dot_product import attend_fused
from generator.attention.gradient import target_logits
from generator.attention.hook import observing
from generator.attention.portions import in_portions
from generator.corpora.pairs import Input
from generator.models.masked_lm import MaskedLM


class Unobserved:
    """Computes attention for a model that is set to the hook, and observes nothing."""

    def layer(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
        """Attention of one layer for the whole batch."""
        return attend_fused(query, key, value, bias, scale)


def log_probabilities(
    masked_lm: MaskedLM, inputs: Sequence[Input], targets: Sequence[Mapping[int, int]]
) -> list[list[float]]:
    """For every input the log-probabilities of its targets, in nats; targets are 0-based position -> vocabulary id.

    Inputs of equal length share a batch, so that there is no padding.
    """
    encoder = masked_lm.encoder
    found: list[list[float]] = [[] for _ in inputs]

    def read(places: Sequence[int]) -> Iterator[tuple[int, list[float]]]:
        batch, wanted = collate([inputs[at] for at in places], encoder.pad), [targets[at] for at in places]
        with torch.inference_mode(), observing(Unobserved()):
            logits = target_logits(encoder, batch, wanted)
        tokens = torch.tensor([token for some in wanted for token in some.values()], device=logits.device)
        # In float32: in half precision log-probabilities of rare words round to one another.
        values = iter(log_softmax(logits.float(), dim=-1).gather(1, tokens[:, None])[:, 0].tolist())
        return ((at, list(islice(values, len(targets[at])))) for at in places)

    asked = [at for at in range(len(inputs)) if targets[at]]
    for at, values in in_portions(encoder, asked, read, size=lambda at: len(inputs[at]), padded=False):
        found[at] = values
    return found
