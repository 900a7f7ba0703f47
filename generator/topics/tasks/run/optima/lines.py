"""What classifiers answer and lose, and what those lose whose weights lie on the straight line between two of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.nn.functional import cross_entropy
from transformers import PreTrainedModel

from generator.errors import ModelError
from generator.progress import tell
from generator.topics.tasks.run.finetune.data import Tokenized

State = Mapping[str, torch.Tensor]
STEPS = 10
"""Steps of equal length into which a line is divided."""
_AT_ONCE = 64
"""Examples in one forward pass."""


class Answered(NamedTuple):
    """What a classifier makes of examples."""

    losses: np.ndarray
    """`[example]`, in nats."""
    said: np.ndarray
    """`[example]`: class indices."""


@torch.inference_mode()
def answered(model: PreTrainedModel, examples: Tokenized, device: torch.device, text: str) -> Answered:
    """In float32 and evaluation mode. Raises ModelError if a loss is not finite; `text` says in it whose it is."""
    model.eval()
    order = np.argsort(examples.lengths, kind="stable")
    losses, said = [], []
    for start in range(0, len(order), _AT_ONCE):
        batch = {name: part.to(device) for name, part in examples.batch(order[start : start + _AT_ONCE]).items()}
        labels = batch.pop("labels")
        logits = model(**batch).logits
        losses.append(cross_entropy(logits, labels, reduction="none").double().cpu().numpy())
        said.append(logits.argmax(-1).cpu().numpy())
    back = np.argsort(order)
    found = Answered(np.concatenate(losses)[back], np.concatenate(said)[back])
    if not np.isfinite(found.losses).all():
        raise ModelError(
            f"Expected finite losses of {text}, found others; train it again at a lower --rate, with another --out."
        )
    tell(int(examples.lengths.sum()))
    return found


def between(first: State, second: State, share: float) -> dict[str, torch.Tensor]:
    """Weights at a share of the straight way from one model to another, head included; what is no weight, such as a
    table of positions, is that of the first.
    """
    return {
        name: torch.lerp(one.double(), second[name].double(), share).to(one.dtype) if one.is_floating_point() else one
        for name, one in first.items()
    }


def along(
    model: PreTrainedModel,
    ends: tuple[State, State],
    splits: Sequence[Tokenized],
    device: torch.device,
    text: str,
) -> list[np.ndarray]:
    """`[example, point]` of each split: losses at the points between two models, the models themselves left out.

    The weights of `model` are replaced. Raises ModelError if a loss is not finite.
    """
    found: list[list[np.ndarray]] = [[] for _ in splits]
    for step in range(1, STEPS):
        model.load_state_dict(between(*ends, step / STEPS))
        for at, examples in enumerate(splits):
            found[at].append(answered(model, examples, device, text).losses)
    return [np.stack(losses, axis=1) for losses in found]
