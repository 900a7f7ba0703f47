"""The content of a sentence, a cell or a heading: a text, a part that is more than text, or a tuple of both.

All texts are plain and escaped when they are drawn. Addresses are relative to the page, so that the site also works
from disk.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter
from typing import Protocol

from markupsafe import Markup, escape

from generator.numbers.pieces import readable


class Part(Protocol):
    """A part of a sentence that is more than text and knows its own HTML."""

    def __html__(self) -> str:
        """HTML in which every text is escaped."""
        ...


Prose = str | Part | tuple[str | Part, ...]
Cells = tuple[Prose, ...]

MARKS = re.compile("[&<>\"']")
NAMES = re.compile(r"\b\w+(?:\.\w+)*(?:-\w+(?:\.\w+)*)+")
"""Names of heads and models, such as 3-1, and other words with a hyphen; as in fieldguide.js."""
LONGEST = 32
"""Characters of a name that fits on a line of any screen; longer ones may be broken."""


def as_html(read: str | Part) -> str:
    """The HTML of a part or a plain text; `markupsafe.escape` takes several times as long for text without marks."""
    if (type(read) is str and not MARKS.search(read)) or type(read) is Markup:
        return read
    return escape(read) if isinstance(read, str) else read.__html__()


@dataclass(frozen=True)
class Link:
    """A text with a link; without an address it is only the text."""

    text: str
    href: str
    title: str = ""
    """The text shown when a pointer rests on it, if any."""

    def __html__(self) -> str:
        """An anchor."""
        if not self.href:
            return as_html(self.text)
        title = f' title="{as_html(self.title)}"' if self.title else ""
        return f'<a href="{as_html(self.href)}"{title}>{as_html(self.text)}</a>'


@dataclass(frozen=True)
class Name:
    """The name of a model, a corpus or a token, kept apart so that its writing direction does not affect other text."""

    text: str
    href: str = ""
    """Where it leads, if anywhere."""

    def __html__(self) -> str:
        """The name in an element of its own, inside a link if it has an address."""
        name = f"<bdi>{as_html(self.text)}</bdi>"
        return f'<a href="{as_html(self.href)}">{name}</a>' if self.href else name


@dataclass(frozen=True)
class Token:
    """A token as people read it; its piece of the vocabulary is shown when a pointer rests on it."""

    piece: str

    def __html__(self) -> str:
        """The token apart from the text around it."""
        text = readable(self.piece)
        title = "" if text == self.piece else f' title="{as_html(self.piece)}"'
        return f"<bdi{title}>{as_html(text)}</bdi>"


@dataclass(frozen=True)
class Code:
    """Text that a reader could type, such as a command."""

    text: str

    def __html__(self) -> str:
        """Code within a sentence."""
        return f"<code><bdi>{as_html(self.text)}</bdi></code>"


@dataclass(frozen=True)
class Count:
    """A number after a name, in small grey letters."""

    text: str

    def __html__(self) -> str:
        """Small and grey."""
        return f'<span class="fg-count">{as_html(self.text)}</span>'


@dataclass(frozen=True)
class Kind:
    """A kind of head: the name of its colour, and its name on pages."""

    key: str
    text: str

    def __html__(self) -> str:
        """A square of its colour; the name stands beside it or in a title."""
        return f'<span class="fg-swatch fg-kind-{as_html(self.key)}"></span>'


@dataclass(frozen=True)
class Small:
    """Small text below the text of a cell: an interval, a direction, a unit."""

    text: str

    def __html__(self) -> str:
        """The text in small letters and in brackets, which stay when it is copied or read aloud; empty for no text."""
        return f" <small>({as_html(self.text)})</small>" if self.text else ""


@dataclass(frozen=True)
class Anchor:
    """A place within a table that links lead to."""

    id: str

    def __html__(self) -> str:
        """An empty element with an id."""
        return f'<span class="fg-anchor" id="{as_html(self.id)}"></span>'


@dataclass(frozen=True)
class Step:
    """A link to the page before or after this one in a sequence of pages."""

    text: str
    href: str
    back: bool = False

    def __html__(self) -> str:
        """The link with an arrow for its direction; helps.js makes the arrow keys follow it."""
        href, text = as_html(self.href), as_html(self.text)
        if self.back:
            return f'<a href="{href}" rel="prev" aria-keyshortcuts="p ArrowLeft">&larr; {text}</a>'
        return f'<a href="{href}" rel="next" aria-keyshortcuts="n ArrowRight">{text} &rarr;</a>'


@dataclass(frozen=True)
class Joined:
    """Several parts, separated by commas."""

    parts: tuple[Part, ...]

    def __html__(self) -> str:
        """The parts as HTML with commas between them."""
        return ", ".join(map(as_html, self.parts))


@dataclass(frozen=True)
class Cell:
    """The content of a table cell that is more than a text or a link."""

    text: str
    href: str = ""
    """Where it leads, if anywhere."""
    note: str = ""
    """Small text below it."""

    def __html__(self) -> str:
        """The text as a link or a name, with the note; only a text beyond ASCII needs a name's element around it."""
        text: Part = (Link if self.text.isascii() else Name)(self.text, self.href)
        return f"{text.__html__()}{Small(self.note).__html__()}"


def prose(text: str, **parts: str | Part) -> Prose:
    """A text in which parts replace their names in braces.

    >>> prose("After {source}.", source=Link("Clark et al. 2019", "../references/"))
    ('After ', Link(text='Clark et al. 2019', href='../references/', title=''), '.')
    """
    pieces = ((before, parts[name] if name else "") for before, name in _parsed(text))
    return tuple(piece for pair in pieces for piece in pair if piece)


@lru_cache(maxsize=256)
def _parsed(text: str) -> tuple[tuple[str, str | None], ...]:
    """Each name in braces after the text before it; kept, because all heads have the same few sentences."""
    return tuple((before, name) for before, name, *_ in Formatter().parse(text))


def inline(read: Prose) -> Markup:
    """A text with its links and names as HTML."""
    text = "".join(map(as_html, read)) if isinstance(read, tuple) else as_html(read)
    return text if type(text) is Markup else Markup(text)  # noqa: S704 - escaped


def as_parts(read: Prose) -> tuple[str | Part, ...]:
    """A text as its parts."""
    return read if isinstance(read, tuple) else (read,)


def plain(read: Prose) -> str:
    """The plain text that a reader sees."""
    return inline(read).striptags()


def unbroken_names(text: str) -> Markup:
    """A text in which no line ends within the name of a head or a model; browsers break lines after a hyphen.

    >>> unbroken_names("Heads 3-1 & 12-10 of small-bert.")
    Markup('Heads <span>3-1</span> &amp; <span>12-10</span> of <span>small-bert</span>.')
    >>> unbroken_names("a-name-that-is-longer-than-any-line-may-be")
    Markup('a-name-that-is-longer-than-any-line-may-be')
    """

    def whole(name: re.Match[str]) -> str:
        return f"<span>{name[0]}</span>" if len(name[0]) <= LONGEST else name[0]

    return Markup(NAMES.sub(whole, str(escape(text))))  # noqa: S704 - escaped
