"""Garbage that was there before a block is looked for after it, also where one block lies within another."""

import gc
from threading import Barrier
from weakref import ref

from generator.jobs.work import ALLOCATED, clear, seldom_cleared, uncleared


def cycle():
    """A reference to something that only a look for garbage clears."""
    one = Barrier(1)
    one.itself = one
    return ref(one)


def test_only_new_garbage_is_cleared_inside_and_all_of_it_afterwards():
    usual = gc.get_threshold()
    old = cycle()
    with seldom_cleared():
        assert gc.get_threshold()[0] == ALLOCATED
        new = cycle()
        gc.collect()
        assert old()
        assert not new()
    assert gc.get_threshold() == usual
    gc.collect()
    assert not old()


def test_a_block_inside_another_ends_nothing_of_the_outer_one():
    usual, old = gc.get_threshold(), cycle()
    with seldom_cleared():
        with seldom_cleared():
            pass
        assert gc.get_threshold()[0] == ALLOCATED
        gc.collect()
        assert old()
    assert gc.get_threshold() == usual
    gc.collect()
    assert not old()


def test_where_none_is_looked_for_it_is_freed_when_that_is_asked_for_and_at_the_end():
    old = cycle()
    with uncleared():
        assert not gc.isenabled()
        with seldom_cleared():
            new = cycle()
            clear()
            assert old()
            assert not new()
        assert not gc.isenabled()
    assert gc.isenabled()
    gc.collect()
    assert not old()
