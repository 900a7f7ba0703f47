"""Inputs that are changed on purpose: tokens replaced, moved or left out, segment ids exchanged.

Changes are drawn with the seed, a name of what they are for and the input's own name, so that no input depends on
another.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from generator.corpora.classes import ADDED, TokenClass
from generator.corpora.pairs import Input
from generator.studies.halves import order

FEWEST_TOKENS = 8
"""The fewest tokens of text between the last separator and the one before it."""
MORE_SEPARATORS = 2
"""How many tokens of the text `repeated` makes separators."""

PARTS = 6
"""The most inputs of one document that studies of losses read. On 45 long articles, reading six instead of all moved
the means of gradients by half of the half-width of their intervals, and widened intervals of layers by a sixth.
"""


def draws(item: Input, purpose: str, seed: int) -> np.random.Generator:
    """Random numbers that belong to this input, this purpose and this seed."""
    digest = hashlib.sha256(f"{seed}:{purpose}:{item.document}:{item.part}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def one_each(inputs: Sequence[Input], most: int, seed: int) -> list[Input]:
    """The first input of each of at most `most` documents, which are drawn by name."""
    first: dict[str, Input] = {}
    for item in inputs:
        if item.document not in first or item.part < first[item.document].part:
            first[item.document] = item
    return [first[name] for name in order(list(first), seed)[:most]]


def few_each(inputs: Sequence[Input], seed: int, most: int = PARTS) -> list[Input]:
    """All inputs of short documents, and `most` inputs of every longer one, drawn by name; in their order."""
    parts: dict[str, list[Input]] = {}
    for item in inputs:
        parts.setdefault(item.document, []).append(item)
    kept: set[tuple[str, int]] = set()
    for items in parts.values():
        names = order([f"{item.document}:{item.part}" for item in items], seed)[:most]
        kept |= {item.place for item in items if f"{item.document}:{item.part}" in names}
    return [item for item in inputs if item.place in kept]


def text_places(item: Input) -> np.ndarray:
    """0-based positions of all tokens of the text, which the tokenizer did not add."""
    return np.array([at for at, kind in enumerate(item.classes) if kind not in ADDED], dtype=int)


def places_of(item: Input, kind: TokenClass) -> np.ndarray:
    """0-based positions of all tokens of a class."""
    return np.flatnonzero(np.asarray(item.classes) == kind)


def arranged(item: Input, places: Sequence[int]) -> Input:
    """The input with only the tokens at these positions, in this order, each with its class and segment."""
    return replace(
        item,
        input_ids=tuple(item.input_ids[at] for at in places),
        segment_ids=tuple(item.segment_ids[at] for at in places),
        classes=tuple(item.classes[at] for at in places),
    )


def with_tokens(item: Input, tokens: Mapping[int, int], kind: TokenClass = TokenClass.OTHER) -> Input:
    """The input with other tokens, 0-based position -> vocabulary id, which get this class; all else stays as it is."""
    ids, classes = list(item.input_ids), list(item.classes)
    for at, token in tokens.items():
        ids[at], classes[at] = token, kind
    return replace(item, input_ids=tuple(ids), classes=tuple(classes))


def with_segments(item: Input, segments: Sequence[int]) -> Input:
    """The input with other segment ids, one for each token."""
    return replace(item, segment_ids=tuple(segments))


def without_last_marks(item: Input) -> Input | None:
    """The input without the periods and commas right before its last separator, so that a word comes before it.

    None if there is no separator, or if the stretch that it ends has fewer than FEWEST_TOKENS tokens of text.
    """
    separators = places_of(item, TokenClass.SEPARATOR)
    if not len(separators):
        return None
    end = start = int(separators[-1])
    while start and item.classes[start - 1] is TokenClass.PUNCTUATION:
        start -= 1
    trimmed = arranged(item, [at for at in range(len(item)) if not start <= at < end])
    return trimmed if len(last_stretch(trimmed)) >= FEWEST_TOKENS else None


def last_stretch(item: Input) -> np.ndarray:
    """0-based positions of the text between the last separator and the one before it, or the start."""
    *others, end = places_of(item, TokenClass.SEPARATOR).tolist()
    text = text_places(item)
    inside: np.ndarray = text[(text > max(others, default=-1)) & (text < end)]
    return inside


def moved(item: Input, rng: np.random.Generator) -> Input:
    """The input with its last separator moved before a random token of the first half of the stretch that it ends."""
    end = int(places_of(item, TokenClass.SEPARATOR)[-1])
    # Not before the first token, where it would follow the separator before it.
    place = int(rng.choice(_first_half(item)[1:]))
    rest = [at for at in range(len(item)) if at != end]
    return arranged(item, [*rest[:place], end, *rest[place:]])


def repeated(item: Input, rng: np.random.Generator) -> Input | None:
    """The input with two random tokens of the first half of the last stretch replaced by separators.

    All other tokens keep their places. None if that half has fewer than two tokens besides periods and commas.
    """
    words = [at for at in _first_half(item) if item.classes[at] is TokenClass.OTHER]
    if len(words) < MORE_SEPARATORS:
        return None
    separator = item.input_ids[places_of(item, TokenClass.SEPARATOR)[-1]]
    chosen = rng.choice(words, MORE_SEPARATORS, replace=False)
    return with_tokens(item, {int(at): separator for at in chosen}, TokenClass.SEPARATOR)


def dropped(item: Input, _rng: np.random.Generator) -> Input:
    """The input without its separators."""
    return arranged(item, [at for at, kind in enumerate(item.classes) if kind is not TokenClass.SEPARATOR])


def swapped(item: Input, rng: np.random.Generator) -> Input | None:
    """The input in which the last separator and a random period or comma of the first half of its stretch have changed
    places.

    None if there is no such mark.
    """
    marks = [at for at in _first_half(item) if item.classes[at] is TokenClass.PUNCTUATION]
    if not marks:
        return None
    mark, end = int(rng.choice(marks)), int(places_of(item, TokenClass.SEPARATOR)[-1])
    places = list(range(len(item)))
    places[mark], places[end] = end, mark
    return arranged(item, places)


def _first_half(item: Input) -> list[int]:
    stretch = last_stretch(item).tolist()
    return stretch[: len(stretch) // 2]
