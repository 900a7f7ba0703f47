"""Claims, heads and hand-written pages lead to each other, and each page to where it can be contested."""

from urllib.parse import parse_qs, urlsplit

from generator import __version__
from generator.home import TEMPLATES
from generator.pages import addresses
from generator.pages.claims.page import claim_page
from generator.pages.claims.sentences import short
from generator.pages.claims.tables import MOST, Ledger, heads_of
from generator.pages.heads.atlas import Atlas
from generator.pages.heads.page import head_page
from generator.pages.heads.studies import HeadStudies
from generator.pages.links import Contest
from generator.pages.renderer import Renderer
from tests.pages.claims.made import SOURCES
from tests.pages.reading import anchors, section, seen
from tests.site.documents import Document

CONTEST = Contest("https://example.org/group/guide/", "https://example.org/site/")


def test_heads_list_the_claims_that_list_them(atlas: Atlas) -> None:
    judged = Ledger.of([atlas.results])
    renderer, studies = Renderer(TEMPLATES), HeadStudies(atlas)
    named = {item.claim.id: heads_of(item) for item in judged.judgements if heads_of(item)}
    telling = {name for name, heads in named.items() if 2 * len(heads) <= len(atlas.places)}
    assert "C01" in named
    assert telling
    assert telling != set(named), "some rest on most heads, and say nothing of one of them"
    for place in atlas.places:
        page = head_page(atlas, studies, *place, judged)
        expected = {name for name, heads in named.items() if place in heads and name in telling}
        assert ("claims" in anchors(page)) == bool(expected)
        links = Document(renderer.page(addresses.head(atlas.slug, *place), page).html).find("a")
        reached = {one.attributes["href"].rstrip("/").rpartition("/")[2].upper() for one in links if ": " in one.text}
        assert reached & set(named) == expected
    for name, heads in named.items():
        claim = judged.claims[name]
        html = renderer.page(addresses.claim(name), claim_page(judged, claim, SOURCES)).html
        links = {one.attributes["href"] for one in Document(html).find("a")}
        for layer, head in heads[:MOST]:
            assert addresses.relative(addresses.head(atlas.slug, layer, head), addresses.claim(name)) in links


def test_a_verdict_is_said_with_the_number_that_decides_it(atlas: Atlas) -> None:
    judged = Ledger.of([atlas.results])
    for item in judged.judgements:
        (_, told), *_ = section(claim_page(judged, item.claim, SOURCES), "verdicts").blocks[0].lines
        judged_by = item.decides.told() if item.decides and item.verdict != "not testable" else "not testable: "
        assert judged_by in seen(told)
        assert (f"udged on only {item.handful}." in seen(told)) == bool(item.handful)


def test_a_head_without_verdicts_has_no_such_section(atlas: Atlas) -> None:
    assert "claims" not in anchors(head_page(atlas, HeadStudies(atlas), 1, 1))


def test_a_claim_and_a_head_are_contested_in_the_repository_with_address_version_and_numbers(atlas: Atlas) -> None:
    judged = Ledger.of([atlas.results])
    claim, address = judged.claims["C01"], addresses.claim("C01")
    head = head_page(atlas, HeadStudies(atlas), 1, 1, judged)
    for where, page, numbers in (
        (address, claim_page(judged, claim, SOURCES), short(judged, judged.by_model(claim)[0][1])),
        (addresses.head(atlas.slug, 1, 1), head, atlas.summaries[1, 1].text),
    ):
        html = Renderer(TEMPLATES, contest=CONTEST).page(where, page).html
        (link,) = [one for one in Document(html).find("a") if one.text == "Contest this page"]
        form = urlsplit(link.attributes["href"])
        assert form.geturl().startswith("https://example.org/group/guide/issues/new?")
        asked = parse_qs(form.query)
        for part in (f"https://example.org/site/{where}", f"Fieldguide {__version__}", numbers):
            assert part in asked["body"][0]
        assert "Contest" not in Renderer(TEMPLATES).page(where, page).html
