"""Every page of the stored results: where it lies, what it weighs, where its links lead, what its templates use."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote, urljoin

import jinja2
import pytest
from jinja2 import nodes
from jinja2.defaults import DEFAULT_FILTERS

from generator.claims.all import CLAIMS
from generator.home import TEMPLATES
from generator.measures import MEASURES
from generator.pages import addresses, blocks, inline
from generator.pages.bibliography import read_bibliography
from generator.pages.claims.matrix import Filters
from generator.pages.claims.tables import Ledger
from generator.pages.compare.pairs import Pairs
from generator.pages.heads.arcs import Arcs, Shown
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.finder import Finder
from generator.pages.heads.map import HeadMap, Square
from generator.pages.heads.why import FILE as WHY
from generator.pages.home import Ask, Result
from generator.pages.renderer import FILTERS, Page, Renderer
from generator.pages.studies.all import PAGES
from generator.pages.written.compared import Chooser
from generator.pages.written.verdicts import Chips
from generator.results.store import Results, find
from generator.studies.declared import DERIVED, STUDIES
from generator.topics.layers.page.patterns.maps import Shade, SmallMap, SmallMaps
from generator.topics.learning.page.slider import Slider, StepCell
from generator.topics.live.page.field import Field
from tests.pages.every import pages
from tests.site.documents import Document
from tests.site.project import ROOT

BYTES = 46_000
"""Design, section 7: of a head page."""
ROOT_ADDRESS = "http://localhost/"
OF_TEMPLATE = {"page.html": blocks.Sections} | {
    f"blocks/{kind.template}.html": kind
    for kind in (
        *vars(blocks).values(),
        Arcs,
        Ask,
        Pairs,
        Result,
        Chips,
        Chooser,
        Field,
        Filters,
        Finder,
        HeadMap,
        Slider,
        SmallMaps,
    )
    if hasattr(kind, "template")
}
WITHIN = (Shown, Square, StepCell, SmallMap, Shade)
"""Records that templates know as parts of others."""


@pytest.fixture(scope="module")
def made(atlas: Atlas) -> dict[str, Page]:
    """Gives every page of the tiny encoder by its address."""
    listed = list(all_pages([atlas.results]))
    assert len({page.address for page in listed}) == len(listed)
    return {page.address: page for page in listed}


def all_pages(results: Sequence[Results]) -> Iterator[Page]:
    """What the plugin publishes of these results."""
    sources = read_bibliography(ROOT / "docs" / "references.bib")
    return pages(results, Ledger.of(results), Renderer(TEMPLATES), sources)


def written(page: Path) -> str:
    """The address of a hand-written page."""
    place = page.relative_to(ROOT / "docs").with_suffix("").as_posix()
    return f"{place}/".removesuffix("index/")


def parsed(template: str | Path) -> nodes.Template:
    """The template's syntax tree."""
    environment = jinja2.Environment(autoescape=True)
    environment.filters |= FILTERS
    return environment.parse((TEMPLATES / template).read_text(encoding="utf-8"))


def attributes(tree: nodes.Template) -> set[str]:
    """Every attribute that a template reads of anything."""
    return {node.attr for node in tree.find_all(nodes.Getattr)}


def test_every_address_that_the_design_promises_has_a_page(made: dict[str, Page], atlas: Atlas) -> None:
    heads = {addresses.head(atlas.slug, layer, head) for layer, head in atlas.places}
    methods = {addresses.method(measure.name) for measure in MEASURES}
    methods |= {addresses.study(study.name) for study in (*STUDIES, *DERIVED)}
    fixed = {
        addresses.HOME,
        addresses.MODELS,
        addresses.METHODS,
        addresses.CLAIMS,
        addresses.DATA,
        addresses.CITE,
        addresses.FINDER,
        addresses.COMPARISONS,
        addresses.model(atlas.slug),
    }
    claims = {addresses.claim(claim.id) for claim in CLAIMS}
    studies = {study.address(atlas.slug) for study in PAGES if study.there(atlas)}
    above = {addresses.heads(atlas.slug), addresses.folder(atlas.results.manifest.folder)}
    assert set(made) == heads | methods | fixed | claims | studies | above


def test_every_link_of_every_page_leads_to_a_page_or_an_anchor(made: dict[str, Page]) -> None:
    others = {addresses.CHANGES, *(written(page) for page in (ROOT / "docs").rglob("*.md"))}
    documents = {address: Document(page.html) for address, page in made.items()}
    anchors, broken = {address: document.ids for address, document in documents.items()}, []
    for address, page in made.items():
        for _, link in documents[address].references():
            target, _, anchor = unquote(urljoin(ROOT_ADDRESS + address, link)).partition("#")
            place = target.removeprefix(ROOT_ADDRESS).partition("?")[0]
            ids = anchors.get(place, {anchor})  # tests/site has the hand-written ones
            made_beside = (addresses.CLAIMS, addresses.METHODS, addresses.DATA)
            if link == WHY:
                assert page.files[-1][0] == place
                continue
            if place.startswith(addresses.ASSETS) or (not place.endswith("/") and place.startswith(made_beside)):
                continue  # the plugin writes these; tests/site follows them
            if place not in {*made, *others} or (anchor and anchor not in ids):
                broken.append(f"{address} -> {link}")
    assert broken == []


