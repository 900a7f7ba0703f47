"""Makes the pairs of segments of one epoch from pieces, and the batches in which they are read.

The rule is that of Devlin et al. 2019, appendix A.2, and of their released `create_pretraining_data.py`: pack
consecutive sentences of a document until the budget is full and divide them at a random boundary; for half of the
inputs the second segment comes from another document, and the sentences that it displaces begin the next input.
The longer segment is shortened one piece at a time, from a random end. Each epoch draws all this again.
"""

from typing import NamedTuple

import numpy as np

from generator.topics.learning.run.pretrain.data.vocabulary import BEGIN, PAD, SEPARATOR, Pieces

SPECIAL_TOKENS = 3
"""Begin token and two separators."""
_WINDOW = 64
"""How many batches are sorted by length together."""


class Pairs(NamedTuple):
    """The inputs of an epoch; the first axis is the input."""

    ids: np.ndarray
    """[input, token], padded at the end."""
    lengths: np.ndarray
    """Tokens, special ones included."""
    first: np.ndarray
    """Tokens of the first segment, with begin token and first separator."""
    follows: np.ndarray
    """Whether the second segment follows the first in the text."""


class _Span(NamedTuple):
    """Pieces from `start` to `end` of the text."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


def make_pairs(text: Pieces, max_tokens: int, short: float, rng: np.random.Generator) -> Pairs:
    """Make the inputs of one epoch. `short` is the share of inputs whose length is drawn below `max_tokens`."""
    spans: list[tuple[_Span, _Span, bool]] = []
    for document in range(len(text.documents) - 1):
        at, end = int(text.documents[document]), int(text.documents[document + 1])
        while at < end:
            budget = max_tokens - SPECIAL_TOKENS
            if rng.random() < short:
                budget = int(rng.integers(2, budget + 1))
            stop = _fill(text, at, end, budget)
            middle = int(rng.integers(at + 1, stop)) if stop - at > 1 else stop
            first = _span(text, at, middle)
            follows = middle < stop and bool(rng.random() < 1 / 2)
            second = _span(text, middle, stop) if follows else _elsewhere(text, document, budget - len(first), rng)
            spans.append((*_shorten(first, second, budget, rng), follows))
            # As in BERT's code, text for which another second segment was drawn is read next.
            at = stop if follows else middle
    return _table(text, spans, max_tokens)


def make_batches(lengths: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Divide inputs into full batches `[batch, input]` of like length, in random order.

    Up to `size` - 1 inputs, drawn at random, are left out, so that all batches are full.
    """
    order = rng.permutation(len(lengths))[: len(lengths) // size * size]
    for start in range(0, len(order), _WINDOW * size):
        window = order[start : start + _WINDOW * size]
        order[start : start + _WINDOW * size] = window[np.argsort(lengths[window], kind="stable")]
    return rng.permutation(order.reshape(-1, size))


def _fill(text: Pieces, at: int, end: int, budget: int) -> int:
    """The first sentence before which the sentences from `at` on fill the budget; `end` if they never do."""
    wanted = text.sentences[at] + max(budget, 1)
    return min(int(np.searchsorted(text.sentences, wanted)), end)


def _span(text: Pieces, at: int, stop: int) -> _Span:
    return _Span(int(text.sentences[at]), int(text.sentences[stop]))


def _elsewhere(text: Pieces, document: int, budget: int, rng: np.random.Generator) -> _Span:
    """Text of another document, from a random sentence on."""
    other = int(rng.integers(len(text.documents) - 2))
    # Drawn among all documents but this one.
    other += other >= document
    at, end = int(text.documents[other]), int(text.documents[other + 1])
    at = int(rng.integers(at, end))
    return _span(text, at, _fill(text, at, end, budget))


def _shorten(first: _Span, second: _Span, budget: int, rng: np.random.Generator) -> tuple[_Span, _Span]:
    excess = max(len(first) + len(second) - budget, 0)
    gap = abs(len(first) - len(second))
    # The longer one is cut to the length of the other, then both in turn.
    from_longer = min(excess, gap) + (excess - min(excess, gap) + 1) // 2
    from_first = from_longer if len(first) > len(second) else excess - from_longer
    return _trim(first, from_first, rng), _trim(second, excess - from_first, rng)


def _trim(span: _Span, excess: int, rng: np.random.Generator) -> _Span:
    front = int(rng.binomial(excess, 1 / 2))
    return _Span(span.start + front, span.end - (excess - front))


def _table(text: Pieces, spans: list[tuple[_Span, _Span, bool]], max_tokens: int) -> Pairs:
    ids = np.full((len(spans), max_tokens), PAD, dtype=np.int32)
    first = np.array([len(a) + 2 for a, _, _ in spans])
    lengths = np.array([len(a) + len(b) + SPECIAL_TOKENS for a, b, _ in spans])
    for row, (a, b, _) in zip(ids, spans, strict=True):
        row[0] = BEGIN
        row[1 : len(a) + 1] = text.ids[a.start : a.end]
        row[len(a) + 1] = SEPARATOR
        row[len(a) + 2 : len(a) + 2 + len(b)] = text.ids[b.start : b.end]
        row[len(a) + 2 + len(b)] = SEPARATOR
    return Pairs(ids, lengths, first, np.array([follows for _, _, follows in spans]))
