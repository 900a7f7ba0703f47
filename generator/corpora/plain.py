"""Text as a tokenizer reads it, with the special tokens that are written in it read as letters.

A text without any gives the ids that the tokenizer itself gives. transformers can be asked to read special tokens as
text, but a tokenizer written in Python then forgets every token that was added to its vocabulary, and some have no
others. There, and in vocabularies of pieces that hold special tokens, these are broken by a space.
"""

import re
from collections.abc import Sequence
from typing import Any

OPTIONS = {"add_special_tokens": False, "verbose": False}


class PlainText:
    """One tokenizer for text without special tokens."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._special = set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
        added = (str(token) for token in tokenizer.added_tokens_decoder.values() if token.special)
        # The longest first, or one that begins like another would be read as that one with letters behind it.
        written = sorted({*tokenizer.all_special_tokens, *added} - {""}, key=len, reverse=True)
        # "(?!)" never matches.
        self._written = re.compile("|".join(map(re.escape, written)) or r"(?!)")

    def ids(self, text: str) -> list[int]:
        """Token ids of a text; those of special tokens are never among them, except the unknown token's."""
        holds = self._written.search(text)
        ids = [] if holds else self._read(text)
        if not holds and self._special.isdisjoint(ids):
            return ids
        if self._tokenizer.is_fast:
            ids = self._read(text, split_special_tokens=True)
            if self._special.isdisjoint(ids):
                return ids
        text = self._written.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)
        ids = self._read(text, **({"split_special_tokens": True} if self._tokenizer.is_fast else {}))
        # What is left is a special token of one character, which no space can break.
        return [token for token in ids if token not in self._special]

    def each(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of every text; those without special tokens are read at once."""
        plain = [text for text in texts if not self._written.search(text)]
        read = iter(self._tokenizer(plain, **OPTIONS)["input_ids"] if plain else [])
        found = [self.ids(text) if self._written.search(text) else list(next(read)) for text in texts]
        return [
            ids if self._special.isdisjoint(ids) else self.ids(text) for text, ids in zip(texts, found, strict=True)
        ]

    def _read(self, text: str, **more: bool) -> list[int]:
        return list(self._tokenizer(text, **OPTIONS, **more)["input_ids"])