def test_search_reads_of_every_head_its_name_and_what_is_said_of_it_first(made: dict[str, Page], atlas: Atlas) -> None:
    for (layer, head), summary in atlas.summaries.items():
        document = Document(made[addresses.head(atlas.slug, layer, head)].search)
        assert document.find("h1")[0].text.startswith(f"Head {layer}-{head}")
        assert (summary.aside.finding if summary.aside else summary.text) in document.find("p")[0].text
    above = {addresses.heads(atlas.slug), addresses.folder(atlas.results.manifest.folder)}
    assert {page.address for page in made.values() if not page.search} == above


def test_every_number_of_a_head_leads_to_its_definition(made: dict[str, Page], atlas: Atlas) -> None:
    here = addresses.head(atlas.slug, 2, 3)
    links = [link for _, link in Document(made[here].html).references()]
    reached = {urljoin(ROOT_ADDRESS + here, link).removeprefix(ROOT_ADDRESS) for link in links}
    assert {addresses.method(measure.name) for measure in MEASURES} <= reached


def test_head_page_of_a_model_of_twelve_heads_is_small(atlas: Atlas) -> None:
    """Measured on the embedded encoder where it has been analysed, otherwise on the tiny one."""
    found = find([ROOT / "build" / "results"]) or [atlas.results]
    sizes = {page.address: len(page.html.encode()) for page in all_pages(found) if "/heads/" in page.address}
    assert {address: size for address, size in sizes.items() if size >= BYTES} == {}


@pytest.mark.parametrize("template", OF_TEMPLATE)
def test_template_reads_only_what_its_context_has_and_all_of_it(template: str) -> None:
    read = {
        node.attr
        for node in parsed(template).find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "page"
    }
    told_elsewhere = {"card", "first"}  # by the page that leads here, and by the pictures of a figure
    assert read == {field.name for field in fields(OF_TEMPLATE[template])} - told_elsewhere


@pytest.mark.parametrize("template", OF_TEMPLATE)
def test_template_knows_nothing_but_its_page(template: str) -> None:
    assert jinja2.meta.find_undeclared_variables(parsed(template)) == {"page"}


def test_every_template_draws_a_record() -> None:
    drawn = {path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html")}
    assert drawn == set(OF_TEMPLATE)


def test_every_field_of_what_templates_know_is_shown() -> None:
    shown = set().union(*(attributes(parsed(path)) for path in TEMPLATES.rglob("*.html")))
    assert [f"{kind.__name__}.{f.name}" for kind in WITHIN for f in fields(kind) if f.name not in shown] == []


def test_templates_do_not_compute() -> None:
    """They call filters that are written in Python here; Jinja's own would decide something."""
    for path in TEMPLATES.rglob("*.html"):
        for node in parsed(path).find_all((nodes.BinExpr, nodes.Compare, nodes.Filter, nodes.Call)):
            ours = isinstance(node, nodes.Filter) and node.name not in DEFAULT_FILTERS
            assert ours, f"{path.name}, line {node.lineno}"


def test_unknown_name_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "odd.html").write_text("{{ page.nothing }}", encoding="utf-8")
    with pytest.raises(jinja2.UndefinedError, match="nothing"):
        Renderer(tmp_path).render("odd.html", inline.Link("text", "href"))


def test_text_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "link.html").write_text('<a href="{{ page.href }}">{{ page.text }}</a>', encoding="utf-8")
    html = Renderer(tmp_path).render("link.html", inline.Link("<b>{{ 7*7 }}</b>", '"><script>'))
    assert Document(html).find("a")[0].text == "<b>{{ 7*7 }}</b>"
    assert [element.tag for element in Document(html).elements] == ["a"]


def test_pages_are_made_without_any_model(tmp_path: Path) -> None:
    empty = {page.address: page for page in all_pages([])}
    fixed = {addresses.HOME, addresses.MODELS, addresses.METHODS, addresses.CLAIMS, addresses.DATA, addresses.CITE}
    fixed |= {addresses.FINDER, addresses.COMPARISONS}
    methods = {addresses.method(measure.name) for measure in MEASURES}
    methods |= {addresses.study(study.name) for study in (*STUDIES, *DERIVED)}
    assert set(empty) == fixed | methods | {addresses.claim(claim.id) for claim in CLAIMS}
    assert "No model has been analysed yet" in empty[addresses.HOME].html


def test_same_results_give_the_same_pages(atlas: Atlas, made: dict[str, Page]) -> None:
    again = {page.address: page for page in all_pages([atlas.results])}
    assert again == made


def test_no_page_shows_an_undefined_number(made: dict[str, Page]) -> None:
    undefined = re.compile(r"\b(nan|inf)\b|[>( ]None[<), ](?!of)")
    assert [address for address, page in made.items() if undefined.search(page.html)] == []
