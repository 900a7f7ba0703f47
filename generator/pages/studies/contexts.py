"""What the templates of the studies' pages may know: relations, the map of heads, roles and phases of one model."""

from dataclasses import dataclass

from generator.pages.blocks import Figure, Link, Table


@dataclass(frozen=True)
class ClearRelation:
    """A relation for which one head is clearly better than a fixed offset."""

    relation: str
    head: Link
    gain: str
    """With its interval and n."""


@dataclass(frozen=True)
class Treebank:
    """What single heads find in one treebank."""

    id: str
    name: str
    title: str
    """What stands beside the name in the catalogue."""
    read: str
    clear: tuple[ClearRelation, ...]
    tested: str
    """How many relations were tried, and what makes a gain clear."""
    figure: Figure | None
    relations: Table
    words: Table
    """All words together."""
    trees: Table | None
    probes: Table | None


@dataclass(frozen=True)
class Coreference:
    """How often heads and rules select an antecedent in one corpus."""

    id: str
    title: str
    read: str
    table: Table


@dataclass(frozen=True)
class RelationsPage:
    """relations.html"""

    models: Link
    model: Link
    lead: str
    protocol: Link
    """Leads to what held-out means."""
    sources: tuple[Link, ...]
    twins: int
    """Draws of the untrained twin."""
    treebanks: tuple[Treebank, ...]
    coreference: tuple[Coreference, ...]


@dataclass(frozen=True)
class Disabled:
    """What one task loses or gains without single heads and whole layers."""

    id: str
    title: str
    read: str
    """The score with every head, in a sentence."""
    found: tuple[str, ...]
    """How many heads are needed, and what the best choice gains, in sentences."""
    figure: Figure
    heads: Table | None
    """Heads without which the score changes beyond doubt."""
    layers: Table | None


@dataclass(frozen=True)
class TasksPage:
    """tasks.html"""

    models: Link
    model: Link
    lead: str
    source: Link
    pruned_by: Link
    """Who prunes by importance."""
    claims: tuple[Link, ...]
    scores_figure: Figure | None
    scores: Table | None
    changed: Table | None
    """How much fine-tuning changes maps, by layer."""
    disabled: tuple[Disabled, ...]
    pruning: Figure | None
    removable: Table | None
    importance: Table | None
    """Whether gradients say what disabling costs."""
