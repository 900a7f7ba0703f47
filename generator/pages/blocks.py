"""What a page is made of: sections, and in them paragraphs, lists, figures, tables and notes in any order.

A paragraph, a cell and a heading are prose: a text, a part that is more than text (a link, a name), or a tuple of both.
All texts are plain and escaped when they are drawn. A block of another kind is any record that names a template in
`templates/blocks/`, which knows it as `page`. Addresses are relative to the page, so that the site also
works from disk.
"""

from dataclasses import dataclass
from string import Formatter
from typing import ClassVar, Protocol, TypeVar

from markupsafe import Markup, escape

Thing = TypeVar("Thing")


class Part(Protocol):
    """A part of a sentence that is more than text and knows its own HTML."""

    def __html__(self) -> str:
        """HTML in which every text is escaped."""
        ...


Prose = str | Part | tuple[str | Part, ...]
Cells = tuple[Prose, ...]


class Drawn(Protocol):
    """A block with a template of its own."""

    template: ClassVar[str]
    """Its file in `templates/blocks/`, without the ending."""


Block = Prose | Drawn
"""Prose is a paragraph."""


@dataclass(frozen=True)
class Link:
    """A text that leads somewhere; without an address it is that text alone."""

    text: str
    href: str
    title: str = ""
    """What a pointer that rests on it shows, if anything."""

    def __html__(self) -> str:
        """An anchor."""
        if not self.href:
            return escape(self.text)
        title = Markup(' title="{}"').format(self.title) if self.title else ""
        return Markup('<a href="{}"{}>{}</a>').format(self.href, title, self.text)


@dataclass(frozen=True)
class Name:
    """What a model, a corpus or a token is called: its direction of writing changes nothing around it."""

    text: str
    href: str = ""
    """Where it leads, if anywhere."""

    def __html__(self) -> str:
        """The name apart from the text around it, in an anchor where it leads somewhere."""
        name = Markup("<bdi>{}</bdi>").format(self.text)
        return Markup('<a href="{}">{}</a>').format(self.href, name) if self.href else name


@dataclass(frozen=True)
class Code:
    """What a reader would type."""

    text: str

    def __html__(self) -> str:
        """Code within a sentence."""
        return Markup("<code><bdi>{}</bdi></code>").format(self.text)


@dataclass(frozen=True)
class Count:
    """A number that stands beside a name without weight."""

    text: str

    def __html__(self) -> str:
        """Small and grey."""
        return Markup('<span class="fg-count">{}</span>').format(self.text)


@dataclass(frozen=True)
class Kind:
    """A kind of head: the name of its colour, and its name on pages."""

    key: str
    text: str

    def __html__(self) -> str:
        """A square of its colour; the name stands beside it or in a title."""
        return Markup('<span class="fg-swatch fg-kind-{}"></span>').format(self.key)


@dataclass(frozen=True)
class Cell:
    """What stands in a table, where it is more than a text or a link."""

    text: str
    href: str = ""
    """Where it leads, if anywhere."""
    note: str = ""
    """What stands small below it: an interval, a direction."""

    def __html__(self) -> str:
        """A link or a name, and the note."""
        text: Part = Link(self.text, self.href) if self.href else Name(self.text)
        return text.__html__() + (Markup(" <small>{}</small>").format(self.note) if self.note else "")


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


@dataclass(frozen=True)
class Figure:
    """One set of data, drawn by one or more charts."""

    template: ClassVar[str] = "figure"
    id: str
    label: str
    """What the figure shows, for those who cannot see it."""
    kinds: tuple[str, ...]
    """Charts, by their keys in `generator.charts.compile.CHARTS`."""
    data: str
    """JSON that is safe inside HTML: `{shared, views: [{columns, signals, constants}]}` with columns of equal
    length, constants for the downloaded rows; or for maps
    `{grid, views: [{tokens, weights}]}` with weights in thousandths, query by query.
    """
    caption: str
    table: Table
    views: tuple[Link, ...] = ()
    """Labels of the views, when there is more than one to choose from, and where each is defined, if anywhere."""
    chooser: str = ""
    """What the reader chooses: "Measure", "Sentence"."""


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


@dataclass(frozen=True)
class Listing:
    """What a reader would type, line by line."""

    template: ClassVar[str] = "listing"
    text: str


@dataclass(frozen=True)
class Facts:
    """Names, and what is to be said of each."""

    template: ClassVar[str] = "facts"
    lines: tuple[tuple[Prose, Prose], ...]


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

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
    lead: str
    """What the page says in a sentence; the search and the description show it too."""
    crumbs: tuple[Part, ...]
    """Links to the pages above this one."""
    sections: tuple[Section, ...]


def prose(text: str, **parts: str | Part) -> Prose:
    """A text with parts in the places that it names in braces.

    >>> prose("After {source}.", source=Link("Clark et al. 2019", "../references/"))
    ('After ', Link(text='Clark et al. 2019', href='../references/', title=''), '.')
    """
    pieces = ((before, parts[name] if name else "") for before, name, *_ in Formatter().parse(text))
    return tuple(piece for pair in pieces for piece in pair if piece)


def opening(*blocks: Block) -> Section:
    """What stands between the lead and the first heading."""
    return Section("", "", blocks)


def present(*things: Thing | None) -> tuple[Thing, ...]:
    """Those that there are."""
    return tuple(thing for thing in things if thing is not None)
