"""The words of running text: Unicode's default rule of word boundaries (Unicode Standard Annex #29).

An accent or a vowel sign belongs to its letter, whether or not both are one character; an apostrophe or a period
between letters belongs to the word, a hyphen is a word of its own. What lies between two boundaries and can be seen is
a word, so marks are words, too.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

import regex

Span = tuple[int, int]
"""First character, and the character after the last; 0-based."""
_BOUNDARY = regex.compile(r"\b", regex.WORD | regex.V1)
_UNSEEN = regex.compile(r"[\s\p{Cf}\p{Cc}]*")
"""Spaces, and characters that only control how others are shown, such as a zero-width space or a byte order mark."""


def word_spans(text: str) -> list[Span]:
    """Where the words of a text stand, in order.

    >>> text = "O'Hara's well-kept house."
    >>> [text[start:end] for start, end in word_spans(text)]
    ["O'Hara's", 'well', '-', 'kept', 'house', '.']
    """
    cuts = sorted({0, len(text), *(found.start() for found in _BOUNDARY.finditer(text))})
    return _seen(text, pairwise(cuts))


def words_of(text: str) -> list[str]:
    """The words and marks of a text, in order."""
    return [text[start:end] for start, end in word_spans(text)]


def whole_words(phrase: str, text: str) -> list[Span]:
    """Where a phrase stands in a text as whole words, or before or behind an apostrophe.

    >>> whole_words("Mia", "Mia's Miami, Mia")
    [(0, 3), (13, 16)]
    """
    found = [(match.start(), match.end()) for match in regex.finditer(regex.escape(phrase), text, overlapped=True)]
    spans = divided(text, word_spans(text), (at for place in found for at in place))
    starts, ends = ({span[side] for span in spans} for side in (0, 1))
    return [(start, end) for start, end in found if start in starts and end in ends]


def divided(text: str, spans: Sequence[Span], places: Iterable[int]) -> list[Span]:
    """The words, cut at those of the places that stand inside a word, beside a mark such as an apostrophe or an
    underscore.

    So "O'Hara" in "O'Hara's" is a word, but no part of a name is.

    >>> divided("Mia's", [(0, 5)], [3]), divided("Mia's", [(0, 5)], [2])
    ([(0, 3), (3, 5)], [(0, 5)])
    """
    cuts = sorted(at for at in set(places) if 0 < at < len(text) and not (_joins(text[at - 1]) and _joins(text[at])))
    found = list[Span]()
    for start, end in spans:
        inner = cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]
        found += pairwise([start, *inner, end])
    return _seen(text, found)


def _seen(text: str, spans: Iterable[Span]) -> list[Span]:
    return [(start, end) for start, end in spans if not _UNSEEN.fullmatch(text, start, end)]


def _joins(mark: str) -> bool:
    """Whether a character is a letter, a digit, or a sign that belongs to the one before it."""
    return mark == "\u200d" or regex.match(r"[^\W_]|\p{M}", mark) is not None
