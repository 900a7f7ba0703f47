"""The example sentences of the sources, from `data/corpora/quoted.toml`, and sentences of a treebank like them."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from generator.corpora.kind import Corpus
from generator.corpora.treebank import Sentence
from generator.errors import CorpusError, reason
from generator.home import DATA

FILE = DATA / "corpora" / "quoted.toml"
NAME = "quoted"
"""What the sentences are called together, as the corpus of their numbers."""
MARK = "PUNCT"
"""The word class of punctuation (Universal Dependencies)."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class _Entry:
    source: str
    text: str
    start: str = Field(alias="from")
    end: str = Field(alias="to")


class Quote(NamedTuple):
    """A sentence, and the two words of which its source says something; places are 0-based."""

    key: str
    source: str
    """Its key in the list of references."""
    words: tuple[str, ...]
    start: int
    """The place of the word that looks."""
    end: int
    """The place of the word that it is said to look at."""

    @property
    def text(self) -> str:
        """The sentence."""
        return " ".join(self.words)

    @property
    def between(self) -> slice:
        """The places of the words between the two, at least one."""
        return slice(min(self.start, self.end) + 1, max(self.start, self.end))


@cache
def quotes(path: Path = FILE) -> Mapping[str, Quote]:
    """Key -> sentence. Raises CorpusError for a file that does not hold such sentences."""
    try:
        entries = TypeAdapter(dict[str, _Entry]).validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
        return {key: _quote(key, entry) for key, entry in entries.items()}
    except ValidationError as error:
        first = error.errors()[0]
        found = f"{first['msg']} at {'.'.join(map(str, first['loc']))}"
    except (OSError, ValueError, RecursionError) as error:
        found = reason(error)
    raise CorpusError(
        f"Expected sentences with source, text, from and to in {path}, found: {found}; correct the file."
    ) from None


def _quote(key: str, entry: _Entry) -> Quote:
    """Raises ValueError for a word that does not stand once in the text, and for neighbours."""
    words = tuple(entry.text.split())
    for word in (entry.start, entry.end):
        if words.count(word) != 1:
            raise ValueError(f"{word!r} {words.count(word)} times in {entry.text!r} of {key}")
    quote = Quote(key, entry.source, words, words.index(entry.start), words.index(entry.end))
    if abs(quote.start - quote.end) < 2:
        raise ValueError(f"no word between {entry.start!r} and {entry.end!r} of {key}")
    return quote


def alike(quote: Quote, bank: Corpus[Sentence]) -> dict[str, tuple[str, ...]]:
    """Sentences with as many words as the quoted one, without the marks at their end and with no other mark, by name.

    Raises CorpusError for fewer than two.
    """
    found = {}
    for sentence in bank.items:
        words = list(sentence.words)
        while words and words[-1].upos == MARK:
            words.pop()
        if len(words) == len(quote.words) and all(word.upos != MARK for word in words):
            found[sentence.id] = tuple(word.form for word in words)
    if len(found) < 2:
        raise CorpusError(
            f"Expected two sentences or more of {len(quote.words)} words, as {quote.text!r} has, in "
            f"{bank.name}, found {len(found)}; give a larger treebank with --corpus."
        )
    return found
