"""A kind of corpus, and a corpus of any kind.

A kind is a value: all that is done differently for a corpus because of its kind stands in the kind's record, beside the
code that reads its files. `generator.corpora.kinds` lists all of them.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from generator.corpora.pairs import PairMaker

BAD = "bad"
LEFT_OUT = {BAD: "left out, because they are wrong"}
"""The count of what a sieve has left out, among those of a kind that has one."""
Item = TypeVar("Item")
"""A document, a sentence with its tree, a document with its mentions, a frame in a sentence, a question."""


class Content(NamedTuple, Generic[Item]):
    """What was read from files."""

    sha256: str
    """Checksum of the files in order, so that a result can say exactly what it saw."""
    items: Sequence[Item]
    bad: Sequence[str] = ()
    """What is wrong with sentences or rows that were left out."""


class Form(Enum):
    """What the inputs of a kind are, and so how a model is shown them."""

    TEXT = auto()
    """A sequence of Input, whose maps are looked at layer by layer."""
    WORDS = auto()
    """Name -> what is annotated, and the WordInput that holds its words; maps are looked at whole."""
    HEAD = auto()
    """Anything that a head on the encoder makes its own inputs from; the encoder alone is shown nothing."""


def _never(_path: Path) -> bool:
    """Recognises no file, as only experiments read this kind."""
    return False


def _unread(*_: Any) -> NoReturn:
    raise AssertionError("Expected a kind that an analysis reads, found one that only experiments do.")


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What a corpus is, and all that an analysis does differently for it. Its functions belong to modules, so that a
    corpus can be sent to another process.
    """

    name: str
    """What manifests call it."""
    noun: str
    """What it is called in a sentence, such as the reason that nothing of this kind was read."""
    unit: str
    """What its items are."""
    counted: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What an analysis counts while it reads: name -> how pages call it."""
    form: Form
    endings: tuple[str, ...] = ()
    """How the names of its files end; some kinds look into a file, too."""
    recognises: Callable[[Path], bool] = _never
    """Whether a file, or a folder, is of this kind; one file may be of several."""
    read: Callable[[str, Sequence[Path], bool], Content[Any]] = _unread
    """From a corpus's name, its files, and whether to leave out sentences that are wrong. Raises CorpusError."""
    inputs: Callable[["Corpus[Any]", PairMaker], Any] = _unread
    """What one model can read of a corpus, in the form that `form` names. Raises CorpusError if that is too little."""
    counts: Callable[["Corpus[Any]", Any], dict[str, int]] = _unread
    """How much of the corpus its inputs hold, by the names of `counted`."""
    group: Callable[[Any], str] | None = None
    """The group with which an item is drawn into a sample; None if each item is drawn alone."""
    words: Callable[[Any], Sequence[str]] | None = None
    """The words of an item, if it can annotate the saved maps that bear its name."""
    measured: bool = False
    """Whether measures are computed on it; a model needs results from such a corpus to have pages."""
    largest: str = ""
    """The count by which corpora of several results are sorted, the largest first; empty if they keep their order."""


@dataclass(frozen=True)
class Corpus(Generic[Item]):
    """Named items of one kind and the checksum of the bytes they were read from."""

    name: str
    kind: Kind
    sha256: str
    items: Sequence[Item]
    """In the order of the files; those of text stay on disk until they are asked for."""
    language: str = ""
    """ISO 639 code of what it is written in; empty where that is not known."""
    bad: Sequence[str] = ()
    """What is wrong with sentences or rows that were left out."""

    @classmethod
    def of(cls, name: str, kind: Kind, content: Content[Item]) -> "Corpus[Item]":
        """The corpus of this name with what was read from its files."""
        return cls(name, kind, content.sha256, content.items, bad=content.bad)

    def sample(self, size: int, seed: int) -> "Corpus[Item]":
        """A seeded sample of `size` items, or of `size` groups if the kind has groups, in their order."""
        group = self.kind.group
        names: Sequence[str | int] = [group(item) for item in self.items] if group else range(len(self.items))
        known = list(dict.fromkeys(names))
        if size >= len(known):
            return self
        kept = {known[at] for at in random.Random(seed).sample(range(len(known)), size)}
        return replace(self, items=tuple(self.items[at] for at, name in enumerate(names) if name in kept))


@dataclass(frozen=True)
class Corpora:
    """Everything one analysis reads. A treebank whose mentions are linked is two corpora of one name."""

    all: tuple[Corpus[Any], ...] = ()
    """In the order in which their numbers are preferred, and then as they were named."""

    def of(self, kind: Kind) -> tuple[Corpus[Any], ...]:
        """The corpora of one kind, in order."""
        return tuple(corpus for corpus in self.all if corpus.kind == kind)

    def named(self, name: str) -> "Corpora":
        """The corpora of one name."""
        return Corpora(tuple(corpus for corpus in self.all if corpus.name == name))

    @property
    def checksums(self) -> dict[str, str]:
        """Name -> checksum of every corpus."""
        return {corpus.name: corpus.sha256 for corpus in self.all}
