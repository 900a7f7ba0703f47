"""Rules of roles at their thresholds, and the statements about outsiders and places, on tables made by hand."""

import math

import pandas as pd
import pytest

from generator.topics.tokens.derived.rules import ATTENDED, BROADER, FREQUENT, classify, outsiders, places


def row(token, rank, **changes):
    """A type of which nothing is remarkable."""
    plain = {
        "token": token,
        "layer": 1,
        "rank": rank,
        "count": 100,
        "next_entropy": 2.0,
        "previous_entropy": 2.0,
        "position_deviation": 0.3,
        "end_deviation": 9.0,
        "received": 1.0,
        "breadth": 0.5,
        "attended_by_entropy": 3.0,
        "attends_to_entropy": 3.0,
    }
    return plain | changes


def role_of(**changes):
    """The role of one type among nine plain ones, four of them with more partners than the median."""
    rows = [row(f"t{rank}", rank, attended_by_entropy=3.0 + (rank % 2)) for rank in range(2, 11)]
    table = pd.DataFrame([row("it", 1, **{"attended_by_entropy": 5.0} | changes), *rows])
    return next(role.name for role in classify(table) if role.token == "it")


FIXED = {"end_deviation": 0.0}


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "none"),
        ({"attended_by_entropy": 3.0}, "insider"),
        ({"attended_by_entropy": 3.0, "breadth": 0.9, "received": 9.0}, "insider"),
        ({"attended_by_entropy": math.nan, "breadth": 0.9}, "none"),
        ({"breadth": 0.5 + BROADER + 0.01}, "hunter"),
        ({"breadth": 0.5 + BROADER - 0.01}, "none"),
        ({"breadth": 0.9, "received": 9.0} | FIXED, "hunter"),
        ({"received": ATTENDED}, "loner"),
        ({"received": ATTENDED - 0.01}, "none"),
        ({"received": ATTENDED} | FIXED, "separator"),
        ({"received": ATTENDED, "position_deviation": 0.0}, "separator"),
        (FIXED, "none"),
    ],
)
def test_a_role_begins_at_its_threshold(changes, name):
    assert role_of(**changes) == name


def test_the_others_breadth_weighs_types_by_occurrence():
    """Nine rare narrow types do not make a frequent type broad that is as broad as the commonest one."""
    rows = [row("it", 1, breadth=0.7, attended_by_entropy=5.0), row("common", 2, breadth=0.7, count=10_000)]
    rows += [row(f"t{rank}", rank, breadth=0.1, count=1) for rank in range(3, 12)]
    assert "hunter" not in {role.name for role in classify(pd.DataFrame(rows)) if role.token == "it"}


def test_the_order_of_rows_does_not_matter():
    rows = pd.DataFrame([row(f"t{rank}", rank, breadth=rank / 10, received=rank / 2) for rank in range(1, 9)])
    assert classify(rows) == classify(rows[::-1])


def special_and_other():
    rows = [row(f"s{at}", at, next_entropy=3.5 + at / 10, attends_to_entropy=1.0) for at in (1, 2)]
    return pd.DataFrame(rows + [row(f"t{at}", at, next_entropy=1 + at / 10) for at in (3, 4, 5)])


def test_special_tokens_with_the_most_varied_neighbours_are_outsiders():
    found = outsiders(special_and_other(), ["s1", "s2"])
    assert found.frequent
    assert found.neighbours.special == pytest.approx((3.6 + 2 + 3.7 + 2) / 4)
    assert found.neighbours.others == pytest.approx((1.3 + 1.4 + 1.5) / 6 + 1)
    assert found.neighbours.p == pytest.approx(1 / math.comb(5, 2))
    assert found.attends_to.special < found.attends_to.others
    assert found.attends_to.p > 0.9


def test_types_beyond_the_twentieth_are_no_comparison_and_make_no_special_token_frequent():
    table = pd.concat([special_and_other(), pd.DataFrame([row("far", FREQUENT + 1, next_entropy=90.0)])])
    assert outsiders(table, ["s1", "s2"]).neighbours == outsiders(special_and_other(), ["s1", "s2"]).neighbours
    assert not outsiders(table, ["s1", "far"]).frequent


def test_a_token_without_a_neighbour_on_one_side_counts_with_the_other():
    table = special_and_other().assign(previous_entropy=[math.nan, 2.0, 2.0, 2.0, 2.0])
    assert outsiders(table, ["s1"]).neighbours.special == pytest.approx(3.6)


def test_without_special_tokens_there_is_nothing_to_compare():
    found = outsiders(special_and_other(), ["[CLS]"])
    assert not found.frequent
    assert all(math.isnan(value) for value in found.neighbours)


def test_places_take_the_most_movable_separator_and_the_least_movable_mark():
    rows = [row("[SEP]", 1, end_deviation=0.0), row("</s>", 2, end_deviation=0.5), row(".", 3), row(",", 4)]
    table = pd.DataFrame(rows).assign(end_deviation=[0.0, 0.5, 7.0, 8.0])
    assert places(table, ["[SEP]", "</s>"], [".", ","]) == (0.5, 7.0)
    assert math.isnan(places(table, ["[EOS]"], ["."]).separator)
