"""What a corpus is made of: documents of paragraphs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Document:
    """A text with a name; the unit over which every interval is taken."""

    id: str
    """Unique within its corpus."""
    paragraphs: tuple[str, ...]
    """In reading order, none empty."""


@dataclass(frozen=True)
class Corpus:
    """Named documents and the checksum of the bytes they were read from."""

    name: str
    sha256: str
    """Of the files in order, so that a result can say exactly which text it saw."""
    documents: tuple[Document, ...]
