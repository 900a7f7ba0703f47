"""Coreference documents: words, and the mentions among them that speak of the same entity.

One mention precedes another when its head word stands before the other's first word. It may thus precede a mention
inside its own words: "the man who lost his keys" precedes "his", because "man" stands before "his". An antecedent is a
preceding mention of the same entity. Only a mention that has one is scored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from generator.corpora.formats.raw import Sieve
from generator.corpora.kind import Content
from generator.errors import CorpusError

Kind = Literal["pronoun", "proper", "nominal"]


class Features(NamedTuple):
    """Whom a mention speaks of, as its head word says, in the values of Universal Dependencies; None is unknown."""

    number: str | None = None
    """Sing, Plur, ..."""
    gender: str | None = None
    """Masc, Fem, Neut, ..."""
    person: str | None = None
    """1, 2 or 3."""


@dataclass(frozen=True)
class Mention:
    """A stretch of words that speaks of an entity."""

    start: int
    """Its first word, 0-based."""
    end: int
    """The word after its last."""
    head: int
    """Its head word, `start <= head < end`."""
    entity: str
    """Name of the entity, the same for all of its mentions in a document."""
    kind: Kind
    """Its kind by its head word; what is neither pronoun nor proper noun is nominal."""
    features: Features


@dataclass(frozen=True)
class CorefDocument:
    """The words of a document in order, and its mentions sorted by start, the longer first; mentions may nest."""

    id: str
    words: tuple[str, ...]
    mentions: tuple[Mention, ...]

    def preceding(self, mention: Mention) -> list[Mention]:
        """The mentions that precede this one, the nearest head word last."""
        return sorted((other for other in self.mentions if other.head < mention.start), key=lambda other: other.head)

    def antecedents(self, mention: Mention) -> list[Mention]:
        """The preceding mentions of the same entity, the nearest head word last."""
        return [other for other in self.preceding(mention) if other.entity == mention.entity]

    def scored(self) -> list[Mention]:
        """The mentions that have an antecedent."""
        return [mention for mention in self.mentions if self.antecedents(mention)]


def truncate(document: CorefDocument, words: int) -> CorefDocument:
    """The first words of a document and the mentions that end among them; what is cut off is no antecedent."""
    kept = tuple(mention for mention in document.mentions if mention.end <= words)
    return replace(document, words=document.words[:words], mentions=kept)


def gather(name: str, sha256: str, documents: Sequence[CorefDocument], sieve: Sieve) -> Content[CorefDocument]:
    """What was read of a corpus, through a sieve that leaves out, or refuses, two documents of one id.

    Raises CorpusError if nothing can be scored.
    """
    kept = sieve.distinct(documents, f"document of {name}")
    if not any(document.scored() for document in kept):
        raise CorpusError(
            f"Expected mentions with antecedents in {name}, found {sieve.none}; check that it is annotated, and that "
            "some mention stands for one before it."
        )
    return Content(sha256, kept, sieve.bad)
