"""In which order lanes begin pieces of work: the longest line of them first, so that all end at about the same time."""

import sys
from threading import Event

import pytest

from generator.survey.lanes import SWITCH, in_lanes, longest_first
from tests.survey.test_lanes import PATIENCE, threads


def test_a_piece_that_becomes_ready_goes_before_later_ones_that_were_ready_all_the_time():
    began, going, alone = [], Event(), sys.getswitchinterval()

    def piece(name):
        def run(_advance):
            began.append(name)
            assert sys.getswitchinterval() == pytest.approx(SWITCH)
            if name == "long":
                assert going.wait(PATIENCE)
            elif name == "follows":
                going.set()

        return run

    names = ["first", "long", "follows", "could wait"]
    with threads(2):
        in_lanes({name: piece(name) for name in names}, {"follows": ["first"]}, 2, lambda _: None)
    assert began.index("follows") < began.index("could wait")
    assert sys.getswitchinterval() == alone


def test_the_longest_line_of_work_comes_first_and_nothing_before_what_it_waits_for():
    after = {"table": ["pass", "not there"], "last": ["table"], "twins": ["draw"]}
    sizes = {"last": 5, "twins": 1, "again": 8, "table": 1, "draw": 6, "pass": 2}
    assert longest_first(sizes, after) == ["again", "pass", "draw", "table", "last", "twins"]
    assert longest_first(sizes | {"draw": 8}, after)[:2] == ["draw", "again"]
