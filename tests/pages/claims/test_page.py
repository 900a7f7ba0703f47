"""The page of a claim says what the judgements say: words, numbers, thresholds, published values."""

import numpy as np

from generator.claims.all import CLAIMS
from generator.claims.claim import Claim
from generator.claims.published import published
from generator.numbers.writing import number
from generator.pages import addresses
from generator.pages.renderer import Page
from tests.pages.claims.judged import MODELS, PLAIN, ledger, meeting, missing, table
from tests.pages.claims.made import (
    OPEN,
    OPEN_PAGES,
    PAGES,
    PARTLY_PAGES,
    SOURCES,
    WITH_PARTS,
    claims,
    columns,
    made,
    of,
    shown,
    text_of,
    with_parts,
)
from tests.site.documents import Document


def numbers_of(page: Page) -> list[list[str]]:
    """The table of all numbers of all models, which comes after the figures and their tables."""
    return table(page.html, len(Document(page.html).find("figure")))


@claims
def test_page_has_the_verdict_and_every_number_of_every_model(claim: Claim) -> None:
    head, *rows = numbers_of(OPEN_PAGES[addresses.claim(claim.id)])
    assert head[2:] == [f"{part.name} ({part.unit}, {part.threshold})" for part in claim.parts]
    for row, item in zip(rows, of(claim, OPEN), strict=False):
        numbers = [shown(finding.number, finding.part) for finding in item.findings] or ["-"] * len(claim.parts)
        assert row == [item.model, item.verdict, *numbers]


@claims
def test_page_tells_statement_source_thresholds_reasons_and_commands(claim: Claim) -> None:
    text = text_of(PAGES[addresses.claim(claim.id)])
    told = [claim.title, claim.statement, claim.paper, claim.section, claim.measure, claim.needs[1:]]
    told += [words for part in claim.parts for words in (part.threshold, part.unit, part.why)]
    told += [item.decides.clause() for item in of(claim) if item.decides] + [model.command for model in MODELS]
    assert [words for words in told if words not in text] == []
    assert text.count(f"fieldguide claims explain {claim.id} --model") == len(MODELS)


@claims
def test_page_lists_every_published_number_with_place_and_trust(claim: Claim) -> None:
    page = PAGES[addresses.claim(claim.id)]
    expected = [
        [n.source, n.key, number(n.value), n.unit, n.place, n.trust, n.note or "-"]
        for n in map(published, claim.published)
    ]
    tables = len(Document(page.html).find("table"))
    assert (table(page.html, tables - 1)[1:] if expected else []) == expected


@with_parts
def test_model_without_a_number_is_not_drawn_and_its_claim_says_what_it_needs(claim: Claim) -> None:
    page = PARTLY_PAGES[addresses.claim(claim.id)]
    assert all(PLAIN not in columns(page, at)["name"] for at in range(len(claim.parts)))
    row = numbers_of(page)[1]
    assert row == [PLAIN, "not testable", *("-" for _ in claim.parts)]
    assert "not testable: nothing was read." in [one.text for one in Document(page.html).find("dd")]


def test_number_without_an_interval_says_so() -> None:
    alone = ledger(lambda part: meeting(part)._replace(low=np.nan, high=np.nan, n=70), missing)
    claim = WITH_PARTS[0]
    page = made(alone)[addresses.claim(claim.id)]
    value = alone.judgements[CLAIMS.index(claim) * 2].value
    assert numbers_of(page)[1][1:3] == [
        "inconclusive",
        f"{number(value, against=claim.parts[0].against)} (no interval, n = 70 {claim.parts[0].over})",
    ]
    assert columns(page, 0)["low"][0] is None


def test_papers_that_the_references_list_lead_to_their_entry() -> None:
    listed = set(SOURCES.values())
    for claim in CLAIMS:
        links = [one.attributes["href"] for one in Document(PAGES[addresses.claim(claim.id)].html).find("a")]
        reached = any(f"#{key}" in link for link in links for key, label in SOURCES.items() if label == claim.paper)
        assert reached == (claim.paper in listed)
