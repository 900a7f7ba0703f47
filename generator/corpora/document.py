"""A corpus of any kind, and the documents of paragraphs that running text consists of."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from generator.corpora.kinds import CorpusKind

Item = TypeVar("Item")
"""A document, a sentence with its tree, a document with its mentions, a frame in a sentence, a question."""


@dataclass(frozen=True)
class Document:
    """A text with a name; the unit over which every interval is taken."""

    id: str
    """Unique within its corpus."""
    paragraphs: tuple[str, ...]
    """In reading order, none empty."""


@dataclass(frozen=True)
class Corpus(Generic[Item]):
    """Named items of one kind and the checksum of the bytes they were read from."""

    name: str
    kind: CorpusKind
    sha256: str
    """Checksum of the files in order, so that a result can say exactly what it saw."""
    items: tuple[Item, ...]
    language: str = ""
    """ISO 639 code of what it is written in; empty where that is not known."""
