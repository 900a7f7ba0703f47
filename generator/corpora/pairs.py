"""Makes what the model reads from documents: pairs of consecutive paragraphs with the tokenizer's own special tokens.

The rule is that of Clark et al. 2019, section 3, and of their released preprocessing: pack consecutive text until the
budget is full, divide it in two parts at a random boundary, then shorten the longer part one token at a time
from a random end. Two differences: whole paragraphs are packed, as the paper says, where the code packs sentences;
and a paragraph longer than the budget is first cut into pieces of half the budget, so that a document
longer than one input is split into several. What is trimmed, and a last paragraph without a partner, is not read.

Randomness is drawn from the seed and the document's name, so no document depends on any other.
"""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generator.corpora.classes import TokenClass
from generator.corpora.plain import PlainText

SEGMENTS = 2
"""The most segments that one input has."""


@dataclass(frozen=True)
class Document:
    """A text with a name; the unit over which intervals are taken, unless stated otherwise."""

    id: str
    """Unique within its corpus."""
    paragraphs: tuple[str, ...]
    """In reading order, none empty."""


@dataclass(frozen=True)
class Input:
    """What one forward pass reads of a text. The three tuples have one entry per token."""

    document: str
    part: int
    """The input's number within its document, 1-based; a document too long for one input has several."""
    input_ids: tuple[int, ...]
    segment_ids: tuple[int, ...]
    """0 for the first of two texts, its begin token and its separator; 1 for the rest. Of one text all are 0."""
    classes: tuple[TokenClass, ...]

    @property
    def place(self) -> tuple[str, int]:
        """Its document and part, which tell it from all other inputs of its corpus."""
        return self.document, self.part

    def __len__(self) -> int:
        return len(self.input_ids)


@dataclass(frozen=True)
class WordInput:
    """A sentence of given words, each tokenized by itself, with the places of the words' pieces."""

    input: Input
    pieces: np.ndarray
    """Positions in the input of all pieces of words, in order."""
    lengths: np.ndarray
    """How many pieces each word has; at least one."""

    @property
    def starts(self) -> np.ndarray:
        """The index of each word's first piece in `pieces`."""
        starts: np.ndarray = np.cumsum(self.lengths) - self.lengths
        return starts


class PairMaker:
    """Makes inputs of at most `max_tokens` tokens with one tokenizer."""

    def __init__(self, tokenizer: Any, max_tokens: int, seed: int = 0) -> None:
        self._tokenizer = tokenizer
        self._seed = seed
        self._template = PairTemplate(tokenizer)
        self._budget = max_tokens - self._template.length
        self._single_budget = max_tokens - self._template.single_length
        self._encode = PlainText(tokenizer).ids
        self._unknown = tokenizer.unk_token_id or 0
        self._classes: dict[int, TokenClass] = {}

    def inputs(self, document: Document) -> list[Input]:
        """The document's inputs in reading order; none when it holds a single paragraph that fits into one input."""
        digest = hashlib.sha256(f"{self._seed}:{document.id}".encode()).digest()
        rng = random.Random(int.from_bytes(digest[:8], "big"))
        pairs = list(_pairs(self._pieces(document), self._budget, rng))
        return [self._assemble(document.id, part, a, b) for part, (a, b) in enumerate(pairs, start=1)]

    def sentence(self, name: str, text: str) -> Input:
        """A single text with its special tokens, cut at `max_tokens`."""
        ids = self._encode(text)[: self._single_budget]
        return self._assemble(name, 1, ids, None)

    def pair(self, name: str, first: str, second: str | None) -> Input:
        """One text or two, for labelled tasks; if they are too long, tokens are cut from the end of the longer one.

        Kovaleva et al. 2019 trim in this way, too (released notebook, cell 3).
        """
        if second is None:
            return self.sentence(name, first)
        a, b = self._encode(first), self._encode(second)
        for _ in range(len(a) + len(b) - self._budget):
            (a if len(a) > len(b) else b).pop()
        return self._assemble(name, 1, a, b)

    def words(self, name: str, forms: Sequence[str]) -> WordInput | None:
        """A sentence of these words; None when it is longer than an input can be.

        A word for which the tokenizer gives no piece, such as a lone control character, becomes its unknown token.
        """
        ids = [self._word(form) for form in forms]
        flat = [token for word in ids for token in word]
        if len(flat) > self._single_budget:
            return None
        first = self._template.first
        return WordInput(
            input=self._assemble(name, 1, flat, None),
            pieces=np.arange(first, first + len(flat)),
            lengths=np.array([len(word) for word in ids]),
        )

    def fitting(self, forms: Sequence[str]) -> int:
        """How many words, from the first on, fit into one input."""
        left = self._single_budget
        for count, form in enumerate(forms):
            left -= len(self._word(form))
            if left < 0:
                return count
        return len(forms)

    def _word(self, form: str) -> list[int]:
        return self._encode(f" {form}") or [self._unknown]

    def _pieces(self, document: Document) -> Iterator[list[int]]:
        for paragraph in document.paragraphs:
            ids = self._encode(paragraph)
            step = len(ids) if len(ids) <= self._budget else (self._budget + 1) // 2
            yield from (ids[start : start + step] for start in range(0, len(ids), max(step, 1)))

    def _assemble(self, name: str, part: int, a: Sequence[int], b: Sequence[int] | None) -> Input:
        filled = self._template.fill(a, b)
        return Input(
            document=name,
            part=part,
            input_ids=tuple(token for token, _, _ in filled),
            segment_ids=tuple(segment for _, segment, _ in filled),
            classes=tuple(self._class_of(token) if kind is None else kind for token, _, kind in filled),
        )

    def _class_of(self, token: int) -> TokenClass:
        if token not in self._classes:
            # Decoded, because vocabularies mark the space before a piece in several ways.
            exact = self._tokenizer.decode([token]).strip() in (".", ",")
            self._classes[token] = TokenClass.PUNCTUATION if exact else TokenClass.OTHER
        return self._classes[token]


