"""From attention weights to the few sums from which every measure is computed; this file is tuned for speed.

A primitive is a sum over the query positions of ONE document for ONE head, so blocks of queries add up and nothing
depends on padding, batch or order. The formulas are written once, for `[document, head, query, key]`; on a CPU the
caller hands over one document at a time, whose weights then stay in the processor's cache.

Two identities keep the cost near zero. The entropy of a row is `ln Z - sum A (s - max s)`, and `1 / Z` is the row's
largest weight, so no logarithm of the weights is taken. The norm of head h's transformed value is
`||f_h(x)|| = sqrt(v' G_h v)` with `G_h = W_O,h' W_O,h`, so the hidden-sized vectors are never formed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from generator.attention.dot_product import weigh
from generator.attention.sums import NEAR, REACH, Primitives
from generator.corpora.classes import ADDED, CLASSES

TILE_ABOVE = 1024
"""Inputs longer than this are observed a block of queries at a time."""
BLOCK = 32
"""Queries in a block: one block of 12 heads at 8192 keys is 13 MB."""
AT_ONCE = 1 << 15
"""How many weights of a head one product adds up in float32. On a processor with AVX512, adding up the million weights
of 1,024 tokens at once was measured to make a share of attention wrong by 9e-6, adding parts of this size by 2e-7.
"""


@dataclass(frozen=True)
class Tokens:
    """What the primitives need to know of the tokens of one or more documents."""

    indicators: Tensor
    """`[document, token, CLASSES + 2]`: 1 where a token is of a class or a segment; 0 for padding."""
    uniform: Tensor
    """`[document, 1, 1, token]`: one over the number of real tokens; 0 for padding."""
    real: Tensor | None
    """`[document, 1, token, 1]`: 1 for real queries; None when no token is padding."""


See = Callable[[Tensor, int], None]
"""A function that is shown weights `[document, head, query, key]` and told the 0-based place of their first query."""


def attend_observed(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    scale: float,
    sums: "RowSums",
    see: See,
    output: Tensor,
) -> Iterator[None]:
    """Compute scaled dot-product attention and observe it, one block of queries at every step of the iterator.

    Fills `output [document, head, query, dim]`.
    """
    queries = query.shape[-2]
    for rows in _slices(queries, queries if queries <= TILE_ABOVE else BLOCK):
        hiding = bias[..., rows, :] if bias is not None and bias.shape[-2] > 1 else bias
        logits, weights = weigh(query[..., rows, :], key, hiding, scale)
        output[..., rows, :] = sums.add(weights, value, rows.start, logits)
        see(weights, rows.start)
        del logits, weights  # the next block takes their memory
        yield


class RowSums:
    """Adds up blocks of queries of the same documents; `finish` gives their primitives."""

    def __init__(self, tokens: Tokens, smoothing: float = 0.0, measured: bool = True) -> None:
        """Unless `measured`, nothing is added up, and the primitives have no entries."""
        self._tokens = tokens
        self._measured = measured
        self._smoothing = smoothing
        self._sums: list[Tensor] | None = None
        self._entropies: list[Tensor] = []
        """Of the rows, block by block, `[document, head, query]`."""
        self._value: Tensor | None = None

    def add(self, weights: Tensor, value: Tensor, first: int, logits: Tensor | None = None) -> Tensor:
        """Observe the queries from `first` on; returns `weights @ value`.

        `logits` are those of the weights and are overwritten here; `value` may have width 0.
        """
        if not self._measured:
            return torch.matmul(weights, value)
        indicators = self._tokens.indicators
        rows = slice(first, first + weights.shape[-2])
        largest = weights.amax(-1)
        entropy = self._entropy(weights, largest, logits)
        if self._tokens.real is not None:
            real = self._tokens.real[:, :, rows]
            weights = weights * real
            largest, entropy = largest * real[..., 0], entropy * real[..., 0]

        of_queries = indicators[:, rows].transpose(-1, -2).unsqueeze(1)
        given = torch.matmul(of_queries, weights)  # by queries of each class and segment to each key
        text = indicators[..., len(ADDED) : CLASSES].sum(-1)  # classes of added tokens are numbered first
        offsets, near, within = _offsets(weights, text, first)
        sums = [
            torch.matmul(given, indicators.unsqueeze(1)),
            offsets,
            near,
            within,
            largest.sum(-1),
            given[..., :CLASSES, :].sum(-2),
        ]
        self._sums = sums if self._sums is None else [a + b for a, b in zip(self._sums, sums, strict=True)]
        self._entropies.append(entropy)
        self._value = value
        return torch.matmul(weights, value)

    def finish(self, gram: Tensor | None) -> Primitives:
        """The primitives of all queries added; `gram [head, dim, dim]` is `W_O,h' W_O,h`; without it norms are NaN."""
        if not self._measured:
            return Primitives(*[self._tokens.indicators[:, 0, :0]] * len(fields(Primitives)))
        assert self._sums, "no queries were observed"
        assert self._value is not None
        mass, offsets, near, within, largest, received = self._sums
        classes = self._tokens.indicators[..., :CLASSES]
        rows = torch.cat(self._entropies, dim=-1) if self._entropies[1:] else self._entropies[0]
        norms = torch.full_like(received, torch.nan) if gram is None else value_norms(self._value, gram)
        norm = torch.matmul((received * norms).unsqueeze(-2), classes.unsqueeze(1)).squeeze(-2)
        sink, position = received.max(-1)
        after = (received.sum(-1) - offsets.sum(-1)).unsqueeze(-1)
        of_text = mass[..., :CLASSES, len(ADDED) : CLASSES].sum((-1, -2))
        text_after = (of_text - within.sum(-1)).unsqueeze(-1)
        return Primitives(
            mass=mass[..., :CLASSES, :CLASSES],
            same_segment=mass[..., CLASSES:, CLASSES:].diagonal(dim1=-2, dim2=-1).sum(-1),
            offsets=torch.cat([offsets, after.clamp_min(0)], dim=-1),
            near=near,
            far=torch.cat([within[..., :1], text_after.clamp_min(0)], dim=-1),
            entropy=(classes.transpose(-1, -2).unsqueeze(1) * rows.unsqueeze(-2)).sum(-1),  # more exact than a product
            largest=largest,
            sink=sink,
            sink_position=position,
            norm=norm,
            received=received,
            value_norm=norms,
            row_entropy=rows,
        )

    def _entropy(self, weights: Tensor, largest: Tensor, logits: Tensor | None) -> Tensor:
        if self._smoothing:
            smooth = weights * (1 - self._smoothing) + self._tokens.uniform * self._smoothing
            return torch.special.entr(smooth).sum(-1)
        if logits is None:
            return torch.special.entr(weights).sum(-1)
        logits -= logits.amax(-1, keepdim=True)
        return -torch.log(largest) - logits.mul_(weights).sum(-1)


def value_norms(value: Tensor, gram: Tensor) -> Tensor:
    """`||f_h(x)||` for each `[document, head, token]` (Kobayashi et al. 2020, section 2)."""
    squared: Tensor = torch.matmul(value, gram).mul_(value).sum(-1)
    return squared.clamp_min(0).sqrt()


def _offsets(weights: Tensor, text: Tensor, first: int) -> tuple[Tensor, Tensor, Tensor]:
    """The mass at offsets before -REACH and at each offset from -REACH to REACH, `[document, head, 2 REACH + 2]`; and
    the mass that falls on tokens of the text at the offsets NEAR, `[document, head]`, and at those before -REACH and
    from -REACH to REACH, `[document, head, 2]`.

    The mass after REACH follows from the total. `text` is `[document, token]`, 1 for tokens of the text.
    """
    queries, keys = weights.shape[-2:]
    far, place, inside = _places(queries, keys, first, weights.device)
    parts = _slices(queries, max(AT_ONCE // keys, 1))
    to_all_and_text = torch.stack([far.expand(len(text), -1, -1), far * text.unsqueeze(1)], dim=1)
    masses = [
        torch.matmul(weights[..., rows, :].flatten(-2), to_all_and_text[..., rows, :].flatten(-2).transpose(-1, -2))
        for rows in parts
    ]
    before = torch.stack(masses).sum(0) if masses[1:] else masses[0]
    band = weights.gather(-1, place.expand(*weights.shape[:-2], -1, -1)) * inside
    of_text = band * text[:, place].unsqueeze(1)
    near = of_text[..., REACH + NEAR[0] : REACH + NEAR[-1] + 1].sum((-1, -2))
    within = torch.cat([before[..., 1:], of_text.sum((-1, -2)).unsqueeze(-1)], dim=-1)
    return torch.cat([before[..., :1], band.sum(-2)], dim=-1), near, within


class _Places(NamedTuple):
    """Where the offsets of a block of queries lie, the same for every head."""

    far: Tensor
    """`[query, key]`: 1 where the key lies before offset -REACH."""
    band: Tensor
    """`[query, 2 REACH + 1]`: the position of the key at each offset, or the nearest position that there is."""
    inside: Tensor
    """`[query, 2 REACH + 1]`: 1 where there is a key at that offset."""


@lru_cache(maxsize=4)
def _places(queries: int, keys: int, first: int, device: torch.device) -> _Places:
    """The places for the queries from `first` on; kept, because inputs of the same length follow each other."""
    far = torch.ones(queries, keys, device=device).tril_(first - REACH - 1)
    query = torch.arange(first, first + queries, device=device)
    place = query.unsqueeze(-1) + torch.arange(-REACH, REACH + 1, device=device)
    return _Places(far, place.clamp(0, keys - 1), ((place >= 0) & (place < keys)).float())


def _slices(queries: int, size: int) -> Iterator[slice]:
    return (slice(start, min(start + size, queries)) for start in range(0, queries, size))
