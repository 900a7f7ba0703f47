"""A head that finds antecedents is beside the best simple rule and all rules in turn, whichever is right more often."""

import pytest

from generator.pages.heads.naming.specialty import Specialty
from generator.results.tables import TABLES
from generator.topics.mentions.claims.finds import IN_TURN, antecedents
from generator.topics.mentions.page.naming import NAMING, UNLINKED
from generator.topics.mentions.records import BEST, GAIN
from tests.claims.made import antecedents as rows

SHARE, RULE = 0.63, 0.46


def specialty(in_turn: float | None) -> Specialty:
    """That of a head which is right for SHARE of the mentions."""
    shares = {"head": SHARE, BEST: RULE, GAIN + BEST: SHARE - RULE} | ({} if in_turn is None else {IN_TURN: in_turn})
    table = rows(n=161, **shares)["antecedents"].to_pandas()
    (statement,) = antecedents(table, TABLES["head_facts"].empty_table().to_pandas())
    return NAMING.specialty(statement)


@pytest.mark.parametrize(("in_turn", "more"), [(0.70, True), (0.62, False), (None, False)])
def test_badge_and_sentence_say_that_all_rules_in_turn_are_right_more_often(in_turn: float | None, more: bool) -> None:
    found = specialty(in_turn)
    beats = "Supported: beats the best simple rule in 1 text"
    assert found.badge == (f"{beats}; right more often: all rules in turn" if more else beats)
    said = "" if in_turn is None else f", {'but' if more else 'and'} all rules in turn for {100 * in_turn:.0f} %"
    assert found.short.endswith(f"; the best simple rule is right for 46 %{said}.")
    assert found.also == ("antecedents (right more often: all rules in turn)" if more else "antecedents")


def test_what_stands_below_sentences_without_links_does_not_say_that_they_show_all() -> None:
    """Beside it stands what is not drawn."""
    assert " all " not in UNLINKED
    assert "do not show what it finds" in UNLINKED
