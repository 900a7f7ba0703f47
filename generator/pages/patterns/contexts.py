"""What the template of a model's page on patterns may know."""

from dataclasses import dataclass

from generator.pages.blocks import Figure, Link, Table


@dataclass(frozen=True)
class Shade:
    """All cells of a small map that are drawn equally strongly."""

    opacity: str
    path: str
    """SVG path data; a cell is one unit wide and high."""


@dataclass(frozen=True)
class SmallMap:
    """One head's map of an example sentence, queries down and keys across."""

    head: Link
    sentence: str
    numbers: str
    """What the rule read."""
    tokens: int
    shades: tuple[Shade, ...]


@dataclass(frozen=True)
class Typical:
    """The most typical maps of one pattern among the example sentences."""

    pattern: str
    text: str
    """How many of the maps have the pattern, in a sentence."""
    maps: tuple[SmallMap, ...]


@dataclass(frozen=True)
class PatternsPage:
    """patterns.html"""

    models: Link
    model: Link
    lead: str
    source: Link
    rule: Link
    """Leads to the definition."""
    near: Link
    layers: Figure
    texts: Table
    """The whole model by corpus, beside uniform attention."""
    own: str
    """How much of a head's maps are of one pattern, in a sentence."""
    heads: Table
    moved: Figure
    split: str
    """Why the cut-offs in use give slightly other shares there, in a sentence; empty where they do not."""
    typical: tuple[Typical, ...]
    published: Table
    claims: tuple[Link, ...]
