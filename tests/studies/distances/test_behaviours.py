"""What a head mainly does, by the rules of the paper."""

import numpy as np
import pytest

from generator.studies.distances.landscape import BROAD, NO_BEHAVIOUR, behaviours


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, NO_BEHAVIOUR),
        ({"attention.next": 0.51}, "next"),
        ({"attention.next": 0.5}, NO_BEHAVIOUR),
        ({"attention.previous": 0.51}, "previous"),
        ({"entropy.all": 4.0}, "broad"),
        ({"attention.cls": 0.61}, "cls"),
        ({"attention.cls": 0.6}, NO_BEHAVIOUR),
        ({"attention.sep": 0.61}, "sep"),
        ({"attention.punctuation": 0.61}, "punctuation"),
        ({"attention.previous": 0.7, "entropy.all": 4.5, "attention.sep": 0.7}, "sep"),
        ({"attention.next": 0.7, "attention.previous": 0.7}, "previous"),
        ({"attention.cls": np.nan, "attention.next": 0.7}, "next"),
    ],
)
def test_behaviour_follows_the_rules_of_the_paper_and_later_ones_win(changed, expected):
    names = ("attention.next", "attention.previous", "attention.cls", "attention.sep", "attention.punctuation")
    means = {name: np.full((2, 2), 0.1) for name in (*names, "entropy.all")}
    for name, value in changed.items():
        means[name][1, 0] = value
    found = behaviours(means, uniform_entropy=5.0)
    assert found[1, 0] == expected
    assert (found[[0, 0, 1], [0, 1, 1]] == NO_BEHAVIOUR).all()


def test_broad_is_a_share_of_what_uniform_attention_scores():
    means = dict.fromkeys(("attention.next", "attention.previous", "attention.cls"), np.zeros((1, 2)))
    means |= dict.fromkeys(("attention.sep", "attention.punctuation"), np.zeros((1, 2)))
    means["entropy.all"] = np.array([[BROAD * 3 + 0.01, BROAD * 3 - 0.01]])
    assert behaviours(means, uniform_entropy=3.0).tolist() == [["broad", NO_BEHAVIOUR]]
