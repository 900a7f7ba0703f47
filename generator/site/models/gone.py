"""Pages for the addresses of models that the guide no longer shows; each says so in a line."""

from collections.abc import Iterator, Sequence
from itertools import product

from generator.config import Gone
from generator.pages import addresses
from generator.pages.blocks import Sections
from generator.pages.inline import Link
from generator.pages.renderer import Page, Renderer

EVERY = (addresses.model, addresses.heads, addresses.phases, addresses.patterns, addresses.folder)
"""Functions that return the addresses that every model with results has."""


def gone_pages(gone: Sequence[Gone], renderer: Renderer) -> Iterator[Page]:
    """One page for each address that a model had."""
    for model in gone:
        places = product(range(1, model.layers + 1), range(1, model.heads + 1))
        heads = (addresses.head(model.slug, layer, head) for layer, head in places)
        for address in (*(model.pages or (address(model.slug) for address in EVERY)), *heads):
            yield _page(model, address, renderer)


def _page(gone: Gone, address: str, renderer: Renderer) -> Page:
    to_models = Link("the models that are", addresses.relative(addresses.MODELS, address))
    page = Sections(
        title=f"{gone.name} is no longer in this guide",
        lead=(f"{gone.name} was analysed here once and has been removed. See ", to_models, "."),
        crumbs=(),
        sections=(),
    )
    return renderer.page(address, page, search="")
