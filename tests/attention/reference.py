"""What an encoder does when nobody observes it: a plain eager forward pass of one unpadded input.

The model is loaded a second time, by transformers alone. The values of each head are formed from the modules that make
them, which are named here family by family; the code under test finds them by comparing tensors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModel

from tests import slow

WITH_SEGMENTS = ("bert", "electra", "albert")


@dataclass(frozen=True)
class Reference:
    """One input as the plain model sees it."""

    maps: np.ndarray
    """`[layer, head, query, key]`, float32."""
    vectors: np.ndarray
    """`[layer, head, key, hidden]`, float64: the transformed values."""
    hidden: np.ndarray
    """`[token, hidden]`, the last hidden states."""


@cache
def plain_model(folder: Path) -> Any:
    """The encoder of that folder with eager attention."""
    model = AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    return model.get_encoder() if model.config.is_encoder_decoder else model


def reference(folder: Path, ids: Sequence[int], segment: Sequence[int]) -> Reference:
    """Run the plain model on one input; the folder is named after its family."""
    model, family = plain_model(folder), folder.name
    arguments = {"input_ids": torch.tensor([ids])}
    if family in WITH_SEGMENTS:
        arguments["token_type_ids"] = torch.tensor([segment])
    with torch.inference_mode():
        output = model(**arguments, output_attentions=True, output_hidden_states=True)
        maps = torch.cat(output.attentions).numpy()
        vectors = [
            _transformed(family, model, layer, output.hidden_states[layer][0], maps.shape[1])
            for layer in range(len(maps))
        ]
    return Reference(maps, np.stack(vectors), output.last_hidden_state[0].numpy())


def _transformed(family: str, model: Any, layer: int, states: torch.Tensor, heads: int) -> np.ndarray:
    norm, value, bias, output = _modules(family, model, layer)
    bias = torch.zeros(len(value)) if bias is None else bias
    arrays = [tensor.double().numpy() for tensor in (states if norm is None else norm(states), value, bias, output)]
    return slow.transformed(*arrays, heads)


def _modules(family: str, model: Any, layer: int) -> tuple[Any, torch.Tensor, torch.Tensor | None, torch.Tensor]:
    """What is applied to the states first, W_V, b_V and W_O of one layer."""
    if family == "t5":
        block = model.block[layer].layer[0]
        return block.layer_norm, block.SelfAttention.v.weight, None, block.SelfAttention.o.weight
    if family == "modernbert":
        block = model.layers[layer]
        return block.attn_norm, block.attn.Wqkv.weight.chunk(3)[2], None, block.attn.Wo.weight
    if family == "eurobert":
        attention, norm = model.layers[layer].self_attn, model.layers[layer].input_layernorm
        grouped = attention.v_proj.weight.unflatten(0, (-1, attention.head_dim))
        value = grouped.repeat_interleave(attention.num_key_value_groups, 0).flatten(0, 1)
        return norm, value, None, attention.o_proj.weight
    if family == "distilbert":
        attention = model.transformer.layer[layer].attention
        value, output = attention.v_lin, attention.out_lin
    elif family == "albert":
        attention = model.encoder.albert_layer_groups[0].albert_layers[0].attention
        value, output = attention.value, attention.dense
    else:
        attention = model.encoder.layer[layer].attention
        if family == "mpnet":
            value, output = attention.attn.v, attention.attn.o
        elif family == "deberta-v2":
            value, output = attention.self.value_proj, attention.output.dense
        else:
            value, output = attention.self.value, attention.output.dense
    return None, value.weight, value.bias, output.weight