class PairTemplate:
    """Where a tokenizer puts special tokens around one text and between two; found from its own output."""

    def __init__(self, tokenizer: Any) -> None:
        ids, special = _encode_with_specials(tokenizer, "a", "b")
        self.prefix = ids[: _leading(special)]
        self.suffix = ids[len(ids) - _leading(special[::-1]) :]
        inner = range(len(self.prefix), len(ids) - len(self.suffix))
        self.middle = [ids[i] for i in inner if special[i]]
        single, single_special = _encode_with_specials(tokenizer, "a", None)
        self._single_suffix = single[len(single) - _leading(single_special[::-1]) :]
        begin = getattr(tokenizer, "cls_token_id", None)
        # Where a tokenizer names no [CLS], or does not add it, what stands first takes its part.
        self._begin = begin if begin in ids else next(iter(self.prefix), None)

    @property
    def first(self) -> int:
        """The 0-based position at which the text starts."""
        return len(self.prefix)

    @property
    def length(self) -> int:
        """How many special tokens an input of two texts has."""
        return len(self.prefix) + len(self.middle) + len(self.suffix)

    @property
    def single_length(self) -> int:
        """How many special tokens an input of one text has."""
        return len(self.prefix) + len(self._single_suffix)

    def fill(self, a: Sequence[int], b: Sequence[int] | None) -> list[tuple[int, int, TokenClass | None]]:
        """Token id, segment id and class of every token of an input; the class is None for tokens of the text."""
        if b is None:
            return [*self._added(self.prefix, 0), *((i, 0, None) for i in a), *self._added(self._single_suffix, 0)]
        return [
            *self._added(self.prefix, 0),
            *((i, 0, None) for i in a),
            *self._added(self.middle[:1], 0),
            *self._added(self.middle[1:], 1),
            *((i, 1, None) for i in b),
            *self._added(self.suffix, 1),
        ]

    def _added(self, ids: Sequence[int], segment: int) -> list[tuple[int, int, TokenClass | None]]:
        return [(i, segment, TokenClass.BEGIN if i == self._begin else TokenClass.SEPARATOR) for i in ids]


def _encode_with_specials(tokenizer: Any, a: str, b: str | None) -> tuple[list[int], list[int]]:
    encoded = tokenizer(a, b, return_special_tokens_mask=True)
    return list(encoded["input_ids"]), list(encoded["special_tokens_mask"])


def _leading(special: Sequence[int]) -> int:
    """Length of the run of special tokens at the start."""
    return next((i for i, mark in enumerate(special) if not mark), len(special))


def _pairs(pieces: Iterable[list[int]], budget: int, rng: random.Random) -> Iterator[tuple[list[int], list[int]]]:
    chunk: list[list[int]] = []
    for piece in pieces:
        chunk.append(piece)
        if len(chunk) >= 2 and sum(map(len, chunk)) >= budget:
            yield _divide(chunk, budget, rng)
            chunk = []
    if len(chunk) >= 2:
        yield _divide(chunk, budget, rng)


def _divide(chunk: list[list[int]], budget: int, rng: random.Random) -> tuple[list[int], list[int]]:
    boundary = rng.randrange(1, len(chunk))
    a = [token for piece in chunk[:boundary] for token in piece]
    b = [token for piece in chunk[boundary:] for token in piece]
    while len(a) + len(b) > budget:
        longer = a if len(a) > len(b) else b
        longer.pop(0 if rng.random() < 0.5 else -1)
    return a, b
