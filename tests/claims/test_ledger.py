"""The ledger is complete, says what it must, and goes into JSON and back."""

import json
import re
from itertools import groupby

import pytest

from generator.claims.all import CLAIMS
from generator.claims.ledger import judge_all, records
from generator.claims.published import published
from tests.claims.made import by_layer, evidence, text

each_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)


def test_claims_stand_together_by_their_letter_and_in_the_order_of_their_numbers():
    groups = [(letter, [*ids]) for letter, ids in groupby((claim.id for claim in CLAIMS), key=lambda name: name[0])]
    assert len({letter for letter, _ in groups}) == len(groups)
    for letter, ids in groups:
        assert ids == sorted(set(ids))
        assert all(re.fullmatch(rf"{letter}\d\d", name) for name in ids)


def test_the_ledger_has_all_claims_of_the_reference_in_its_order(papers):
    """Its section 5 is a table whose rows begin with the claim's id."""
    section = papers[papers.index("## 5. Claims") :]
    rows = [line.split("|")[1].strip() for line in section if re.match(r"\| [A-Z]\d\d \|", line)]
    assert len(rows) > 60
    assert [claim.id for claim in CLAIMS if claim.id in rows] == rows


@each_claim
def test_a_claim_says_what_it_is(claim):
    sentences = [claim.statement, claim.measure, *(part.why for part in claim.parts)]
    assert all(not text[0].islower() and text.endswith(".") and "  " not in text for text in sentences)
    assert all(text and not text.endswith(".") for text in (claim.title, claim.paper, claim.section, claim.needs))
    assert claim.needs[0].islower()
    assert claim.parts
    for order, part in enumerate(claim.parts):
        assert part.key.partition(".")[0] == claim.id
        assert part.key not in [other.key for other in claim.parts[:order]]
        assert part.bounds
        assert part.unit
        assert part.name[0].islower()
        assert not part.name.startswith(("it", "that", "the same", "this"))


@each_claim
def test_every_published_number_is_there(claim):
    assert [published(key).key for key in claim.published] == list(claim.published)
    assert len(set(claim.published)) == len(claim.published)


def test_titles_differ():
    assert len({claim.title for claim in CLAIMS}) == len(CLAIMS)


def test_claims_go_through_models_in_order():
    models = [evidence(text({"attention.sep": by_layer({(6, 10): value})})) for value in (0.8, 0.2)]
    found = judge_all(models)
    assert [item.claim.id for item in found] == [claim.id for claim in CLAIMS for _ in models]
    separators = [item.verdict for item in found if item.claim.id == "C04"]
    assert separators == ["holds", "fails"]


def test_records_are_plain_json_and_undefined_is_null():
    lines = records(judge_all([evidence(text({"attention.sep": by_layer({(6, 10): 0.8})}))]))
    assert json.loads(json.dumps(lines, allow_nan=False)) == lines
    of = {line["id"]: line for line in lines}
    assert of["C14"] | {"published": []} == {
        "id": "C14",
        "model": "Tiny",
        "verdict": "not testable",
        "adjusted": "not testable",
        "reason": "Not testable: nothing that Tiny read gives what the study relations looks for.",
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "unit": "share",
        "threshold": of["C14"]["threshold"],
        "published": [],
        "power": "",
        "language": "",
        "parts": of["C14"]["parts"],
    }
    assert of["C04"]["verdict"] == "holds"
    assert of["C04"]["value"] == pytest.approx(0.8)
    assert of["C04"]["published"][0]["value"] == 0.5
    assert [part["verdict"] for part in of["C04"]["parts"]] == ["holds", "holds"]
