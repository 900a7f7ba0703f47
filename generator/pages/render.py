"""Contexts -> finished pages. Templates arrange; everything in them is escaped and an unknown name is an error."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from generator.measures import MEASURES
from generator.pages import addresses
from generator.pages.atlas import Atlas
from generator.pages.heads import head_page
from generator.pages.methods import method_page, methods_page
from generator.pages.models import home_page, model_page, models_page
from generator.results.store import Results


@dataclass(frozen=True)
class Page:
    """A finished page: plain HTML that any builder can publish."""

    address: str
    title: str
    html: str
    description: str = ""
    searchable: bool = True
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
        )
        self._environment.filters["trusted_json"] = Markup  # made by figures.embed, which escapes it
        self._environment.filters["table_rows"] = table_rows

    def render(self, template: str, page: Any) -> str:
        """The HTML of one context; templates know it as `page`."""
        return self._environment.get_template(template).render(page=page)


def table_rows(rows: Sequence[Sequence[str]]) -> Markup:
    """Rows of cells as HTML. All cells are escaped in one go, which is ten times faster than one by one."""
    plain = "\n".join("\t".join(" ".join(cell.split()) for cell in row) for row in rows)
    escaped = str(escape(plain)).replace("\t", "</td><td>").replace("\n", "</td></tr>\n<tr><td>")
    return Markup(f"<tr><td>{escaped}</td></tr>")  # noqa: S704 - escaped above


def pages(results: Sequence[Results], templates: Path) -> Iterator[Page]:
    """Every generated page of the site, one after the other."""
    renderer = Renderer(templates)
    atlases = [Atlas(result) for result in results]
    yield Page(
        addresses.HOME,
        "A field guide to attention heads",
        renderer.render("home.html", home_page(atlases)),
        description="What the attention heads of BERT-like encoders do, measured head by head.",
        wide=True,
    )
    yield Page(addresses.MODELS, "Models", renderer.render("models.html", models_page(atlases)), wide=True)
    yield Page(addresses.METHODS, "Methods", renderer.render("methods.html", methods_page()), wide=True)
    for measure in MEASURES:
        html = renderer.render("method.html", method_page(measure, atlases))
        yield Page(addresses.method(measure.name), measure.title, html, measure.definition, wide=True)
    for atlas in atlases:
        yield from _model_pages(atlas, renderer)


def _model_pages(atlas: Atlas, renderer: Renderer) -> Iterator[Page]:
    context = model_page(atlas)
    yield Page(
        addresses.model(atlas.slug),
        context.name,
        renderer.render("model.html", context),
        description=context.lead,
        wide=True,
    )
    for layer, head in atlas.places:
        one = head_page(atlas, layer, head)
        yield Page(
            addresses.head(atlas.slug, layer, head),
            f"{one.title} - {one.model.text}",
            renderer.render("head.html", one),
            description=one.summary,
            searchable=False,
            wide=True,
        )
