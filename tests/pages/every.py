"""Every generated page of a site, as a build makes them."""

from collections.abc import Iterator, Mapping, Sequence

from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.render import model_pages, shared_pages
from generator.pages.renderer import Page, Renderer
from generator.results.store import Results


def pages(results: Sequence[Results], ledger: Ledger, renderer: Renderer, sources: Mapping[str, str]) -> Iterator[Page]:
    """Every generated page of the site, one after the other; `sources` are those of the list of references, by key."""
    atlases = [Atlas(result) for result in results]
    yield from shared_pages(atlases, ledger, renderer, sources)
    for atlas in atlases:
        yield from model_pages(atlas, ledger, renderer)
