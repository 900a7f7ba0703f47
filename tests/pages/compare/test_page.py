"""All pages of comparisons."""

from urllib.parse import urljoin

import pytest
from markdown import Markdown

from generator.home import TEMPLATES
from generator.models.names import slug
from generator.pages import addresses
from generator.pages.blocks import Figure, Sections, Table
from generator.pages.compare.numbers import SHOWN, Comparison, Other
from generator.pages.compare.page import compare_links, compare_pages
from generator.pages.heads.atlas import Atlas
from generator.pages.renderer import Page, Renderer
from generator.results.store import Results
from tests.pages.compare.beside import MODEL, OTHER, RELATION, SMALL, TEXT, TREEBANK, of
from tests.pages.contract import check_charts, check_html
from tests.pages.reading import every
from tests.site.documents import Document
from tests.site.project import ROOT


@pytest.fixture(scope="module")
def pages(changed: Atlas, other: Atlas) -> list[Page]:
    """Gives every page of the model, the copy being on the site too."""
    return list(compare_pages([changed, other], Renderer(TEMPLATES)))


def test_every_comparison_has_its_page_in_its_place(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    slugs = [slug(SMALL), other.slug]
    assert changed.compared == sorted(slugs)
    listed, *own = [page.address for page in pages]
    assert listed == addresses.COMPARISONS
    assert own == [f"compare/{changed.slug}--{one}/" for one in sorted(slugs)]
    here = addresses.model(changed.slug)
    links = compare_links(changed, here)
    assert [urljoin(here, link.href) for link in links] == own
    assert {link.text for link in links} == {f"Compared with {one}" for one in slugs}
    assert other.compared == []


def contexts(changed: Atlas, other: Atlas, same: Atlas) -> list[Sections]:
    """Every context of these tests."""
    return [of(changed, OTHER, other), of(changed, OTHER), of(changed, slug(SMALL)), of(same, MODEL, same)]


def test_every_page_keeps_what_every_page_promises(changed: Atlas, other: Atlas, same: Atlas) -> None:
    known = contexts(changed, other, same)
    assert {kind for page in known for figure in every(page, Figure) for kind in figure.kinds} == {"grid", "shifts"}
    for page in known:
        assert every(page, Table)
        check_charts(page)
        check_html(page, Renderer(TEMPLATES).render("page.html", page))


def is_other(page: Page) -> bool:
    """Whether the page is that of the hostile name."""
    return slug(OTHER) in page.address


def test_every_link_leads_somewhere(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    known = {addresses.head(atlas.slug, *place) for atlas in (changed, other) for place in atlas.places}
    known |= {addresses.MODELS, *(addresses.model(atlas.slug) for atlas in (changed, other))}
    known |= {page.address for page in pages}
    known |= {addresses.method(name) for name in ("pattern", *SHOWN)}
    by_hand = {addresses.GLOSSARY: anchors("glossary.md"), addresses.REFERENCES: anchors("references.md")}
    broken = []
    for page in pages:
        document = Document(page.html)
        options = [one.attributes["data-href"] for one in document.find("option")]
        for link in (*(link for _, link in document.references()), *options):
            target, _, anchor = urljoin("http://here/" + page.address, link).removeprefix("http://here/").partition("#")
            if target not in known and anchor not in by_hand.get(target, ()):
                broken.append(f"{page.address} -> {link}")
    assert broken == []


def anchors(name: str) -> set[str]:
    """What a page written by hand can be entered at."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8").partition("\n---\n")[2]
    return Document(Markdown(extensions=["attr_list", "toc"]).convert(text)).ids


@pytest.mark.parametrize(
    ("corpus", "units"), [(TEXT, "documents"), ("rte", "pairs of sentences"), ("sst2", "sentences")]
)
def test_what_is_counted_is_called_what_it_is(changed: Atlas, corpus: str, units: str) -> None:
    assert Comparison(changed, Other(slug(OTHER), None), corpus, 1).units == units


def test_hostile_names_stay_text(pages: list[Page]) -> None:
    for page in pages:
        document = Document(page.html)
        assert not [one for one in document.elements if one.tag in ("img", "script", "b", "i", "u")]
    (hostile,) = (page for page in pages if is_other(page))
    texts = [one.text for one in Document(hostile.html).find("bdi")]
    assert {OTHER, TEXT, TREEBANK, RELATION} <= set(texts)


def test_same_results_give_the_same_pages(changed: Atlas, other: Atlas, pages: list[Page]) -> None:
    again = Atlas(Results.open(changed.results.folder))
    assert list(compare_pages([again, other], Renderer(TEMPLATES))) == pages
