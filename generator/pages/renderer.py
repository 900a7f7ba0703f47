"""Renders templates. They only arrange: everything in them is escaped, and an unknown name is an error."""

import json
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, pass_environment
from markupsafe import Markup, escape

from generator.charts.static.picture import WRITERS, Chart, Picture, picture
from generator.charts.static.sheet import FILE, sheet
from generator.charts.static.vega import StaticPictures, static_picture
from generator.errors import described
from generator.pages.addresses import METHODS
from generator.pages.blocks import Block, Figure, Sections
from generator.pages.citing import OURS, Work
from generator.pages.inline import Cells, Prose, inline, plain, unbroken_names
from generator.pages.links import Contest
from generator.visible import visible, visible_json

ROW, CELL, RICH = "\x1e", "\x1f", "\x1a"
"""The control characters record separator, unit separator and substitute, which no text contains."""
File = tuple[str, str | bytes | Path]
"""The address of a file, and its content or the path where that lies."""
DATA = "figures.js"
"""The file beside a page that holds the data of its figures: a script, because only a script can be read from disk."""
SENTENCE = "sentence.svg"
"""The file beside a page that holds its sentence with arcs, for the picture that other sites show of the page."""
NO_MARKS = dict.fromkeys(map(ord, (ROW, CELL, RICH)))


@dataclass(frozen=True)
class Page:
    """A finished page: plain HTML that any builder can publish."""

    address: str
    title: str
    html: str
    search: str = ""
    """What the search reads of it, as HTML; an empty text keeps the page out of the index."""
    description: str = ""
    wide: bool = False
    """Whether the page leaves out the site's side columns."""
    missing: "Missing | None" = None
    """Why the page that belongs here could not be made; None if it was made. The HTML says so, too."""
    dataset: Mapping[str, Any] | None = None
    """What the page offers for download, as a schema.org data set."""
    files: tuple[File, ...] = ()
    """The files that belong to it, pictures and data of its figures: the address of each, and its content or path.
    """

    def __post_init__(self) -> None:
        """Title and description are often replaced once a page was rendered."""
        for name in ("title", "description"):
            object.__setattr__(self, name, visible(getattr(self, name)))


class Missing(NamedTuple):
    """A page that could not be made from what is stored."""

    model: str
    """The model's name; empty for a page about all models."""
    name: str
    why: str


class Templates(Environment):
    """Jinja's environment, but each template has the names that it may use in one dict.

    A block looks its names up whenever it is rendered; in Jinja's own chain of two dicts that takes several times as
    long.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The names that a template may use."""
        return {**self.globals, **(d or {})}


