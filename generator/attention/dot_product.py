"""Scaled dot-product attention, and the mask that says which tokens a query may see.

Whatever observes, changes or differentiates a model's attention computes it here. `query`, `key` and `value` are
`[document, head, token, dim]`. A mask is what the model adds to the logits: `bias`, which broadcasts to `[document,
head, query, key]`, is 0 or a small number (a position bias) for a token that a query sees and far below zero for one
that it does not, padding above all; None hides nothing.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from generator.models.precision import at_least_float32

HIDDEN = -1000.0
"""Whatever is added to the logit of a hidden token lies far below this; such a logit leaves no weight."""


class Weighed(NamedTuple):
    """Attention before and after the softmax, both `[document, head, query, key]`."""

    logits: Tensor
    weights: Tensor
    """The softmax of the logits: each row sums to 1."""


def weigh(query: Tensor, key: Tensor, bias: Tensor | None, scale: float) -> Weighed:
    """The attention weights, and the logits that they are the softmax of; gradients can flow."""
    logits = torch.matmul(query, key.transpose(-1, -2)).mul_(scale)
    if bias is not None:
        logits += bias
    return Weighed(logits, torch.softmax(logits, dim=-1))


def attend(query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
    """The output `[document, head, query, dim]`: for every query, the mean of the values weighted by attention."""
    return torch.matmul(weigh(query, key, bias, scale).weights, value)


def attend_fused(query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float) -> Tensor:
    """The output of `attend` up to rounding, but faster: the weights are never formed, so nothing can look at them."""
    return scaled_dot_product_attention(query, key, value, attn_mask=bias, scale=scale)


def rows_of_one(weights: Tensor) -> Tensor:
    """The weights in float32 or more; if a model rounded them to fewer digits, every row sums to 1 again."""
    exact = at_least_float32(weights)
    return exact if exact is weights else exact / exact.sum(-1, keepdim=True).clamp_min(torch.finfo(torch.float32).tiny)


def visible(bias: Tensor) -> Tensor:
    """True where a query sees a key, in the shape of the mask."""
    return bias > HIDDEN


def among_real(bias: Tensor | None, rows: slice, length: int) -> Tensor | None:
    """The mask for these documents, cut to their first `length` tokens; None if it is known to hide and add nothing.

    On a GPU this is not looked up, because the CPU would have to wait for the answer.
    """
    if bias is None:
        return None
    bias = bias[rows if bias.shape[0] > 1 else slice(None)]
    cropped = bias[..., : length if bias.shape[-2] > 1 else 1, :length]
    return cropped if cropped.device.type != "cpu" or bool(cropped.any()) else None


def without_keys(bias: Tensor | None, key: Tensor, hidden: Tensor) -> Tensor:
    """The mask that also hides some keys of each document from every query; `hidden` is `[document, token]`."""
    shown = key.new_zeros(1, 1, 1, key.shape[2]) if bias is None else bias
    # Not minus infinity, of which a whole row would give NaN.
    return shown.masked_fill(hidden[:, None, None], torch.finfo(shown.dtype).min)
