"""Pages for the addresses of models that the guide no longer shows; each says so in a line."""

from collections.abc import Iterator, Sequence

from generator.config import Gone
from generator.pages import addresses
from generator.pages.blocks import Sections
from generator.pages.inline import Link
from generator.pages.renderer import Page, Renderer

PAGES = (
    addresses.model,
    addresses.relations,
    addresses.head_map,
    addresses.roles,
    addresses.phases,
    addresses.patterns,
    addresses.inputs,
    addresses.features,
    addresses.tasks,
    addresses.curve,
    addresses.seeds,
)
"""Functions that return the addresses of the pages about a whole model."""


def gone_pages(gone: Sequence[Gone], shown: Sequence[str], renderer: Renderer) -> Iterator[Page]:
    """One page for each address that a model had; `shown` are the slugs of the models that are still there."""
    others = [*shown, *(one.slug for one in gone)]
    for one in gone:
        yield from (_page(one, address(one.slug), renderer) for address in PAGES)
        for layer in range(1, one.layers + 1):
            for head in range(1, one.heads + 1):
                yield _page(one, addresses.head(one.slug, layer, head), renderer)
        for other in others:
            if other != one.slug:
                yield _page(one, addresses.compare(one.slug, other), renderer)
                yield _page(one, addresses.compare(other, one.slug), renderer)


def _page(one: Gone, address: str, renderer: Renderer) -> Page:
    to_models = Link("the models that are", addresses.relative(addresses.MODELS, address))
    page = Sections(
        title=f"{one.name} is no longer in this guide",
        lead=(f"{one.name} was analysed here once and has been removed. See ", to_models, "."),
        crumbs=(),
        sections=(),
    )
    return renderer.page(address, page, search="")
