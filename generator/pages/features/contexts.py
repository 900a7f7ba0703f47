"""What the template of a model's page on features and frames may know."""

from dataclasses import dataclass

from generator.pages.contexts import Figure, Link
from generator.pages.studies.contexts import DataTable


@dataclass(frozen=True)
class KindsOfWords:
    """How much attention kinds of words receive in one treebank."""

    id: str
    title: str
    read: str
    grids: Figure
    """One view for each kind of word and score."""
    largest: DataTable | None
    """By layer: the token of a kind that receives most."""
    together: DataTable | None
    """By layer: all tokens of a kind, beside how many there are."""
    begin: DataTable | None
    """The begin token's row in the last layer."""


@dataclass(frozen=True)
class WordLink:
    """The heads with the largest links between two kinds of words."""

    name: str
    correlated: str
    """With attention to neighbours, over all heads, in a sentence; empty where undefined."""
    heads: DataTable


@dataclass(frozen=True)
class WordLinks:
    """Links between words in one treebank."""

    id: str
    title: str
    kinds: tuple[WordLink, ...]


@dataclass(frozen=True)
class IdenticalWords:
    """Attention to the same word of the other segment, in one corpus."""

    id: str
    title: str
    heads: DataTable
    best: DataTable | None
    """The head that was chosen on one half of the documents, on the other."""


@dataclass(frozen=True)
class FrameLinks:
    """Links between frame elements and targets in one corpus."""

    id: str
    title: str
    read: str
    whole: DataTable
    """Numbers over all heads, and the held-out best head."""
    heads: tuple[DataTable, ...]
    """The heads with the largest scores, one table for each direction and filter."""
    published: DataTable


@dataclass(frozen=True)
class FeaturesPage:
    """features.html"""

    models: Link
    model: Link
    lead: str
    source: Link
    feature: Link
    """Leads to the glossary."""
    frame: Link
    """The same."""
    kinds: tuple[KindsOfWords, ...]
    links: tuple[WordLinks, ...]
    matching: tuple[IdenticalWords, ...]
    frames: tuple[FrameLinks, ...]
    claims: tuple[Link, ...]
