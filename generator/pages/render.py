"""Every generated page of the site, from stored results."""

from collections.abc import Iterator, Mapping, Sequence

from generator.measures import MEASURES
from generator.pages import addresses
from generator.pages.claims.page import claims_pages
from generator.pages.claims.tables import Ledger
from generator.pages.compare.page import compare_pages
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.methods import method_page, methods_page
from generator.pages.models import home_page, model_page, models_page
from generator.pages.renderer import Page, Renderer, plain_text
from generator.pages.studies.all import study_pages
from generator.results.store import Results


def pages(results: Sequence[Results], ledger: Ledger, renderer: Renderer, sources: Mapping[str, str]) -> Iterator[Page]:
    """Every generated page of the site, one after the other; `sources` are those of the list of references, by key."""
    atlases = [Atlas(result) for result in results]
    title = "A field guide to attention heads"
    what = "What the attention heads of BERT-like encoders do, measured head by head."
    home = renderer.render("home.html", home_page(atlases, ledger))
    yield Page(addresses.HOME, title, home, plain_text(title, what), what, wide=True)
    names = ", ".join(atlas.results.manifest.model for atlas in atlases)
    models = renderer.render("models.html", models_page(atlases))
    yield Page(addresses.MODELS, "Models", models, plain_text("Models", names), wide=True)
    methods = renderer.render("methods.html", methods_page())
    yield Page(addresses.METHODS, "Methods", methods, methods, wide=True)
    for measure in MEASURES:
        html = renderer.render("method.html", method_page(measure, atlases))
        yield Page(addresses.method(measure.name), measure.title, html, html, measure.definition, wide=True)
    yield from claims_pages(ledger, renderer, sources)
    yield from compare_pages(atlases, renderer)
    for atlas in atlases:
        yield from _model_pages(atlas, renderer)
        yield from study_pages(atlas, renderer)


def _model_pages(atlas: Atlas, renderer: Renderer) -> Iterator[Page]:
    context = model_page(atlas)
    heads = [f"{row.link.text}: {row.summary}" for row in context.heads]
    search = plain_text(context.name, context.lead) + plain_text("All heads", *heads, anchor="heads")
    html = renderer.render("model.html", context)
    yield Page(addresses.model(atlas.slug), context.name, html, search, context.lead, wide=True)
    studies = HeadStudies(atlas)
    for layer, head in atlas.places:
        one = head_page(atlas, studies, layer, head)
        address, title = addresses.head(atlas.slug, layer, head), f"{one.title} - {one.model.text}"
        yield Page(address, title, renderer.render("head.html", one), description=one.summary, wide=True)
