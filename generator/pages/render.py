"""Every generated page of the site, from stored results."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from generator.claims.evidence.evidence import Evidence
from generator.claims.ledger import judge_all
from generator.claims.remembered import Remembered
from generator.corpora.relation_names import in_words, labels_of
from generator.errors import described
from generator.measures import MEASURES
from generator.measures.measure import Measure
from generator.pages import addresses
from generator.pages.citing import cite_page
from generator.pages.claims.page import claims_pages
from generator.pages.claims.tables import Ledger
from generator.pages.data import data_page, dataset, folder_pages
from generator.pages.dictionary import definition_pages
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import finder_page
from generator.pages.heads.naming.naming import finds
from generator.pages.heads.page import head_page
from generator.pages.heads.papers_model import OURS
from generator.pages.heads.studies import HeadStudies
from generator.pages.heads.why import FILE as WHY
from generator.pages.heads.why import candidates_text
from generator.pages.home import home_page
from generator.pages.inline import plain
from generator.pages.links import head_name
from generator.pages.methods import method_page, methods_page
from generator.pages.models import heads_page, model_page, models_page
from generator.pages.of_model import of_model
from generator.pages.renderer import Page, Renderer, plain_text
from generator.pages.studies.all import Made, made_once, study_addresses, study_pages
from generator.results.store import Results
from generator.results.tables import TABLES
from generator.studies.complete import check_complete
from generator.topics import of_topics


def judged(
    results: Iterable[Results], problems: list[str], remembered: Remembered | None = None, kept: Collection[str] = ()
) -> Iterator[tuple[Atlas, Ledger, Evidence]]:
    """For each model whose pages can be made: its atlas, its ledger with every claim judged, and the evidence read.

    The reason why another cannot be shown is added to `problems`. All tables are read to find damage and
    gaps, but not those of models whose slugs are in `kept`, because the last build has read them.
    """
    for result in results:
        try:
            if result.manifest.slug not in kept:
                for name in TABLES:
                    result.table(name)
                check_complete(result)
            atlas, evidence = Atlas(result), Evidence(result)
            ledger = _judged(result, evidence, remembered)
            atlas.summaries  # noqa: B018 - what no page of a model can do without
        except Exception as error:  # noqa: BLE001 - one model's damage must not cost the pages of the others
            problems.append(f"{result.manifest.model}: its pages could not be made: {described(error)}")
        else:
            yield atlas, ledger, evidence


def _judged(results: Results, evidence: Evidence, remembered: Remembered | None) -> Ledger:
    found = remembered.judgements(results) if remembered else None
    if found is None:
        found = judge_all([evidence])
        if remembered:
            remembered.tell(results, found)
    return Ledger(tuple(found), (results.manifest,), (results,))


def missing(made: Iterable[Page]) -> Iterator[str]:
    """A sentence about the pages that could not be made, for each model and each reason."""
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for page in made:
        if page.missing:
            names[page.missing.model, page.missing.why].append(page.missing.name)
    for (model, why), (first, *others) in names.items():
        which = f"{first} and {len(others)} more pages" if others else first
        yield f"{model}{': ' if model else ''}{which} could not be made: {why}"


def shared_pages(
    atlases: Sequence[Atlas], ledger: Ledger, renderer: Renderer, sources: Mapping[str, str]
) -> Iterator[Page]:
    """The pages about several models or none; `sources` maps the keys of the list of references to author and year."""
    yield renderer.attempt("", "Home", addresses.HOME, partial(_home, atlases, ledger, renderer))
    yield renderer.attempt("", "Models", addresses.MODELS, partial(_models, atlases, renderer))
    yield renderer.attempt("", "Find a head", addresses.FINDER, partial(_finder, atlases, renderer))
    yield renderer.attempt("", "Methods", addresses.METHODS, partial(_methods, renderer))
    for measure in MEASURES:
        made = partial(_method, measure, atlases, renderer)
        yield renderer.attempt("", measure.title, addresses.method(measure.name), made)
    yield from definition_pages(renderer)
    yield renderer.attempt("", "Data", addresses.DATA, partial(_data, atlases, renderer))
    yield renderer.attempt("", "How to cite", addresses.CITE, partial(_cite, renderer))
    yield from claims_pages(ledger, renderer, sources, atlases)
    for pages in of_topics("shared", "SHARED"):
        yield from pages(atlases, renderer)


def _home(atlases: Sequence[Atlas], ledger: Ledger, renderer: Renderer) -> Page:
    what = "What the attention heads of BERT-like encoders do, measured head by head."
    page = home_page(atlases, ledger)
    search = plain_text(plain(page.title), what)
    return replace(renderer.page(addresses.HOME, page, search=search), description=what)


def _models(atlases: Sequence[Atlas], renderer: Renderer) -> Page:
    names = ", ".join(atlas.results.manifest.model for atlas in atlases)
    made = renderer.page(addresses.MODELS, models_page(atlases), search=plain_text("Models", names))
    return replace(made, description=f"Every encoder that this site has measured, with a map of its heads: {names}.")


def _finder(atlases: Sequence[Atlas], renderer: Renderer) -> Page:
    return renderer.page(addresses.FINDER, finder_page(atlases))


def _data(atlases: Sequence[Atlas], renderer: Renderer) -> Page:
    return renderer.page(addresses.DATA, data_page(atlases))


def _methods(renderer: Renderer) -> Page:
    return _searched(renderer.page(addresses.METHODS, methods_page()))


def _cite(renderer: Renderer) -> Page:
    return _searched(renderer.page(addresses.CITE, cite_page(renderer.site, renderer.work)))


def _searched(page: Page) -> Page:
    """The page with all of its text in the search."""
    return replace(page, search=page.html)


def _method(measure: Measure, atlases: Sequence[Atlas], renderer: Renderer) -> Page:
    """Its search has the definition alone: heads have entries of their own."""
    address = addresses.method(measure.name)
    defined = renderer.page(address, method_page(measure, ())).html
    return replace(renderer.page(address, method_page(measure, atlases)), search=defined)


def model_pages(atlas: Atlas, ledger: Ledger, renderer: Renderer) -> Iterator[Page]:
    """The pages about one model."""
    model, sections = atlas.results.manifest.model, made_once(atlas)
    yield renderer.attempt(
        model, "Its heads at a glance", addresses.model(atlas.slug), partial(_model, atlas, sections, renderer)
    )
    yield renderer.attempt(model, "Its heads", addresses.heads(atlas.slug), partial(_heads, atlas, renderer))
    yield from head_pages(atlas, ledger, renderer)
    yield from study_pages(atlas, sections, renderer)
    yield from folder_pages(atlas, renderer)


def model_addresses(results: Results) -> Iterator[str]:
    """The addresses of a model's pages and of its comparisons, but not those of its heads."""
    atlas = Atlas(results)
    yield addresses.model(atlas.slug)
    yield addresses.heads(atlas.slug)
    yield from study_addresses(atlas)
    yield from (addresses.folder(folder.name) for folder in atlas.folders)
    yield from (address for topic in of_model(atlas) for address in topic.addresses())


