"""Claims about a head that a paper prints say how that head does here, and its page lists them."""

import re

import pytest

from generator.claims.all import CLAIMS
from generator.errors import SiteError
from generator.home import DATA, TEMPLATES
from generator.pages import addresses
from generator.pages.claims.page import verdicts
from generator.pages.claims.sentences import OF_PAPER
from generator.pages.claims.tables import Ledger
from generator.pages.heads.atlas import Atlas
from generator.pages.inline import Link, plain
from generator.pages.render import head_pages
from generator.pages.renderer import Renderer
from generator.pages.written.knowledge import Knowledge
from generator.results.store import Results
from generator.topics.relations.page.papers import printed_heads, printed_in
from generator.topics.relations.page.printed import printed
from tests.pages.claims.made import BIBLIOGRAPHY, text_of
from tests.site.documents import Document

HERE = "claims/c14/"
ABOUT = {claim.id: claim for claim in CLAIMS if claim.id in ("C14", "C15", "C16", "C17", "C18", "C19")}


def opened(slug: str) -> Atlas:
    return Atlas(Results.open(DATA / "results" / slug))


@pytest.fixture(scope="module")
def bert() -> Atlas:
    """Gives the atlas of BERT-base's published maps."""
    return opened("bert-base-uncased-sst2")


@pytest.fixture(scope="module")
def ledger(bert: Atlas) -> Ledger:
    """Gives its judged claims."""
    return Ledger.of([bert.results])


@pytest.fixture(scope="module")
def pages(bert: Atlas, ledger: Ledger) -> dict[str, str]:
    """Gives what each head's page says."""
    return {page.address: text_of(page) for page in head_pages(bert, ledger, Renderer(TEMPLATES))}


def test_a_claim_says_how_the_printed_heads_do_as_their_pages_do(bert, ledger, pages):
    measured = 0
    for claim in ABOUT.values():
        ((_, told),) = verdicts(ledger, claim, HERE, [bert]).blocks[0].lines
        text = plain(told)
        printed = [*printed_heads(claim, bert, HERE)]
        assert text.endswith(plain(tuple(printed)))
        heads = [part for part in printed if isinstance(part, Link)]
        assert heads
        for link in heads:
            layer, head = map(int, link.text.split("-"))
            page = pages[addresses.head(bert.slug, layer, head)]
            assert link.href == f"../../{addresses.head(bert.slug, layer, head)}"
            for number in re.findall(rf"Head {link.text}, which the paper prints, is (.*?), both on all", text):
                assert f"on all sentences {number}" in page
                measured += 1
            assert f"{claim.id}: {claim.title} {OF_PAPER}" in page
    assert measured >= 3


def test_a_head_is_listed_only_for_claims_about_what_is_printed_of_it(bert, pages):
    for place in bert.places:
        page = pages[addresses.head(bert.slug, *place)]
        assert page.count(OF_PAPER) == len(printed_in(*place))
        assert bool(printed(bert, *place)) or not printed_in(*place)
    assert printed_in(8, 10) == {"C14"}


def test_other_models_say_nothing_of_printed_heads():
    other = opened("small-bert")
    assert [*printed_heads(ABOUT["C14"], other, HERE)] == []


def test_a_written_page_leads_to_a_head_of_the_papers_model_where_there_is_one(bert):
    text = 'See {{ head("8-10") }}.'
    with_model, without = (Knowledge(Ledger((), ()), BIBLIOGRAPHY, Renderer(TEMPLATES), some) for some in ([bert], []))
    (link,) = Document(with_model.render(text, "findings/a/", "a.md")).find("a")
    assert (link.text, link.attributes["href"]) == ("8-10", "../../models/bert-base-uncased-sst2/heads/8-10/")
    assert without.render(text, "findings/a/", "a.md") == "See 8-10."
    for wrong in ("8-13", "0-1", "8", "a-b"):
        with pytest.raises(SiteError, match="Expected a head of bert-base-uncased such as '8-10'"):
            without.render(f'{{{{ head("{wrong}") }}}}', "findings/a/", "a.md")
