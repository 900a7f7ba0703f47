"""Makes characters visible that control a terminal or the direction of writing, or that no file of text may hold."""

import re

_MARKS = 0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)
"""Marks of direction."""
_NO_TEXT = *range(0xD800, 0xE000), 0xFFFE, 0xFFFF
"""Halves of pairs, which UTF-8 cannot write, and what XML forbids."""
# Without tab and newline; a carriage return would let a line be written over.
_ACTING = (*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), *_MARKS, *_NO_TEXT)
_CODES = {code: f"\\u{code:04x}" for code in _ACTING}
_ORDINARY = bytes({*range(0x80)} - {*_ACTING})
_ESCAPE = re.compile(r"\\\\|\\ud[89ab]..\\ud[c-f]..|\\u(?P<code>[0-9a-f]{4})|\\(?P<letter>[bfr])", re.IGNORECASE)
"""In JSON: a backslash, a pair of halves, another code, a letter that stands for a code."""
_LETTERS = {"b": 0x08, "f": 0x0C, "r": 0x0D}
_ANY = re.compile(f"[{''.join(map(chr, _ACTING))}]")


def visible(text: str) -> str:
    """A text without control characters: NUL, ESC, marks of direction and halves of pairs become their codes.

    Tabs and newlines stay.

    >>> visible(chr(27) + "[31mred").removeprefix(chr(92))
    'u001b[31mred'
    """
    others = text.encode("utf-8", "surrogatepass").translate(None, _ORDINARY)  # several times as fast as a search
    acts = others and _ANY.search(others.decode("utf-8", "surrogatepass"))
    return text.translate(_CODES) if acts else text


def visible_json(text: str) -> str:
    """JSON, or a script that holds it, with texts that are visible once it is read.

    >>> visible_json('"' + chr(92) + 'u001b[31mred"') == '"' + 2 * chr(92) + 'u001b[31mred"'
    True
    """
    text = visible(text)
    return _ESCAPE.sub(_as_text, text) if "\\" in text else text


def _as_text(escape: re.Match[str]) -> str:
    code, letter = escape["code"], escape["letter"]
    if not code and not letter:
        return escape[0]
    number = int(code, 16) if code else _LETTERS[letter.lower()]
    return "\\" + _CODES[number] if number in _CODES else escape[0]
