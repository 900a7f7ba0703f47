"""A claim that names heads says which heads they are, in words that fit one head as well as several."""

from generator.claims import CLAIMS
from generator.claims.claim import judge
from generator.pages.claims.which import WHICH
from tests.claims.made import evidence
from tests.claims.test_claims import CASES

STORED = {"C21", "K04", "K15", "K17", "R04"}
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
