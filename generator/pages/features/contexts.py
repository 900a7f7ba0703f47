"""What the template of a model's page on features and frames may know."""

from dataclasses import dataclass

from generator.pages.blocks import Figure, Link, Table


@dataclass(frozen=True)
class KindsOfWords:
    """How much attention kinds of words receive in one treebank."""

    id: str
    title: str
    read: str
    grids: Figure
    """One view for each kind of word and score."""
    largest: Table | None
    """By layer: the token of a kind that receives most."""
    together: Table | None
    """By layer: all tokens of a kind, beside how many there are."""
    begin: Table | None
    """The begin token's row in the last layer."""


@dataclass(frozen=True)
class WordLink:
    """The heads with the largest links between two kinds of words."""

    name: str
    correlated: str
    """With attention to neighbours, over all heads, in a sentence; empty where undefined."""
    heads: Table


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
    heads: Table
    best: Table | None
    """The head that was chosen on one half of the documents, on the other."""


@dataclass(frozen=True)
class FrameLinks:
    """Links between frame elements and targets in one corpus."""

    id: str
    title: str
    read: str
    whole: Table
    """Numbers over all heads, and the held-out best head."""
    heads: tuple[Table, ...]
    """The heads with the largest scores, one table for each direction and filter."""
    published: Table


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
