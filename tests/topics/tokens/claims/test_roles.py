"""What special tokens are for, on results made by hand: verdicts, and every number by arithmetic."""

import pytest

from generator.claims.claim import judge
from generator.claims.said import briefly
from generator.topics.layers.claims.phases import H02
from generator.topics.tokens.claims.roles import H06, H07, H08
from tests.claims.cases.roles import losses
from tests.claims.cases.texts import separators
from tests.claims.made import LAYERS, TREEBANK, evidence, facts, text


@pytest.mark.parametrize("claim", [H06, H07, H08], ids=lambda claim: claim.id)
def test_nothing_is_tested_where_a_text_was_measured_and_not_studied(claim):
    assert judge(claim, evidence(text({}))).verdict == "not testable"


def test_the_first_part_is_the_swap_of_the_begin_token_and_the_second_its_lead():
    first, second = judge(H06, evidence(*losses(0.2, 0.1, spread=0.05))).findings
    assert first.number == pytest.approx((0.2, 0.15, 0.25, 60))
    assert second.number == pytest.approx((0.1, 0.05, 0.15, 60))


def test_where_a_separator_stands_says_nothing_of_a_model():
    end, position = judge(H07, evidence(text({}))).findings
    assert str(end.missing).startswith("true by construction: ")
    assert str(position.missing).startswith("decided by construction: ")


def test_a_reason_about_the_separator_names_the_model_whose_number_it_is():
    found = judge(H02, evidence(*separators("separators/swapped.lead", 0.1, last=0.01)))
    assert found.reason == (
        f"Not testable: the attention of {found.model} to [SEP] is slight; it is 0.010, not surely 2 times the 0.01 "
        "that chance would give."
    )
    assert briefly(found.reason, found.model) == "the attention to [SEP] is slight"


def test_a_treebank_that_tags_no_punctuation_is_the_reason_why_nothing_is_said_of_parts():
    undefined = facts("words", "span.ratio", [float("nan")] * (LAYERS + 1), corpus=TREEBANK, layer=0)
    assert "tagged as punctuation (PUNCT)" in judge(H08, evidence(undefined)).reason
    assert "tagged as punctuation" not in judge(H08, evidence(text({}))).reason
