"""Whoever watches is told of what happens inside, whoever does it."""

from itertools import accumulate

import pytest

from generator.progress import tell, told_as, told_to


def fail(told):
    """Tell of 2, and fail."""
    with told:
        tell(2)
        raise ZeroDivisionError


def test_without_anybody_to_tell_nothing_happens():
    tell(1)


def test_only_who_asked_last_is_told_and_only_while_the_block_runs():
    outer, inner = [], []
    with told_to(outer.append):
        tell(1)
        with pytest.raises(ZeroDivisionError):
            fail(told_to(inner.append))
        tell(3)
    tell(4)
    assert (outer, inner) == ([1, 3], [2])


@pytest.mark.parametrize("told", [[], [3], [3, 3], [10], [4, 40, 5]])
@pytest.mark.parametrize("size", [1, 10])
def test_a_part_is_done_when_it_ends_and_not_before(size, told):
    found = []
    with told_as(size, found.append):
        for done in told:
            tell(done)
        before = sum(found)
    assert before == min(sum(told), size - 1)
    assert sum(found) == size
    assert list(accumulate(found)) == sorted(accumulate(found))


def test_a_part_that_fails_is_not_done():
    found = []
    with pytest.raises(ZeroDivisionError):
        fail(told_as(10, found.append))
    assert found == [2]
