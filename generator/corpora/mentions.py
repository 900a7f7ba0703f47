"""Coreference documents: words, and the mentions among them, which refer to entities.

One mention precedes another if its head word stands before the other's first word. So a mention precedes one inside
itself only if its head word stands before it: in "the man who lost his keys" the whole precedes "his". An antecedent is
a preceding mention of the same entity. Only a mention that has one is scored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from generator.corpora.document import Corpus
from generator.corpora.kinds import CorpusKind
from generator.corpora.pairs import PairMaker, WordInput
from generator.errors import CorpusError

Kind = Literal["pronoun", "proper", "nominal"]


class Features(NamedTuple):
    """Number, gender and person of a mention's head word, in the values of Universal Dependencies; None if unknown."""

    number: str | None = None
    """Sing, Plur, ..."""
    gender: str | None = None
    """Masc, Fem, Neut, ..."""
    person: str | None = None
    """1, 2 or 3."""


@dataclass(frozen=True)
class Mention:
    """A stretch of words that refers to an entity."""

    start: int
    """Its first word, 0-based."""
    end: int
    """The word after its last."""
    head: int
    """Its head word, `start <= head < end`."""
    entity: str
    """Name of the entity, the same for all of its mentions in a document."""
    kind: Kind
    """Its kind, by its head word; a mention that is neither pronoun nor proper noun is nominal."""
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
    """The first `words` words of a document, with the mentions that end among them; the others are lost."""
    kept = tuple(mention for mention in document.mentions if mention.end <= words)
    return replace(document, words=document.words[:words], mentions=kept)


def gather(name: str, sha256: str, documents: Sequence[CorefDocument]) -> Corpus[CorefDocument]:
    """The documents as a corpus. Raises CorpusError for two documents with one id, or if nothing can be scored."""
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise CorpusError(
                f"Expected every document of {name} to have its own id, found {document.id!r} twice; leave one out."
            )
        seen.add(document.id)
    if not any(document.scored() for document in documents):
        raise CorpusError(f"Expected mentions with antecedents in {name}, found none; check that it is annotated.")
    return Corpus(name, CorpusKind.MENTIONS, sha256, tuple(documents))


Inputs = Mapping[str, tuple[CorefDocument, WordInput]]


def mention_inputs(corpus: Corpus[CorefDocument], maker: PairMaker) -> dict[str, tuple[CorefDocument, WordInput]]:
    """Documents cut to one input, by name; those without a mention to score are left out.

    Clark et al. 2019, section 4.3, cut documents to 128 tokens. Raises CorpusError when nothing is left.
    """
    inputs = {}
    for document in corpus.items:
        short = truncate(document, maker.fitting(document.words))
        item = maker.words(document.id, short.words) if short.scored() else None
        if item is not None:
            inputs[document.id] = short, item
    if len(inputs) < 2:
        raise CorpusError(
            f"Expected two documents of {corpus.name} with a mention and its antecedent in the first words, found "
            f"{len(inputs)}; raise --max-tokens."
        )
    return inputs


def counts_of(_corpus: Corpus[CorefDocument], inputs: Inputs) -> dict[str, int]:
    """Documents and scored mentions."""
    return {
        "documents": len(inputs),
        "mentions": sum(len(document.scored()) for document, _ in inputs.values()),
    }
