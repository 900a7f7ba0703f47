"""The kinds of corpus and the facts about each; results name the kind of every corpus that was read."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

NOTHING: Mapping[str, str] = MappingProxyType({})


class CorpusKind(StrEnum):
    """What a corpus is, in the order in which its numbers are preferred where several corpora give the same one.

    >>> CorpusKind("treebank").noun
    'a treebank'
    """

    noun: str
    """What a corpus of this kind is called within a sentence, such as "a treebank"."""
    unit: str
    """What its items are called, in the plural."""
    counted: Mapping[str, str]
    """Name of a count that an analysis makes while it reads -> what pages call it."""

    def __new__(cls, name: str, noun: str, unit: str, counted: Mapping[str, str]) -> "CorpusKind":
        """A member is its name, with its facts beside it."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.noun, member.unit, member.counted = noun, unit, MappingProxyType(counted)
        return member

    TEXT = (
        "text",
        "running text",
        "documents",
        {
            "documents": "documents",
            "inputs": "inputs",
            "tokens": "tokens",
            "split": "documents in several parts",
            "short": "documents too short",
        },
    )
    TREEBANK = (
        "treebank",
        "a treebank",
        "sentences",
        {"sentences": "sentences", "words": "words", "long": "sentences too long"},
    )
    MENTIONS = (
        "mentions",
        "text whose mentions are linked",
        "documents",
        {"documents": "documents", "mentions": "mentions"},
    )
    FRAMES = (
        "frames",
        "text with frames",
        "frames",
        {"sentences": "sentences", "words": "words", "frames": "frames"},
    )
    QUESTIONS = ("questions", "questions with their passages", "questions", {"questions": "questions"})
    TASK = ("task", "a labelled task", "examples", NOTHING)
    """Read by experiments alone."""


def rank(kind: CorpusKind) -> int:
    """Its place in the order of preference, from 0."""
    return list(CorpusKind).index(kind)
