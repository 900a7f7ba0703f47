"""What the template of a comparison of two models may know."""

from dataclasses import dataclass

from generator.pages.blocks import Figure, Link, Table


@dataclass(frozen=True)
class ComparedOn:
    """Two models on one corpus; a part that does not apply is None."""

    id: str
    title: str
    read: str
    """How much of it, in words."""
    change: Figure | None
    """How far each head's maps are from those of the other model."""
    layers: Table | None
    heads: Table | None
    """Those whose maps changed most."""
    patterns: Table | None
    """Heads whose most frequent pattern differs."""
    patterns_text: str
    """How many there are; empty where patterns were not compared."""
    measures: Figure | None
    largest: Table | None
    """The head that changed most, measure by measure."""
    relations: Table | None
    features: Table | None
    """Attention to nouns, verbs and other kinds of tokens."""
    twins: Table | None
    twins_text: str


@dataclass(frozen=True)
class ComparePage:
    """compare.html"""

    models: Link
    model: Link
    other: Link
    """Leads nowhere where the other model has no pages here."""
    lead: str
    kinship: str
    """Whether one is a copy of the other, and what follows."""
    source: Link
    corpora: tuple[ComparedOn, ...]
