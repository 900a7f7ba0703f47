"""Numbers that lie in a file are those that were put there, take no memory, and say where there is no room for them."""

import resource
import tracemalloc

import numpy as np
import pytest

from generator.errors import CorpusError
from generator.numbers.on_disk import OnDisk

RNG = np.random.default_rng(0)


def test_numbers_come_back_as_they_were_put_or_as_they_were_replaced():
    kept, some = OnDisk(float), [RNG.normal(size=shape) for shape in ((2, 3), (), (4,))]
    places = [kept.add(one) for one in some]
    assert places == [0, 6, 7]
    some[1] = np.array(np.nan)
    kept.replace(places[1], some[1])
    for place, one in zip(places, some, strict=True):
        np.testing.assert_array_equal(kept.read(place, one.shape), one)
    np.testing.assert_array_equal(kept.whole(), np.concatenate([one.ravel() for one in some]))


def test_what_is_read_may_be_changed_and_changes_nothing_in_the_file():
    kept = OnDisk(np.uint32)
    kept.add(np.arange(4))
    kept.read(0, (4,))[:] = 9
    np.testing.assert_array_equal(kept.read(0, (4,)), np.arange(4))


def test_the_whole_may_be_changed_and_outlives_what_made_it():
    kept = OnDisk(float)
    kept.add(np.arange(4.0))
    found = kept.whole()
    del kept
    found[:2] = found[2:]
    np.testing.assert_array_equal(found, [2, 3, 2, 3])


def test_nothing_is_an_empty_array():
    assert OnDisk(float).whole().shape == (0,)


def test_numbers_take_no_memory():
    values = RNG.normal(size=10_000)
    tracemalloc.start()
    kept = OnDisk(float)
    for _ in range(20):
        kept.add(values)
    total = kept.whole().sum()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == pytest.approx(20 * values.sum())
    assert most < 2 * values.nbytes


def test_a_full_disk_is_told_with_the_folder_and_what_to_do():
    kept, (usual, most) = OnDisk(float), resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most))
        with pytest.raises(CorpusError, match=r"temporary files in /.*, found: File too large; .* with TMPDIR"):
            kept.add(np.zeros(1_000_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (usual, most))
