"""Adds up the rows of attention maps; this file is tuned for speed.

Every sum is over the query positions of ONE document for ONE head, so blocks of queries add up and nothing depends on
padding, batch or order. On a CPU the caller hands over one document at a time, whose weights then stay in the
processor's cache, and compiled code adds them up; the same formulas for `[document, head, query, key]` serve all else.

The norm of head h's transformed value is `||f_h(x)|| = sqrt(v' G_h v)` with `G_h = W_O,h' W_O,h`, so the hidden-sized
vectors are never formed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from generator.attention.softmax import compiles, weigh_rows
from generator.attention.sums.compiled import add_up
from generator.attention.sums.primitives import REACH
from generator.corpora.classes import ADDED, CLASSES
from generator.numbers.compiled import one_type

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

    @cached_property
    def text(self) -> Tensor:
        """`[document, token]`: 1 for tokens of the text; classes of added tokens are numbered first."""
        return self.indicators[..., len(ADDED) : CLASSES].sum(-1)


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
        weights, known = weigh_rows(query[..., rows, :], key, hiding, scale, sums.measured)
        sums.add(weights, value, rows.start, known, output[..., rows, :])
        see(weights, rows.start)
        del weights, known  # the next block takes their memory
        yield


class OfLayer(NamedTuple):
    """Sums over the queries of one layer; axes before those named are `[document, head]`."""

    given: Tensor
    """`[class or segment, key]`: the rows of the queries of each class, then of each segment."""
    offsets: Tensor
    """`[2, 2 REACH + 2]`: mass at offsets before -REACH and at each offset from -REACH to REACH, then that of it which
    falls on tokens of the text.
    """
    largest: Tensor
    """Largest weight of each row."""
    entropies: Tensor
    """`[query]`: entropy of each row."""
    norms: Tensor
    """`[token]`: norm of each token's transformed value; NaN where not available."""


class RowSums:
    """Adds up blocks of queries of the same documents; `finish` gives their sums."""

    def __init__(
        self, tokens: Tokens, smoothing: float = 0.0, measured: bool = True, sums: OfLayer | None = None
    ) -> None:
        """Unless `measured`, nothing is added up. `sums` is where to add, by default a place of its own."""
        self._tokens = tokens
        self.measured = measured
        self._smoothing = smoothing
        self._sums = sums
        self._value: Tensor | None = None

    def add(
        self, weights: Tensor, value: Tensor, first: int, known: Tensor | None = None, output: Tensor | None = None
    ) -> Tensor:
        """Observe the queries from `first` on; returns `weights @ value`, in `output` if that is given.

        `known` is what `weigh_rows` gives with these weights; `value` may have width 0.
        """
        if self.measured:
            self._value = value
            if self._sums is None:
                (self._sums,) = nothing(weights, self._tokens)
            # With smoothing the entropy is another one than that of the weights themselves.
            if known is None or self._smoothing:
                known = torch.stack([weights.amax(-1), self._entropy_of(weights)])
            weights = self._add(self._sums, weights, first, known)
        return torch.matmul(weights, value, out=output)

    def finish(self, gram: Tensor | None) -> OfLayer | None:
        """The sums over all queries added; None unless `measured`.

        `gram [head, dim, dim]` is `W_O,h' W_O,h`; without it norms are NaN.
        """
        if not self.measured:
            return None
        assert self._sums, "no queries were observed"
        assert self._value is not None
        if gram is not None:
            self._sums.norms.copy_(value_norms(self._value, gram))
        return self._sums

    def _add(self, sums: OfLayer, weights: Tensor, first: int, known: Tensor) -> Tensor:
        """Add a block; returns its weights, which are 0 for padding."""
        rows, indicators, real = slice(first, first + weights.shape[-2]), self._tokens.indicators, self._tokens.real
        if real is None and compiles(weights):
            kinds, *own = (tensor.numpy()[0] for tensor in (indicators, *sums[:4]))
            add_up(one_type(weights.numpy()[0]), known.numpy()[:, 0], kinds, first, *own)
            return weights
        if real is not None:
            weights, known = weights * real[:, :, rows], known * real[:, :, rows, 0]
        sums.largest.add_(known[0].sum(-1))
        sums.entropies[..., rows] = known[1]
        of_queries = indicators[:, rows].transpose(-1, -2).unsqueeze(1)
        sums.given.add_(torch.matmul(of_queries, weights))
        sums.offsets.add_(_offsets(weights, self._tokens.text, first))
        return weights

    def _entropy_of(self, weights: Tensor) -> Tensor:
        if self._smoothing:
            weights = weights * (1 - self._smoothing) + self._tokens.uniform * self._smoothing
        return torch.special.entr(weights).sum(-1)


def nothing(states: Tensor, tokens: Tokens, layers: int = 1) -> list[OfLayer]:
    """Sums to which nothing was added, one of each layer; `states` are what attention is computed from, `[document,
    head, ...]`.

    All that remains of blocks and layers is allocated here, at once: small pieces of memory that are allocated
    between large ones and remain would keep the next block or layer from using the memory of the last.
    """
    heads, (documents, length, kinds) = states.shape[1], tokens.indicators.shape
    exact = torch.double if states.device.type == "cpu" else states.dtype
    sums = OfLayer(
        given=states.new_zeros(layers, documents, heads, kinds, length),
        offsets=states.new_zeros(layers, documents, heads, 2, 2 * REACH + 2, dtype=exact),
        largest=states.new_zeros(layers, documents, heads, dtype=exact),
        entropies=states.new_zeros(layers, documents, heads, length),
        norms=states.new_full((layers, documents, heads, length), torch.nan),
    )
    return [OfLayer(*parts) for parts in zip(*sums, strict=True)]


def value_norms(value: Tensor, gram: Tensor) -> Tensor:
    """`||f_h(x)||` for each `[document, head, token]` (Kobayashi et al. 2020, section 2)."""
    squared: Tensor = torch.matmul(value, gram).mul_(value).sum(-1)
    return squared.clamp_min_(0).sqrt_()


def _offsets(weights: Tensor, text: Tensor, first: int) -> Tensor:
    """What a block adds to `OfLayer.offsets`; `text` is `[document, token]`, 1 for tokens of the text."""
    queries, keys = weights.shape[-2:]
    # The same for every head and every input of this length.
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
    return torch.cat([before.unsqueeze(-1), torch.stack([band.sum(-2), of_text.sum(-2)], dim=-2)], dim=-1)


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
    # Row i is the query at first + i, so that its last key before the band is at first + i - REACH - 1.
    far = torch.ones(queries, keys, device=device).tril_(first - REACH - 1)
    query = torch.arange(first, first + queries, device=device)
    place = query.unsqueeze(-1) + torch.arange(-REACH, REACH + 1, device=device)
    return _Places(far, place.clamp(0, keys - 1), ((place >= 0) & (place < keys)).float())


def _slices(queries: int, size: int) -> Iterator[slice]:
    return (slice(start, min(start + size, queries)) for start in range(0, queries, size))
