"""What the template of a head's page may know."""

from dataclasses import dataclass

from generator.pages.blocks import Cells, Figure, Kind, Link
from generator.pages.curve.history import History


@dataclass(frozen=True)
class Similar:
    """A head that behaves much like this one."""

    link: Link
    kind: Kind
    summary: str
    distance: str


@dataclass(frozen=True)
class Tracked:
    """What a head finds in a treebank or among linked mentions."""

    lead: str
    """In a sentence: what it was tried on, and how its best relations were found."""
    more: Link
    rows: tuple[Cells, ...]
    """Relation or candidates; direction, accuracy, interval, n, baseline."""


@dataclass(frozen=True)
class HeadPage:
    """head.html"""

    title: str
    kind: Kind
    summary: str
    believed: str
    """Whether its weights say what it writes."""
    history: History | None
    """When it came to be; None where no checkpoints are known."""
    source: str
    """On what text, how many documents."""
    models: Link
    model: Link
    previous: Link | None
    next: Link | None
    numbers: tuple[Cells, ...]
    """Measure; value, interval, uniform, rank, unit, n."""
    offset: Link
    sink: str
    """Which token the sink is."""
    shares: str
    """How often its maps have which pattern."""
    pattern: Link
    """Leads to the definition."""
    patterns: Link
    """The patterns of the whole model."""
    offsets: Figure
    classes: Figure
    maps: Figure
    tracked: Tracked | None
    similar: tuple[Similar, ...]
    measured_by: str
    """By what distance heads are alike."""
    map: Link | None
    """The map of heads."""
