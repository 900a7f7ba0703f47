"""What the templates of the studies' pages may know: relations, the map of heads, roles and phases of one model."""

from dataclasses import dataclass

from generator.pages.contexts import Figure, Kind, Link


@dataclass(frozen=True)
class Entry:
    """A cell of a table."""

    text: str
    href: str = ""
    """Where it leads, if anywhere."""
    note: str = ""
    """What stands small below it: an interval, a direction."""


@dataclass(frozen=True)
class DataTable:
    """A table with links and intervals; the first cell of a row is its heading."""

    label: str
    """What the table holds, for those who cannot see it."""
    columns: tuple[Link, ...]
    """Headings; one without an address leads nowhere."""
    rows: tuple[tuple[Entry, ...], ...]


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
    relations: DataTable
    words: DataTable
    """All words together."""
    trees: DataTable | None
    probes: DataTable | None


@dataclass(frozen=True)
class Coreference:
    """How often heads and rules select an antecedent in one corpus."""

    id: str
    title: str
    read: str
    table: DataTable


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
class Cluster:
    """Heads that are alike."""

    number: str
    kinds: str
    """How many heads of each kind."""
    heads: tuple[tuple[Kind, Link], ...]


@dataclass(frozen=True)
class LandscapePage:
    """landscape.html"""

    models: Link
    model: Link
    lead: str
    source: Link
    figure: Figure
    numbers: DataTable
    clusters: tuple[Cluster, ...]


@dataclass(frozen=True)
class Rule:
    """A role and the rule that gives it."""

    name: Link
    mark: str
    """Its letter in the table of layers."""
    text: str


@dataclass(frozen=True)
class Mark:
    """The role of a token in one layer."""

    text: str
    role: str


@dataclass(frozen=True)
class TokenRoles:
    """The roles of one token, layer by layer."""

    token: str
    whole: str
    """Its role over all layers."""
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class RolesPage:
    """roles.html"""

    models: Link
    model: Link
    lead: str
    source: Link
    outsider: Link
    rules: tuple[Rule, ...]
    figure: Figure
    tokens: DataTable
    layers: tuple[str, ...]
    """Layers, as headings."""
    changes: tuple[TokenRoles, ...]
    outsiders: DataTable
    ranks: tuple[tuple[str, str], ...]
    """Special tokens and their ranks by frequency."""
    frequent: str
    """Whether they are frequent, in a sentence."""
    places: str
    """Whose place is fixed, in a sentence."""


@dataclass(frozen=True)
class Curves:
    """A number by layer, and what it is."""

    title: str
    text: str
    source: Link
    figure: Figure


@dataclass(frozen=True)
class PhasesPage:
    """phases.html"""

    models: Link
    model: Link
    lead: str
    source: Link
    figure: Figure
    boundaries: DataTable | None
    signatures: DataTable | None
    curves: tuple[Curves, ...]


@dataclass(frozen=True)
class InputsPage:
    """inputs.html"""

    models: Link
    model: Link
    lead: str
    claims: tuple[Link, ...]
    figure: Figure | None
    measures: DataTable | None
    """Every measure without the change and with it."""
    numbers: DataTable | None
    """What else was changed, one number each."""
    distances: DataTable | None
    """What hiding another token costs, by its distance."""


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
    heads: DataTable | None
    """Heads without which the score changes beyond doubt."""
    layers: DataTable | None


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
    scores: DataTable | None
    changed: DataTable | None
    """How much fine-tuning changes maps, by layer."""
    disabled: tuple[Disabled, ...]
    pruning: Figure | None
    removable: DataTable | None
    importance: DataTable | None
    """Whether gradients say what disabling costs."""
