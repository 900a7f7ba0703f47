"""Whoever watches is told of what happens inside, whoever does it."""

from itertools import accumulate

import pytest

from generator.progress import in_parts, reporting_as, reporting_to, tell
from tests.reports import Telling


def fail(told):
    """Tell of 2, and fail."""
    with told:
        tell(2)
        raise ZeroDivisionError


def test_without_anybody_to_tell_nothing_happens():
    tell(1)


def test_only_who_asked_last_is_told_and_only_while_the_block_runs():
    outer, inner = [], []
    with reporting_to(outer.append):
        tell(1)
        with pytest.raises(ZeroDivisionError):
            fail(reporting_to(inner.append))
        tell(3)
    tell(4)
    assert (outer, inner) == ([1, 3], [2])


@pytest.mark.parametrize("told", [[], [3], [3, 3], [10], [4, 40, 5]])
@pytest.mark.parametrize("size", [1, 10])
def test_a_part_is_done_when_it_ends_and_not_before(size, told):
    found = []
    with reporting_as(size, found.append):
        for done in told:
            tell(done)
        before = sum(found)
    assert before == min(sum(told), size - 1)
    assert sum(found) == size
    assert list(accumulate(found)) == sorted(accumulate(found))


def test_a_part_that_fails_is_not_done():
    found = []
    with pytest.raises(ZeroDivisionError):
        fail(reporting_as(10, found.append))
    assert found == [2]


def test_parts_of_one_piece_of_work_share_a_bar_that_never_goes_back():
    report = Telling()
    with in_parts(report, "all", [10, 30]) as parts:
        first = next(parts)
        with first.bar("half of it", 4) as advance:
            advance(2)
        with first.bar("begun again", 4) as advance:
            advance(1)
        assert report.stood("all") == [5]
        second = next(parts)
        assert report.stood("all")[-1] == 10, "the next part begins where this one ends"
        with second.bar("the other", 3) as advance:
            advance(1)
            assert report.stood("all")[-1] == 20
            second.note("a note")
            second.warn("a warning")
        assert next(parts, None) is None
    assert report.stood("all") == sorted(report.stood("all"))
    assert report.stood("all")[-1] == report.bars["all"][0] == 40
    assert (list(report.bars), report.notes) == (["all"], ["a note", "a warning"])
