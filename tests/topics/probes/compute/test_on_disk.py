"""Maps that lie in a file are those that were put there, and take no memory."""

import tempfile
import tracemalloc

import numpy as np
import pytest

from generator.attention.words import WordMaps
from generator.errors import CorpusError
from generator.topics.probes.compute import on_disk
from generator.topics.probes.compute.data import batches, cached_batches
from generator.topics.probes.compute.on_disk import MapsOnDisk, space
from generator.topics.probes.compute.word_vectors import Reduction
from tests.results.disks import small_disk
from tests.topics.probes.compute.planted import CPU, examples

RNG = np.random.default_rng(0)


def maps(words, heads=3):
    """In another order of memory than that of axes, as maps of words are."""
    whole = RNG.random((words + 2, words, heads, 2), np.float32).T
    return WordMaps(whole[..., :-2], whole[..., -2], whole[..., -1])


def test_maps_come_back_as_they_were_in_any_order():
    kept, some = MapsOnDisk(), {f"s{words}": maps(words) for words in (5, 1, 9)}
    for name, one in some.items():
        kept.add(name, one)
    assert sorted(kept) == sorted(some)
    assert len(kept) == len(some)
    for name in sorted(some):
        for part in ("weights", "begin", "separator"):
            np.testing.assert_array_equal(getattr(kept[name], part), getattr(some[name], part))
    with pytest.raises(KeyError):
        kept["other"]


def test_maps_take_no_memory():
    one = maps(30, heads=40)
    tracemalloc.start()
    kept = MapsOnDisk()
    for number in range(20):
        kept.add(str(number), one)
    total = sum(float(kept[name].weights.sum()) for name in kept)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == pytest.approx(20 * float(one.weights.sum()), rel=1e-5)
    assert most < 3 * one.weights.nbytes, "no more than what is being written"


def test_batches_in_a_file_are_the_others_and_can_be_written():
    found = examples(20)
    reduction = Reduction.of(np.concatenate([one.vectors for one in found]))
    pairs = zip(cached_batches(found, reduction, 0, CPU), batches(found, reduction, 0, CPU), strict=True)
    for one, other in pairs:
        for name, values in vars(other).items():
            assert getattr(one, name).equal(values), name


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 8])
def test_space_is_as_large_as_asked_for_and_empty(monkeypatch, size):
    """Just on both sides of what is written at once."""
    monkeypatch.setattr(on_disk, "PART", 4)
    found = space(size)
    assert (found.dtype, found.tolist()) == (np.float32, [0] * size)
    found += 1
    assert found.sum() == size


def test_a_disk_that_is_too_small_is_told_before_anything_is_put_there(monkeypatch, tmp_path):
    with small_disk(tmp_path / "small", 256) as place:
        monkeypatch.setattr(tempfile, "tempdir", str(place))
        space(50 * 1024)[:] = 1
        with pytest.raises(CorpusError, match=rf"temporary files in {place}, found: .*; .* with TMPDIR"):
            space(80 * 1024)
