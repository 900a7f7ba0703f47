"""A claim names heads, and says which they are in words that fit one head as well as several, or says why not."""

import pytest

from generator.claims.claim import judge
from generator.pages import addresses
from generator.pages.claims.sentences import UNNAMED, sentence
from generator.pages.claims.tables import Ledger
from generator.pages.inline import plain
from tests.claims.cases import CASES
from tests.claims.made import evidence, record, relation
from tests.claims.test_claims import BY_ID
from tests.pages.claims.judged import ledger, missing, untold
from tests.pages.claims.made import PAGES, claims, made, text_of


@pytest.mark.parametrize("name", CASES)
def test_a_claim_that_names_heads_says_which_and_any_other_why_not(name):
    claim = BY_ID[name]
    named = any(finding.heads for case in CASES[name].values() for finding in judge(claim, evidence(*case)).findings)
    assert (bool(claim.which), bool(claim.nameless)) == (named, not named)
    assert not {"its", "their", "is", "are"} & {*claim.which.split()}
    assert not claim.nameless.endswith(".")


@claims
def test_the_page_of_a_claim_says_it(claim):
    said = f"It names no heads, for {claim.nameless}." if claim.nameless else f"Those {claim.which}."
    assert said in text_of(PAGES[addresses.claim(claim.id)])


def test_it_says_so_where_a_verdict_was_reached_and_names_none():
    """The invented verdicts name no head at all."""
    reached, not_reached = (text_of(made(ledger(way, way))[addresses.claim("K18")]) for way in (missing, untold))
    assert UNNAMED in reached
    assert UNNAMED not in not_reached
    assert UNNAMED not in text_of(PAGES[addresses.claim("C24")])


def test_it_says_so_of_a_number_that_is_shown_without_a_verdict():
    def partly(part):
        return missing(part) if part.key == "K15.3" else None

    page = made(ledger(partly, partly))[addresses.claim("K15")]
    assert UNNAMED in text_of(page)


def test_the_heads_of_several_relations_each_say_of_which():
    """One head that is chosen for two relations is named once."""
    places = {"mark": (6, 1), "compound": (6, 1), "ccomp": (3, 2)}
    rows = [relation(name, 0.5, 0.3, place) for name, place in places.items()]
    item = judge(BY_ID["C19"], evidence(*rows))
    told = plain(sentence(Ledger((item,), (record(),)), item, "tiny", "claims/c19/"))
    assert (
        "chosen on the other half of the sentences are 6-1 for markers and noun compounds and 3-2 for clausal" in told
    )