class Renderer:
    """Renders pages and blocks through the templates of one folder.

    A forgiving renderer replaces a page that cannot be made by one that says why, so that links still lead somewhere.
    Without `pictures`, charts that Vega would draw are drawn by the reader's browser.
    """

    def __init__(
        self,
        templates: Path,
        *,
        forgiving: bool = False,
        site: str = "",
        contest: Contest | None = None,
        pictures: StaticPictures | None = None,
        work: Work = OURS,
    ) -> None:
        self.site, self.work = site, work
        self._forgiving = forgiving
        self._contest = contest
        self._pictures = pictures
        self._drawn: list[Picture] = []
        self._written: list[tuple[str, str]] = []
        self._data: dict[str, dict[str, str]] = {}
        self._environment = Templates(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.filters |= FILTERS
        known = cache(self._environment.get_template)  # Jinja's own search takes longer than a small block
        self._environment.extend(drawing=self._picture, beside=self.beside, share=self._share, known=known)

    def render(self, template: str, page: Any) -> str:
        """The HTML of one record, which its template calls `page`."""
        return visible(self._environment.get_template(template).render(page=page))

    def page(self, address: str, page: Sections, title: str = "", search: str | None = None) -> Page:
        """A finished page. `title` is its heading by default; `search` is by default made of title and lead."""
        lead, name = plain(page.lead), title or plain(page.title)
        read = plain_text(name, lead) if search is None else search
        wide = not address.startswith(METHODS)
        if page.contest:
            contest = self._contest and self._contest.link(name, address, visible(plain(page.contest)))
            page = replace(page, contest=contest or "")
        html = self.render("page.html", page)
        return Page(
            address, title=name, html=html, search=visible(read), description=lead, wide=wide, files=self.drawn(address)
        )

    def drawn(self, address: str) -> tuple[tuple[str, str], ...]:
        """Addresses and contents of the files that belong to the page rendered since the last call.

        These are pictures and scripts with data; one script has the data of all figures and is fetched when a reader
        touches a figure.
        """
        files = [(address + file.name, visible(file.image.svg)) for file in self._drawn]
        if self._written:
            files.append((address + FILE, visible(sheet(self._written))))
        for file, named in self._data.items():
            text = ",\n".join(f"{json.dumps(name)}:{data}" for name, data in named.items())
            files.append((address + file, visible_json(f"window.fieldguideData={{{text}}};\n")))
        self._drawn.clear()
        self._written.clear()
        self._data.clear()
        return tuple(files)

    def beside(self, data: str, name: str, file: str = DATA) -> str:
        """Put JSON into a file beside the page that is being rendered; returns the name of that file."""
        self._data.setdefault(file, {})[name] = data
        return file

    def _share(self, svg: str) -> None:
        """Put a sentence with arcs beside the page; without an address, no other site could show it."""
        if svg and self.site:
            self._drawn.append(Picture(SENTENCE, static_picture(svg)))

    def _picture(self, figure: Figure, kind: str) -> Markup:
        alone, name = len(figure.kinds) == 1, f"{figure.id}-{kind}"
        chart = Chart(kind, data=figure.data, label=figure.label, name=name, alone=alone, first=figure.first)
        html, files = picture(chart, self._pictures)
        self._drawn += files
        if kind in WRITERS:
            self._written.append((name, html))
        return html

    def attempt(self, model: str, name: str, address: str, make: Callable[[], Page]) -> Page:
        """The page that `make` returns; if it fails and the renderer is forgiving, a page that says why."""
        try:
            return make()
        except Exception as error:
            if not self._forgiving:
                raise
            # Or what was drawn before the error would lie beside the next page.
            self.drawn(address)
            missing = Missing(model, name, described(error))
            text = f"This page could not be made from the stored results: {missing.why}"
            title = f"{name} - {model}" if model else name
            return Page(address, title, plain_text(name, text), missing=missing, wide=True)


def attempt_text(name: str, make: Callable[[], str], problems: list[str]) -> str:
    """The text that `make` returns; if it fails, a sentence that says why, which is also added to `problems`."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001 - one text must not cost all others
        problems.append(f"{name} could not be made: {described(error)}")
        return problems[-1]


@pass_environment
def block(environment: Environment, sentence: Block) -> Markup:
    """The HTML of a block, from its own template; prose becomes a paragraph."""
    if not hasattr(sentence, "template"):
        return Markup("<p>%s</p>") % inline(sentence)
    template: Template = environment.known(f"blocks/{sentence.template}.html")  # type: ignore[attr-defined]  # the renderer's
    return Markup(template.render(page=sentence))  # noqa: S704 - a template's


@pass_environment
def pictured(environment: Environment, figure: Figure, kind: str) -> Markup:
    """The HTML shown for one chart of a figure until a reader touches it."""
    drawn: Markup = environment.drawing(figure, kind)  # type: ignore[attr-defined]  # the renderer's
    return drawn


def table_rows(rows: Sequence[Cells], first: str = "<td>", other: str = "<td>") -> Markup:
    """Rows of cells as HTML, without the optional end tags, which would be a tenth of a page.

    All texts are escaped in one go, which is ten times as fast as one by one; cells with more than text are inserted
    afterwards.
    """
    rich: list[Markup] = []

    def text(cell: Prose) -> str:
        if isinstance(cell, str) and not isinstance(cell, Markup):
            return cell.translate(NO_MARKS)
        rich.append(inline(cell))
        return RICH

    marked = ROW.join(
        [CELL.join([cell if type(cell) is str and cell.isprintable() else text(cell) for cell in row]) for row in rows]
    )
    pieces = str(escape(marked)).replace(ROW, f"\n<tr>{first}").replace(CELL, other).split(RICH)
    html = "".join(chain(*zip(pieces, [*rich, ""], strict=True)))
    return Markup(f"<tr>{first}{html}" if rows else "")  # noqa: S704 - escaped


def heading_rows(rows: Sequence[Cells] | Markup) -> Markup:
    """Rows of cells as HTML, the first cell of each as its heading; rows that are HTML stay as they are."""
    return rows if isinstance(rows, Markup) else table_rows(rows, "<th>")


def headings(columns: Cells) -> Markup:
    """The row of headings as HTML; in tables this simple a heading's place tells if it is for a row or a column."""
    return table_rows([columns], "<th>", "<th>")


FILTERS: Mapping[str, Callable[..., Markup]] = {
    "inline": inline,
    "unbroken_names": unbroken_names,
    "block": block,
    "pictured": pictured,
    "beside": pass_environment(lambda environment, *row: environment.beside(*row)),
    "share": pass_environment(lambda environment, svg: environment.share(svg)),
    "table_rows": table_rows,
    "heading_rows": heading_rows,
    "headings": headings,
}
"""Name of a filter that templates may call -> its function."""


def plain_text(title: str, *paragraphs: str, anchor: str = "") -> str:
    """Plain text as HTML for the search: a heading and paragraphs; with an anchor, those of a part of the page.

    The search only recognises headings with an anchor; the first of a page leads to the page itself.
    """
    heading = f'<h2 id="{anchor}">{escape(title)}</h2>' if anchor else f'<h1 id="top">{escape(title)}</h1>'
    return heading + "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