def head_pages(atlas: Atlas, ledger: Ledger, renderer: Renderer) -> Iterator[Page]:
    """A page of each head."""
    studies = cache(partial(HeadStudies, atlas))
    for layer, head in atlas.places:
        made = partial(_head, atlas, studies, ledger, place=(layer, head), renderer=renderer)
        name, address = f"Head {head_name(layer, head)}", addresses.head(atlas.slug, layer, head)
        yield renderer.attempt(atlas.results.manifest.model, name, address, made)


def _model(atlas: Atlas, sections: Made, renderer: Renderer) -> Page:
    made = renderer.page(addresses.model(atlas.slug), model_page(atlas, sections))
    return replace(made, dataset=dataset(atlas, made.description, renderer.site))


def _heads(atlas: Atlas, renderer: Renderer) -> Page:
    return renderer.page(addresses.heads(atlas.slug), heads_page(atlas), search="")


def _head(
    atlas: Atlas, studies: Callable[[], HeadStudies], ledger: Ledger, place: tuple[int, int], renderer: Renderer
) -> Page:
    read = studies()
    page, summary = head_page(atlas, read, *place, ledger), read.own(*place)
    model = atlas.results.manifest.model
    title = f"{plain(page.title)} - {model}"
    source = read.searched(*place)
    source += f" {OURS}:" if source else ""
    found = _found(atlas, place, source)
    made = renderer.page(addresses.head(atlas.slug, *place), page, title, search=found)
    said = summary.found.text if summary.found else summary.text
    made = replace(made, files=(*made.files, (made.address + WHY, candidates_text(atlas, *place))))
    return replace(made, description=" ".join(filter(None, (f"Head {head_name(*place)} of {model}.", source, said))))


def _found(atlas: Atlas, place: tuple[int, int], printed: str) -> str:
    """What the search reads about a head, after what papers have `printed` about it. The title says more than the name
    only if the head finds something.
    """
    summary, name = atlas.summaries[place], f"Head {head_name(*place)}"
    title, looks = (f"{name} {summary.title}", "") if summary.kind in finds() else (name, f"{summary.title}; ")
    labels = ", ".join(labels_of(in_words(summary.found.relation)) if summary.found else ())
    said = summary.aside.text if summary.aside else summary.text
    return plain_text(
        title, " ".join(filter(None, (f"{atlas.results.manifest.model}:", printed, looks + said, labels)))
    )
