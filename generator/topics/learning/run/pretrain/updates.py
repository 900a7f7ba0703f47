"""What changes the weights: one optimiser or two, and a learning rate that rises and falls.

AdamW is BERT's. Muon (Jordan et al. 2024; with weight decay and the rate of AdamW, Liu et al. 2025, "Muon is Scalable
for LLM Training") makes the update of a matrix orthogonal, so that all its directions are learned at the same pace. It
is used for the matrices inside the layers; embeddings, prediction heads, biases and layer norms stay with AdamW.
"""

from typing import Any

import torch
from transformers import BertForPreTraining, get_linear_schedule_with_warmup

from generator.topics.learning.run.pretrain.settings import Pretraining

EPSILON = 1e-6
"""AdamW's epsilon, as in BERT's released code."""


class Updates:
    """The optimisers of a model and their schedules, as one."""

    def __init__(self, settings: Pretraining, model: BertForPreTraining) -> None:
        self._optimisers = _optimisers(settings, model)
        self._schedules = [
            get_linear_schedule_with_warmup(optimiser, settings.warm_up, settings.steps)
            for optimiser in self._optimisers
        ]

    @property
    def rate(self) -> float:
        """The learning rate of the next step."""
        return float(self._schedules[0].get_last_lr()[0])

    def step(self) -> None:
        """Update the weights by their gradients, clear the gradients, and set the rate of the next step."""
        for optimiser, schedule in zip(self._optimisers, self._schedules, strict=True):
            optimiser.step()
            schedule.step()
            optimiser.zero_grad(set_to_none=True)

    def state_dict(self) -> dict[str, list[Any]]:
        """All that `load_state_dict` needs."""
        return {
            "optimisers": [optimiser.state_dict() for optimiser in self._optimisers],
            "schedules": [schedule.state_dict() for schedule in self._schedules],
        }

    def load_state_dict(self, state: dict[str, list[Any]]) -> None:
        """Go on from a saved state."""
        for name, parts in (("optimisers", self._optimisers), ("schedules", self._schedules)):
            for part, found in zip(parts, state[name], strict=True):
                part.load_state_dict(found)


def _optimisers(settings: Pretraining, model: BertForPreTraining) -> list[torch.optim.Optimizer]:
    parameters = [weights for weights in model.parameters() if weights.requires_grad]
    inside = {weights for weights in model.bert.encoder.parameters() if weights.ndim > 1}
    taken = inside if settings.optimiser == "muon" else set()
    rest = [weights for weights in parameters if weights not in taken]
    groups = [  # as in BERT, biases and layer norms do not decay
        {"params": [weights for weights in rest if weights.ndim > 1], "weight_decay": settings.weight_decay},
        {"params": [weights for weights in rest if weights.ndim <= 1], "weight_decay": 0.0},
    ]
    found: list[torch.optim.Optimizer] = [torch.optim.AdamW(groups, lr=settings.rate, eps=EPSILON, fused=True)]
    if taken:
        matrices = [weights for weights in parameters if weights in taken]
        same_size = "match_rms_adamw"  # so that one rate and one decay serve both
        found.append(
            torch.optim.Muon(matrices, lr=settings.rate, weight_decay=settings.weight_decay, adjust_lr_fn=same_size)
        )
    return found
