"""A claim names heads, and says which they are in words that fit one head as well as several, or says why not."""

from generator.claims import CLAIMS
from generator.claims.claim import judge
from generator.pages import addresses
from generator.pages.claims.sentences import sentence
from generator.pages.claims.tables import Ledger
from generator.pages.claims.which import NAMELESS, UNNAMED, WHICH
from generator.pages.inline import plain
from tests.claims.made import evidence, record, relation
from tests.claims.test_claims import CASES
from tests.pages.claims.judged import ledger, missing, untold
from tests.pages.claims.made import PAGES, claims, made, text_of

STORED = {"C21", "K04", "K15", "K17", "K18", "R04"}
"""Which head these are about is stored by studies, and the cases do not have it."""


def test_every_claim_that_names_heads_says_which_they_are():
    naming = {
        claim.id
        for claim in CLAIMS
        for case in CASES[claim.id].values()
        if any(one.heads for one in judge(claim, evidence(*case)).findings)
    }
    assert naming | STORED == {*WHICH}
    assert not any(word in words.split() for words in WHICH.values() for word in ("its", "their", "is", "are"))


def test_every_claim_names_heads_or_says_in_a_sentence_why_it_names_none():
    assert {claim.id for claim in CLAIMS} == {*WHICH, *NAMELESS}
    assert not {*WHICH} & {*NAMELESS}
    for why in NAMELESS.values():
        assert why.startswith("It names no heads, for ")
        assert why.partition(".")[2] == ""


@claims
def test_the_page_of_a_claim_says_it(claim):
    text = text_of(PAGES[addresses.claim(claim.id)])
    assert (NAMELESS.get(claim.id) or f"Those {WHICH[claim.id]}.") in text


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
    item = judge(next(claim for claim in CLAIMS if claim.id == "C19"), evidence(*rows))
    told = plain(sentence(Ledger((item,), (record(),)), item, "tiny", "claims/c19/"))
    assert (
        "chosen on the other half of the sentences are 6-1 for markers and noun compounds and 3-2 for clausal" in told
    )
