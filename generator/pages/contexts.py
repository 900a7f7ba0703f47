"""What templates may know: one frozen record per template, and nothing else reaches it.

Texts are plain; templates escape them. Addresses are relative to the page, so that the site also works from disk.
"""

from dataclasses import dataclass

from generator.pages.blocks import Figure, Kind, Link, Part


@dataclass(frozen=True)
class Square:
    """A head on the small map of a model."""

    name: str
    """As in the papers: layer-head."""
    href: str
    first: Kind
    """The target that takes most."""
    side: int
    """Side of the filled square in per cent, so that its area is the share of that target."""
    summary: str


@dataclass(frozen=True)
class Notable:
    """The head of a model that looks at one target most."""

    kind: Kind
    target: Link
    """Leads to the measure's definition."""
    head: Link
    value: str
    interval: str


@dataclass(frozen=True)
class ModelCard:
    """A model on the home page."""

    name: str
    href: str
    facts: str
    """One line: layers, heads, documents."""
    n: int
    """Documents."""
    rows: tuple[tuple[Square, ...], ...]
    """Layers of heads."""
    legend: tuple[Kind, ...]
    notable: tuple[Notable, ...]


@dataclass(frozen=True)
class HomePage:
    """home.html"""

    models: tuple[ModelCard, ...]
    claims: tuple[Link, ...]
    """For each model, how the published claims fare."""
    findings: Link
    reading: Link
    methods: tuple[Link, ...]


@dataclass(frozen=True)
class ModelsPage:
    """models.html"""

    models: tuple[ModelCard, ...]


@dataclass(frozen=True)
class HeadRow:
    """A head in the searchable table of its model."""

    link: Link
    kind: Kind
    summary: str
    numbers: tuple[tuple[str, str], ...]
    """Value and interval."""


@dataclass(frozen=True)
class ModelPage:
    """model.html"""

    name: str
    models: Link
    lead: str
    card: ModelCard
    atlas: Figure
    columns: tuple[Link, ...]
    """Heads of the number columns, each leading to its definition."""
    heads: tuple[HeadRow, ...]
    studies: tuple[Link, ...]
    """Pages about the model as a whole."""
    facts: tuple[tuple[str, str], ...]
    """How the results came about."""
    command: str


@dataclass(frozen=True)
class TopHeads:
    """The heads of one model that score highest."""

    model: Link
    n: int
    """Documents."""
    heads: tuple[tuple[Link, str], ...]


@dataclass(frozen=True)
class MethodPage:
    """method.html"""

    methods: Link
    title: str
    name: str
    columns: tuple[str, ...]
    """Names of the numbers, when there are several."""
    definition: str
    formula: str
    unit: str
    uniform: str
    source: str
    caveats: tuple[str, ...]
    top: tuple[TopHeads, ...]


@dataclass(frozen=True)
class MethodsPage:
    """methods.html"""

    methods: tuple[tuple[Link, str, str], ...]
    """Link, definition, unit."""
    studies: tuple[tuple[str, tuple[tuple[Part, str], ...]], ...]
    """What makes numbers -> its studies, each with what it does."""
    dictionary: Link
