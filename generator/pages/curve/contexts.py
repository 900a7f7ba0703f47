"""What the template of a model's course of training may know."""

from dataclasses import dataclass

from generator.pages.blocks import Cells, Figure, Link, Table
from generator.pages.claims.contexts import Mark


@dataclass(frozen=True)
class StepCell:
    """A head on the grid of a checkpoint."""

    name: str
    """As in the papers: layer-head."""
    href: str
    shown: str
    """Its number as text."""
    share: str
    """Its place on the scale of colours in per cent."""
    known: bool
    """Whether its number is defined."""


@dataclass(frozen=True)
class Slider:
    """The heads of a model checkpoint by checkpoint, measure by measure; drawn here as of the last one."""

    label: str
    last: int
    """Number of the last checkpoint, from 0."""
    step: str
    """The last step as text."""
    measures: tuple[Link, ...]
    """Each leads to its definition."""
    heads: tuple[str, ...]
    """Numbers of heads, as headings."""
    rows: tuple[tuple[StepCell, ...], ...]
    """Layers of heads."""
    top: str
    """The number at the end of the scale of colours."""
    told: str
    """How sure the numbers of the first measure are."""
    data: str
    """JSON that is safe inside HTML: `{steps, heads, measures: [{per, top, told, values}]}`; values is a text of
    whole numbers that `per` divides, two digits of base 36 each, "--" where undefined, checkpoint by checkpoint, within
    it head by head.
    """
    note: str
    table: Table
    """The same measures at the last checkpoint."""


@dataclass(frozen=True)
class PhasesInTime:
    """When attention to the begin token, to separators and to punctuation rises."""

    figure: Figure | None
    rises: Table | None
    orders: Table | None
    claim: Link
    verdict: Mark
    reason: str


@dataclass(frozen=True)
class Births:
    """When each head that stands out came to be."""

    rule: str
    columns: tuple[Link, ...]
    rows: tuple[Cells, ...]


@dataclass(frozen=True)
class RelationCourse:
    """Heads that find dependency relations, checkpoint by checkpoint."""

    read: str
    figure: Figure
    columns: tuple[Link, ...]
    rows: tuple[Cells, ...]
    """A head; its relation, accuracies, when it rose, words and sentences."""


@dataclass(frozen=True)
class ClaimCourse:
    """Verdicts on claims, checkpoint by checkpoint."""

    lead: str
    figure: Figure
    columns: tuple[Link, ...]
    rows: tuple[Cells, ...]


@dataclass(frozen=True)
class Learned:
    """A section on what the model as a whole has learned."""

    id: str
    title: str
    text: str
    figure: Figure | None
    table: Table | None


@dataclass(frozen=True)
class CurvePage:
    """curve.html"""

    models: Link
    model: Link
    lead: str
    zero: str
    """Where step 0 stands on the axes, in a sentence; empty without such a checkpoint."""
    slider: Slider | None
    layers: Figure | None
    phases: PhasesInTime
    births: Births | None
    relations: RelationCourse | None
    claims: ClaimCourse | None
    learned: tuple[Learned, ...]
    command: str
    script: str
    """The address of what moves the slider."""


@dataclass(frozen=True)
class History:
    """When a head came to be, on its own page."""

    text: str
    line: str
    """Its number against the step, as the path of a small drawing."""
    more: Link
