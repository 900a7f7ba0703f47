"""How often antecedents are selected: the right row, of tables made by hand."""

import pytest

from generator.claims.missing import NotTestable
from generator.topics.mentions.claims.antecedents import antecedents
from tests.claims.made import antecedents as rows
from tests.claims.made import evidence


def test_antecedents_are_those_of_mentions_and_of_the_protocol():
    made = evidence(
        rows(head=0.6, head_match=0.5),
        rows(head=0.7, candidates="words"),
        rows(head=0.8, protocol="same data"),
    )
    assert antecedents(made, "head").value == 0.6
    assert antecedents(made, "head match").value == 0.5
    with pytest.raises(NotTestable, match="that Tiny read gives rules of the study antecedents"):
        antecedents(made, "rules")
