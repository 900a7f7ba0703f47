"""Pieces of vocabularies as people read them."""

from functools import lru_cache

from generator.visible import visible

SPACE = "Ġ▁"
"""How byte-level and sentence pieces write the space before a word."""
END = "</w>"
"""How vocabularies of byte pairs without such a mark write the end of a word."""
JOINT = "￭"
"""How some vocabularies mark that no space stands between a piece and its neighbour."""
BLANK, LINE = "␣", "↵"
"""Shown instead of a piece that is only spaces, or only ends of lines."""
_PLAIN = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
_OTHERS = [byte for byte in range(256) if byte not in _PLAIN]
BYTES = {chr(byte): byte for byte in _PLAIN} | {chr(256 + at): byte for at, byte in enumerate(_OTHERS)}
"""Character of a byte-level vocabulary -> the byte that it stands for (GPT-2's table)."""


@lru_cache(maxsize=1 << 12)
def readable(piece: str) -> str:
    """A piece without the marks of its vocabulary: no mark for the space before a word, and bytes decoded as text.

    A piece that is only a part of a character, or is from another kind of vocabulary, stays as it is.

    >>> [readable(piece) for piece in ("Ġhead", "▁head", "##ing", "cafÃ©", "▁", "čaj", "head</w>")]
    ['head', 'head', '##ing', 'café', '␣', 'čaj', 'head']
    """
    text = visible(_decoded(piece.removesuffix(END) or piece).replace("▁", " "))
    if text.strip(" \n"):
        return text.strip(" ")
    return text.replace(" ", BLANK).replace("\n", LINE)


def bare(piece: str) -> str:
    """A piece without spaces and the marks of spaces, of joints, and of the end of a word.

    >>> [bare(piece) for piece in ("Ġ.", "▁,", ".</w>", "</s>", "</w>", " .", ".▁", "￭,")]
    ['.', ',', '.', '</s>', '</w>', '.', '.', ',']
    """
    text = piece.strip(f"{SPACE}{JOINT} ")
    return text.removesuffix(END) or text


def _decoded(piece: str) -> str:
    try:
        text = bytes(BYTES[mark] for mark in piece).decode()
    except (KeyError, UnicodeDecodeError):
        return piece
    return text if text.isprintable() or not text.strip(" \n") else piece
