"""Contexts -> finished pages. Templates arrange; everything in them is escaped and an unknown name is an error."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from generator.measures import MEASURES
from generator.pages import addresses
from generator.pages.atlas import Atlas
from generator.pages.contexts import LinkedRow
from generator.pages.heads import head_page
from generator.pages.methods import method_page, methods_page
from generator.pages.models import home_page, model_page, models_page
from generator.results.store import Results

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
    """Rows of cells as HTML."""
    lines = (line.replace(CELL, "</td><td>") for line in _escaped(rows))
    return Markup("\n".join(f"<tr><td>{line}</td></tr>" for line in lines))  # noqa: S704 - escaped


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


def pages(results: Sequence[Results], templates: Path) -> Iterator[Page]:
    """Every generated page of the site, one after the other."""
    renderer = Renderer(templates)
    atlases = [Atlas(result) for result in results]
    title = "A field guide to attention heads"
    what = "What the attention heads of BERT-like encoders do, measured head by head."
    home = renderer.render("home.html", home_page(atlases))
    yield Page(addresses.HOME, title, home, _text(title, what), what, wide=True)
    names = ", ".join(atlas.results.manifest.model for atlas in atlases)
    models = renderer.render("models.html", models_page(atlases))
    yield Page(addresses.MODELS, "Models", models, _text("Models", names), wide=True)
    methods = renderer.render("methods.html", methods_page())
    yield Page(addresses.METHODS, "Methods", methods, methods, wide=True)
    for measure in MEASURES:
        html = renderer.render("method.html", method_page(measure, atlases))
        yield Page(addresses.method(measure.name), measure.title, html, html, measure.definition, wide=True)
    for atlas in atlases:
        yield from _model_pages(atlas, renderer)


def _model_pages(atlas: Atlas, renderer: Renderer) -> Iterator[Page]:
    context = model_page(atlas)
    heads = [f"{row.link.text}: {row.summary}" for row in context.heads]
    search = _text(context.name, context.lead) + _text("All heads", *heads, anchor="heads")
    html = renderer.render("model.html", context)
    yield Page(addresses.model(atlas.slug), context.name, html, search, context.lead, wide=True)
    for layer, head in atlas.places:
        one = head_page(atlas, layer, head)
        address, title = addresses.head(atlas.slug, layer, head), f"{one.title} - {one.model.text}"
        yield Page(address, title, renderer.render("head.html", one), description=one.summary, wide=True)


def _text(title: str, *paragraphs: str, anchor: str = "") -> str:
    """Plain text as the HTML of a section; with an anchor, of a part of the page."""
    heading = f'<h2 id="{anchor}">{escape(title)}</h2>' if anchor else f"<h1>{escape(title)}</h1>"
    return heading + "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
