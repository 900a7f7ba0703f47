"""Templates and what they may call. Templates arrange; everything in them is escaped, an unknown name is an error."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from generator.pages.contexts import LinkedRow

CELL, ROW = "\x1f", "\x1e"
"""Unit and record separator: characters that no text needs."""


@dataclass(frozen=True)
class Page:
    """A finished page: plain HTML that any builder can publish."""

    address: str
    title: str
    html: str
    search: str = ""
    """What the search reads of it, as HTML; nothing keeps the page out of the index."""
    description: str = ""
    wide: bool = False
    """Leave out the site's side columns."""


class Renderer:
    """Renders contexts through the templates of one folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.filters |= FILTERS

    def render(self, template: str, page: Any) -> str:
        """The HTML of one context; templates know it as `page`."""
        return self._environment.get_template(template).render(page=page)


def table_rows(rows: Sequence[Sequence[str]]) -> Markup:
    """Rows of cells as HTML, without the end tags that HTML lets one leave out: a tenth of a page."""
    return Markup("\n".join(f"<tr><td>{line.replace(CELL, '<td>')}" for line in _escaped(rows)))  # noqa: S704 - escaped


def linked_rows(rows: Sequence[LinkedRow]) -> Markup:
    """Rows whose first cell is a heading that leads somewhere."""
    parts = (line.split(CELL, 2) for line in _escaped([(row.link.href, row.link.text, *row.cells) for row in rows]))
    return Markup(  # noqa: S704 - escaped
        "\n".join(
            f'<tr><th scope="row"><a href="{href}">{text}</a></th><td>{cells.replace(CELL, "</td><td>")}</td></tr>'
            for href, text, cells in parts
        )
    )


def _escaped(rows: Sequence[Sequence[str]]) -> list[str]:
    """Each row as one line, its cells parted by CELL; escaping all in one go is ten times faster than one by one."""
    plain = ROW.join([CELL.join(row) for row in rows])
    if plain.count(CELL) != sum(map(len, rows)) - len(rows) or plain.count(ROW) != len(rows) - 1:
        plain = ROW.join([CELL.join([cell.replace(CELL, "").replace(ROW, "") for cell in row]) for row in rows])
    return str(escape(plain)).split(ROW)


FILTERS: Mapping[str, Callable[..., Markup]] = {
    "trusted_json": Markup,  # made by figures.embed, which escapes it
    "table_rows": table_rows,
    "linked_rows": linked_rows,
}
"""What templates may call."""


def plain_text(title: str, *paragraphs: str, anchor: str = "") -> str:
    """Plain text as the HTML of a section; with an anchor, of a part of the page."""
    heading = f'<h2 id="{anchor}">{escape(title)}</h2>' if anchor else f"<h1>{escape(title)}</h1>"
    return heading + "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
