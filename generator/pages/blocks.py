"""What a page is made of: sections, and in them paragraphs, lists, figures, tables and notes in any order.

A paragraph, a cell and a heading are prose (`inline.py`). A block of another kind is any record that names a template
in `templates/blocks/`, which knows it as `page`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from generator.pages.inline import Cells, Link, Part, Prose, Step

Thing = TypeVar("Thing")


class Drawn(Protocol):
    """A block with a template of its own."""

    template: ClassVar[str]
    """Its file in `templates/blocks/`, without the ending."""


Block = Prose | Drawn
"""Prose is a paragraph."""


@dataclass(frozen=True)
class Table:
    """Column heads and rows; outside figures the first cell of a row is its heading."""

    template: ClassVar[str] = "table"
    columns: tuple[Prose, ...]
    rows: tuple[Cells, ...]
    label: str = ""
    """What the table holds, for those who cannot see it; of a figure's table the figure says so."""
    style: str = ""
    """A further class of the style sheet, if it needs one."""
    id: str = ""
    """Its anchor, which it needs where rows are to be found."""
    find: str = ""
    """Examples of what a reader may look for in its rows; empty where there is nothing to type into."""


@dataclass(frozen=True)
class Figure:
    """One set of data, drawn by one or more charts."""

    template: ClassVar[str] = "figure"
    id: str
    label: str
    """What the figure shows, also for those who cannot see it: true of every view, or made by `of_chosen`."""
    kinds: tuple[str, ...]
    """Charts, by their keys in `generator.charts.compile.CHARTS`."""
    data: str
    """JSON that is safe inside HTML: `{shared, views: [{columns, signals, constants}]}` with columns of equal
    length, constants for the downloaded rows; or for maps
    `{grid, views: [{tokens, weights}]}` with weights in thousandths, query by query. A figure of a few models has a
    further view `every`, with the rows of all models that its reader may choose.
    """
    caption: str
    table: Table
    views: tuple[Link, ...] = ()
    """Labels of the views, when there is more than one to choose from, and where each is defined, if anywhere."""
    chooser: str = ""
    """What the reader chooses: "Measure", "Sentence"."""


def of_chosen(views: Sequence[Link], told: str) -> str:
    """The label of a figure that names the chosen view first, and another when a reader chooses another.

    >>> of_chosen([Link("Entropy (nats)", ""), Link("Largest weight (share)", "")], "head by head")
    'Entropy (nats): head by head'
    """
    return f"{views[0].text}: {told}"


@dataclass(frozen=True)
class Note:
    """A small paragraph: how to read what stands above it."""

    template: ClassVar[str] = "note"
    text: Prose


@dataclass(frozen=True)
class Items:
    """A list of short lines, most of them links."""

    template: ClassVar[str] = "items"
    lines: tuple[Prose, ...]
    style: str = "fg-list"
    """Its class of the style sheet."""


@dataclass(frozen=True)
class Listing:
    """What a reader would type, line by line."""

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
    """Blocks side by side, where there is room for it."""

    template: ClassVar[str] = "columns"
    parts: tuple[Block, ...]
    style: str
    """Its class of the style sheet."""


@dataclass(frozen=True)
class Folded:
    """Blocks that a reader opens by their title."""

    template: ClassVar[str] = "folded"
    title: Prose
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    template: ClassVar[str] = "section"
    id: str
    """Its anchor; it never changes. Empty where nothing may lead to it."""
    title: Prose
    """Empty for what opens a page."""
    blocks: tuple[Block, ...]
    level: int = 2


@dataclass(frozen=True)
class Sections:
    """page.html"""

    title: Prose
    lead: Prose
    """What the page says in a sentence; the search and the description show it too."""
    crumbs: tuple[Part, ...]
    """Links to the pages above this one."""
    sections: tuple[Section, ...]
    steps: tuple[Step, ...] = ()
    """Links to the pages before and after it."""
    contest: Prose = ""
    """The numbers of the page that may be contested, if any; the renderer makes them a link, or nothing."""


def opening(*blocks: Block) -> Section:
    """What stands between the lead and the first heading."""
    return Section("", "", blocks)


def present(*things: Thing | None) -> tuple[Thing, ...]:
    """All but the Nones, in order."""
    return tuple(thing for thing in things if thing is not None)
