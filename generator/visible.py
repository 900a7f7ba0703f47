"""Makes characters visible that control a terminal or the direction of writing."""

import re

_ACTING = (*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CODES = {code: f"\\u{code:04x}" for code in _ACTING}
_ASCII = bytes(code for code in _ACTING if code < 0x80)
_ANY = re.compile(f"[{''.join(map(chr, _ACTING))}]")


def visible(text: str) -> str:
    """A text without control characters: NUL, ESC and overrides of direction become their codes; line breaks stay.

    >>> visible(chr(27) + "[31mred").removeprefix(chr(92))
    'u001b[31mred'
    """
    ordinary = text.isascii() and len(text.encode().translate(None, _ASCII)) == len(text)  # several times as fast
    return text if ordinary or not _ANY.search(text) else text.translate(_CODES)
