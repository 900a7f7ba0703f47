"""What special tokens are for, on results made by hand: verdicts, and every number by arithmetic."""

import pytest

from generator.claims.claim import judge
from generator.claims.hypothesis.phases import H02
from generator.claims.hypothesis.roles import H06, H07, H08
from tests.claims.cases.roles import deviations, losses
from tests.claims.cases.texts import swapped
from tests.claims.made import LAYERS, TREEBANK, evidence, facts, text


@pytest.mark.parametrize("claim", [H06, H07, H08], ids=lambda claim: claim.id)
def test_nothing_is_tested_where_a_text_was_measured_and_not_studied(claim):
    assert judge(claim, evidence(text({}))).verdict == "not testable"


def test_the_first_part_is_the_swap_of_the_begin_token_and_the_second_its_lead():
    first, second = judge(H06, evidence(*losses(0.2, 0.1, spread=0.05))).findings
    assert first.number == pytest.approx((0.2, 0.15, 0.25, 60))
    assert second.number == pytest.approx((0.1, 0.05, 0.15, 60))


def test_deviations_are_those_of_the_loosest_separator_and_the_steadiest_mark():
    made = deviations(sep=(1, 0.1), s=(2, 0.12), period=(12, 0.3), comma=(16, 0.24), word=(0.5, 0.01))
    end, position = judge(H07, evidence(*made)).findings
    assert str(end.missing).startswith("true by construction")
    assert position.number == pytest.approx((0.12 / 0.24, 0.12 / 0.24, 0.12 / 0.24, 4))


def test_a_reason_about_the_separator_names_the_model_whose_number_it_is():
    found = judge(H02, evidence(*swapped(0.1, last=0.01)))
    assert found.reason.startswith(f"Not testable: [SEP] of {found.model} gets ")


def test_a_treebank_that_tags_no_punctuation_is_the_reason_why_nothing_is_said_of_parts():
    undefined = facts("words", "span.ratio", [float("nan")] * (LAYERS + 1), corpus=TREEBANK, layer=0)
    assert "tagged as punctuation (PUNCT)" in judge(H08, evidence(undefined)).reason
    assert "tagged as punctuation" not in judge(H08, evidence(text({}))).reason
