"""The primitives of documents, from the sums over the rows of all layers."""

from collections.abc import Sequence
from dataclasses import fields

import torch
from torch import Tensor

from generator.attention.sums.primitives import NEAR, REACH, Primitives
from generator.attention.sums.rows import OfLayer, Tokens
from generator.corpora.classes import ADDED, CLASSES


def primitives(layers: Sequence[OfLayer | None], tokens: Tokens) -> Primitives:
    """The primitives of one or more documents, tensors `[document, layer, head, ...]`; without entries if nothing was
    measured.
    """
    measured = [layer for layer in layers if layer is not None]
    if not measured:
        return Primitives(*[tokens.indicators[:, :0]] * len(fields(Primitives)))
    sums = OfLayer(*(torch.stack(some, dim=1) for some in zip(*measured, strict=True)))
    indicators = tokens.indicators[:, None, None]  # the same for all layers and heads
    classes = indicators[..., :CLASSES]
    mass = torch.matmul(sums.given, indicators)
    # Every query is of one class; the rows of segments would count it again.
    received = sums.given[..., :CLASSES, :].sum(-2)
    sink, position = received.max(-1)
    offsets, of_text = sums.offsets.unbind(-2)
    text = mass[..., :CLASSES, len(ADDED) : CLASSES].sum((-1, -2))
    return Primitives(
        mass=mass[..., :CLASSES, :CLASSES],
        same_segment=mass[..., CLASSES:, CLASSES:].diagonal(dim1=-2, dim2=-1).sum(-1),
        offsets=_with_rest(offsets, received.sum(-1)),
        near=of_text[..., 1 + REACH + NEAR[0] : 2 + REACH + NEAR[-1]].sum(-1),
        far=_with_rest(of_text, text)[..., [0, -1]],
        entropy=(classes.transpose(-1, -2) * sums.entropies.unsqueeze(-2)).sum(-1),  # more exact than a product
        largest=sums.largest,
        sink=sink,
        sink_position=position,
        norm=torch.matmul((received * sums.norms).unsqueeze(-2), classes).squeeze(-2),
        received=received,
        value_norm=sums.norms,
        row_entropy=sums.entropies,
    )


def _with_rest(offsets: Tensor, total: Tensor) -> Tensor:
    """The mass at offsets, and at the end what is left of the total: the mass at offsets after REACH."""
    # Only rounding makes it negative.
    rest = (total - offsets.sum(-1)).clamp_min(0)
    return torch.cat([offsets, rest.unsqueeze(-1)], dim=-1)
