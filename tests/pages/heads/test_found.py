"""The figure of what a head finds has the numbers of its first sentence; other heads have none."""

import json
import math

import pytest

from generator.claims.gate.maps import Measured
from generator.numbers.number import Number
from generator.pages.heads.found import found_figure, named
from generator.pages.heads.summary import summarise
from tests.pages.heads.test_specialists import found, mentions

MEASURED = {"attention.previous": Number(0.9, 0.8, 0.95, 7), "entropy.all": Number(1.0, 0.9, 1.1, 7)}
UNIFORM = {"attention.previous": 0.01, "entropy.all": 4.0}


def figure_of(*relations, antecedents=()):
    """The figure of the one head that finds something."""
    ((_, (one,)),) = found(*relations, antecedents=antecedents).items()
    return found_figure("3-1", named(one))


def test_the_head_stands_above_what_it_had_to_beat():
    figure = figure_of({})
    (view,) = json.loads(figure.data)["views"]
    assert view["columns"] == {
        "name": ["head 3-1", "best fixed offset", "untrained model"],
        "own": [True, False, False],
        "value": [0.7, 0.4, 0.1],
        "low": [0.65, 0.35, 0.08],
        "high": [0.75, 0.45, 0.12],
        "told": ["0.70 (0.65 to 0.75)", "0.40 (0.35 to 0.45)", "0.100 (0.080 to 0.120)"],
    }
    assert view["constants"]["n"] == 50
    assert figure.label == ("Head 3-1 finds direct objects: right for 70 %, the best fixed offset for 40 %")
    assert figure.caption.endswith("95 % intervals; of the untrained model, the range of several.")
    assert figure.table.rows[0] == ("head 3-1", "0.70 (0.65 to 0.75)")


@pytest.mark.parametrize(
    ("made", "names"),
    [
        (figure_of({"twin": math.nan, "twin_high": math.nan}), ["head 3-1", "best fixed offset"]),
        (figure_of(antecedents=mentions()), ["head 3-1", "best simple rule"]),
    ],
)
def test_a_baseline_that_was_not_measured_is_left_out_and_mentions_have_their_own(made, names):
    assert json.loads(made.data)["views"][0]["columns"]["name"] == names
    assert made.caption.endswith("Lines: 95 % intervals.")


def test_the_caption_says_what_was_counted():
    assert "On words that had no part" in figure_of({}).caption
    assert "On mentions that had no part" in figure_of(antecedents=mentions()).caption


def test_the_title_rounds_as_the_sentence_does():
    figure = figure_of({"value": 0.5673, "low": 0.51, "high": 0.61})
    assert figure.label.startswith("Head 3-1 finds direct objects: right for 57 %,")
    partly = figure_of({"value": 0.5273, "low": 0.41, "high": 0.61})
    assert partly.label == "Head 3-1 finds some direct objects: right for 53 %, the best fixed offset for 40 %"


def test_a_head_that_is_named_otherwise_has_none():
    ((_, some),) = found({}).items()
    one = Measured((3, 1), MEASURED, UNIFORM, 12)
    assert summarise(one, (), some).found is some[0]
    assert summarise(one, ()).found is None
