"""Finds which tokens spell which words in text that was tokenized elsewhere, when only its pieces are known."""

import codecs
import unicodedata
from collections.abc import Sequence

import numpy as np

from generator.corpora.classes import ADDED
from generator.corpora.pairs import Input, WordInput
from generator.errors import RowError
from generator.numbers.pieces import BYTES, END, SPACE

INSIDE = "##"
"""Prefix with which some vocabularies mark a piece that continues a word."""
GOES_ON = "@@"
"""Suffix with which some mark a piece that another one of its word follows."""
UNKNOWN = ("[UNK]", "<unk>")
"""Pieces that stand for any word, or for a part of a word if further pieces continue it."""


def spell(item: Input, tokens: Sequence[str], words: Sequence[str]) -> WordInput:
    """The input with the places of its words among the tokens; case and accents do not matter.

    Raises RowError naming the input and the first word that the tokens do not spell.
    """
    text = [at for at, kind in enumerate(item.classes) if kind not in ADDED]
    pieces = [tokens[at] for at in text]
    texts = _texts(pieces)
    spaced = any(piece[:1] in SPACE for piece in pieces)
    lengths, at = [], 0
    for word in words:
        left, start = _plain(word), at
        while left or at == start:
            piece = pieces[at] if at < len(pieces) else ""
            after = next(iter(pieces[at + 1 :]), "")
            goes_on = after and (after[:1] not in SPACE if spaced else after.startswith(INSIDE))
            # An unknown piece stands for any letters: those up to where the next piece goes on, else the rest of the
            # word.
            if piece in UNKNOWN:
                # From 1, because an unknown piece stands for one letter at least.
                end = left.find(texts[at + 1], 1) if goes_on else len(left)
                found = left[:end] if end > 0 else ""
            else:
                found = texts[at] if piece else ""
            # A word may be several pieces, a piece never belongs to two words.
            if not piece or not left.startswith(found) or (piece in UNKNOWN and not found):
                raise RowError(
                    f"Expected the tokens of {item.document!r} to spell {word!r}, found {piece or 'nothing'!r}; give "
                    "the words in the order of the tokens."
                )
            left, at = left[len(found) :], at + 1
        lengths.append(at - start)
    if at < len(pieces):
        raise RowError(
            f"Expected the {len(words)} words of {item.document!r} to be all of its text, found {pieces[at]!r} after "
            "them; annotate every word."
        )
    return WordInput(item, np.array(text), np.array(lengths))


def _texts(pieces: Sequence[str]) -> list[str]:
    """The text that each piece spells; a character made of several pieces of bytes is spelt by the last of them."""
    own = [(piece.removeprefix(INSIDE) or piece).removesuffix(END).removesuffix(GOES_ON) or piece for piece in pieces]
    decode = codecs.getincrementaldecoder("utf-8")().decode
    try:
        texts = [decode(bytes(BYTES[mark] for mark in piece)) for piece in own]
        decode(b"", final=True)
    except (KeyError, UnicodeDecodeError):  # a vocabulary of characters
        texts = [piece.lstrip(SPACE) for piece in own]
    return [_plain(text) for text in texts]


def _plain(text: str) -> str:
    """Lower case, without accents and blanks."""
    apart = unicodedata.normalize("NFKD", text.lower())
    return "".join(each for each in apart if not unicodedata.combining(each) and not each.isspace())
