"""The weights of an encoder by the names that the forward pass in the browser has for them."""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import LayerNorm

from generator.errors import ModelError
from generator.models.encoder import encoder_within
from generator.numbers.writing import listed
from generator.topics.live.compute.families import FAMILIES, Family

ACTIVATION = "gelu"


def family_of(name: str, config: Any) -> Family:
    """How the model is computed. Raises ModelError if the forward pass would compute something else."""
    family, decoder = FAMILIES.get(config.model_type), getattr(config, "is_decoder", False)
    activation = getattr(config, family.activation) if family else ACTIVATION
    if family and activation == ACTIVATION and not decoder:
        return family
    kind = f"{'a decoder' if decoder else 'one'} of the family {config.model_type}"
    unlike = "" if activation == ACTIVATION else f" with {activation}"
    raise ModelError(
        f"Expected an encoder of the family {listed([*FAMILIES], 'or')} with {ACTIVATION}, which a reader's browser "
        f"can run, found {name}, {kind}{unlike}; take `live` away from it in the settings."
    )


def parts(model: Any, family: Family, positions: int, *, masked: bool) -> Mapping[str, Tensor]:
    """Name -> weights, in the order in which they are stored; those of the masked-LM head only if it is `masked`."""
    state = model.state_dict()
    inner = "" if model.base_model is model else f"{model.base_model_prefix}."
    found = dict(_named(state, inner, family.embeddings))
    for layer in range(model.config.num_hidden_layers):
        below = f"{inner}{family.layers}.{layer}."
        found |= {f"{layer}.{name}": weight for name, weight in _named(state, below, family.layer)}
    if family.relative:
        found["near"] = _near(encoder_within(model), positions)
    if masked:
        found |= dict(_named(state, "", family.head))
        # Most models use their input embeddings here, which are stored already.
        if torch.equal(found["words.weight"], found["word"]):
            del found["words.weight"]
    return found


def epsilon(model: Any) -> float:
    """What is added to variances before they divide."""
    return next(float(module.eps) for module in model.modules() if isinstance(module, LayerNorm))


def _named(state: Mapping[str, Tensor], below: str, names: Mapping[str, str]) -> Iterator[tuple[str, Tensor]]:
    """Those that the model has, of each module its weight and its bias."""
    for name, key in names.items():
        for ours, theirs in ((name, key), *((f"{name}.{part}", f"{key}.{part}") for part in ("weight", "bias"))):
            if below + theirs in state:
                yield ours, state[below + theirs]


def _near(encoder: Any, positions: int) -> Tensor:
    """What is added to scores, `[head, distance]`, for keys from `positions` - 1 before a query to as many after it."""
    added = encoder.encoder.compute_position_bias(torch.zeros(1, positions))[0]
    # The last query has every key before it, and the first one every key after it.
    return torch.cat([added[:, -1], added[:, 0, 1:]], dim=1).detach()
