"""Corpora known by name, and the sentences whose maps every head page shows."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.corpora.document import Corpus
from generator.corpora.files import read_corpus
from generator.errors import CorpusError
from generator.home import DATA


@dataclass(frozen=True)
class CorpusEntry:
    """Text that comes with the program."""

    name: str
    title: str
    """What it is, for the page of a model that read it."""
    licence: str
    files: tuple[Path, ...]


ARTICLES = CorpusEntry(
    name="articles",
    title="Articles written for this project, in five registers",
    licence="MIT",
    files=tuple(
        DATA / "corpora" / "articles" / f"{register}.txt"
        for register in ("dialogue", "encyclopaedic", "instructions", "narrative", "news")
    ),
)
CATALOGUE = (ARTICLES,)

EXAMPLES = (
    "The old clock in the kitchen stopped, but nobody noticed it until Sunday.",
    "She gave her brother the book that he had lost, and he thanked her.",
    "After the rain, the children who live next door ran to the river.",
    "Our baker sells bread, cakes and pies; he does not sell coffee.",
    "The letter was written by a woman whose name we never learned.",
)
"""Written for this project: coordination, pronouns, possessives, a list, negation, a relative clause, a passive."""


def open_corpus(name_or_file: str, documents: int | None = None, seed: int = 0) -> Corpus:
    """A corpus by catalogue name or file, or a seeded sample of its documents in their order.

    Raises CorpusError if there is no such corpus or it cannot be read.
    """
    known = next((entry for entry in CATALOGUE if entry.name == name_or_file), None)
    if known:
        corpus = read_corpus(known.name, known.files)
    elif Path(name_or_file).suffix or Path(name_or_file).name != name_or_file:
        corpus = read_corpus(Path(name_or_file).name, [Path(name_or_file)])
    else:
        names = ", ".join(entry.name for entry in CATALOGUE)
        raise CorpusError(
            f"Expected a corpus name ({names}) or a file, found {name_or_file!r}, which is neither; check the spelling."
        )
    if documents is None or documents >= len(corpus.documents):
        return corpus
    chosen = sorted(random.Random(seed).sample(range(len(corpus.documents)), documents))
    return replace(corpus, documents=tuple(corpus.documents[at] for at in chosen))


def check_names(corpora: Sequence[Corpus]) -> None:
    """Raise CorpusError when two corpora would share a name."""
    names = [corpus.name for corpus in corpora]
    for name in names:
        if names.count(name) > 1:
            raise CorpusError(f"Expected corpora of different names, found {name!r} twice; rename a file.")
