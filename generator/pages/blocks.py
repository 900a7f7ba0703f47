"""What a page is made of: sections, and in them paragraphs, lists, figures, tables and notes in any order.

Paragraphs, cells and headings are prose (`inline.py`). Any other block is a record that names a template in
`templates/blocks/`; in that template the record is called `page`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from markupsafe import Markup

from generator.pages.inline import Cells, Link, Part, Prose, Step

Thing = TypeVar("Thing")


class Drawn(Protocol):
    """A block with a template of its own."""

    template: ClassVar[str]
    """Its file in `templates/blocks/`, without the ending."""


Block = Prose | Drawn
"""A part of a section; prose is drawn as a paragraph."""


@dataclass(frozen=True)
class Table:
    """Column heads and rows; outside figures the first cell of a row is its heading."""

    template: ClassVar[str] = "table"
    columns: tuple[Prose, ...]
    rows: tuple[Cells, ...] | Markup
    """As cells, or as HTML that was drawn before."""
    label: str = ""
    """What the table holds, for those who cannot see it; the table of a figure needs none, as the figure says it."""
    style: str = ""
    """A further class of the style sheet, if it needs one."""
    id: str = ""
    """Its anchor; needed if readers can search its rows."""
    find: str = ""
    """Examples of what a reader may search for in its rows; empty if there is no search box."""


@dataclass(frozen=True)
class Figure:
    """One set of data, shown by one or more charts."""

    template: ClassVar[str] = "figure"
    id: str
    label: str
    """What the figure shows, also for those who cannot see it; must be true of every view, or views have a `title` each
    and this is that of the first.
    """
    kinds: tuple[str, ...]
    """Charts, by their keys in `generator.charts.compile.CHARTS`."""
    data: str
    """JSON that is safe inside HTML. For most charts it is `{shared, views: [{columns, signals, constants, title}]}`:
    columns have equal length, constants are added to downloaded rows, and views have a title only if they differ in
    it. For maps it is `{grid, views: [{tokens, weights}]}` with weights in thousandths, query by query. A figure of a
    few models also has a view `every`, with the rows of all models that its reader may choose.
    """
    caption: str
    table: Table
    views: tuple[Link, ...] = ()
    """Labels of the views if there are several, each with a link to its definition, if it has one."""
    chooser: str = ""
    """What the reader chooses between the views, such as "Measure" or "Sentence"."""
    first: Mapping[str, Any] | None = None
    """The first of the views in `data`, for charts that are drawn in Python; None to read it there."""


def first_title(views: Sequence[Mapping[str, Any]]) -> str:
    """The title of a figure: that of the view which it shows first."""
    title: str = views[0]["title"]
    return title


@dataclass(frozen=True)
class Note:
    """A small paragraph that says how to read what is above it."""

    template: ClassVar[str] = "note"
    text: Prose


SURE = "fg-sure"
"""The style of a list or a table of what was found: every interval in brackets is that of a difference from a baseline,
and leaves out 0.
"""
LINES = "fg-list fg-lines"
"""The style of a list with a line for each of its entries, also where several would fit into one."""


@dataclass(frozen=True)
class Items:
    """A list of short lines, most of them links."""

    template: ClassVar[str] = "items"
    lines: tuple[Prose, ...]
    style: str = "fg-list"
    """Its class of the style sheet."""


class Card(NamedTuple):
    """A link to a page, and the page's first result."""

    link: Link
    told: str


def first_result(make: Callable[[], str]) -> str:
    """What a card tells; empty if its page cannot be made: that page itself says why."""
    try:
        return make()
    except Exception:  # noqa: BLE001 - one page must not cost another
        return ""


@dataclass(frozen=True)
class Cards:
    """Pages side by side, each with its first result."""

    template: ClassVar[str] = "cards"
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Listing:
    """Lines that a reader could type, such as commands."""

    template: ClassVar[str] = "listing"
    text: str


@dataclass(frozen=True)
class Facts:
    """A list of names, each with what is said about it."""

    template: ClassVar[str] = "facts"
    lines: tuple[tuple[Prose, Prose], ...]
    style: str = "fg-facts"
    """Its class of the style sheet."""


@dataclass(frozen=True)
class Columns:
    """Blocks side by side, if there is room."""

    template: ClassVar[str] = "columns"
    parts: tuple[Block, ...]
    style: str
    """Its class of the style sheet."""
    id: str = ""
    """Its anchor; needed if all of it has one menu."""
    label: str = ""
    """What all of it shows, for those who cannot see it; needed with an anchor."""


@dataclass(frozen=True)
class Folded:
    """Blocks that a reader opens by their title."""

    template: ClassVar[str] = "folded"
    title: Prose
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Section:
    """A heading and the blocks below it."""

    template: ClassVar[str] = "section"
    id: str
    """Its anchor, which never changes; empty if no link may lead to it."""
    title: Prose
    """The heading; empty for the section that opens a page."""
    blocks: tuple[Block, ...]
    level: int = 2
    folded: bool = False
    """Whether a reader opens it by its heading; a link to its anchor opens it, too."""


@dataclass(frozen=True)
class Sections:
    """A whole page of sections, drawn by the template `page.html`."""

    title: Prose
    lead: Prose
    """One sentence that says what the page shows; the search and the description use it too."""
    crumbs: tuple[Part, ...]
    """Links to the pages above this one."""
    sections: tuple[Section, ...]
    steps: tuple[Step, ...] = ()
    """Links to the pages before and after it."""
    before: tuple[Prose, ...] = ()
    """Sentences above the badge and the lead that have other sources than the lead, each with its own."""
    after: tuple[Prose, ...] = ()
    """Such sentences below the badge, which does not speak of them."""
    badge: tuple[str, Prose] | None = None
    """How far to believe the lead in a few words, and why; the reason is folded."""
    card: str = ""
    """What a card that leads here tells: the page's first result, in one sentence."""
    contest: Prose = ""
    """Which numbers of the page a reader may contest, if any; the renderer turns this into a link or leaves it out."""


def opening(*blocks: Block) -> Section:
    """The section between the lead and the first heading."""
    return Section("", "", blocks)


def present(*things: Thing | None) -> tuple[Thing, ...]:
    """All but the Nones, in order."""
    return tuple(thing for thing in things if thing is not None)
