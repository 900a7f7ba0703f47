"""What the templates of the studies' pages may know: relations, the map of heads, roles and phases of one model."""

from dataclasses import dataclass

from generator.pages.blocks import Figure, Link, Table


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
