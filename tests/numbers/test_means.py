"""Means over the parts of documents: those of all parts at once, in whatever order they come, without holding all."""

import tracemalloc

import numpy as np
import pytest

from generator.numbers.means import DocumentMeans, defined_mean

RNG = np.random.default_rng(0)
SHAPE = (3, 40)


def parts(count):
    """Every part leaves some numbers undefined, and one number is undefined in all."""
    found = [np.where(RNG.random(SHAPE) < 0.3, np.nan, RNG.normal(size=SHAPE)) for _ in range(count)]
    for one in found:
        one[0, 0] = np.nan
    return found


def gathered(documents, order):
    means = DocumentMeans()
    for name, part in order:
        means.add(name, part, documents[name][part - 1].copy())
    return means


@pytest.mark.parametrize("turn", ["as they are", "backwards", "mixed"])
def test_rows_are_the_means_over_parts_to_the_last_bit(turn):
    documents = {name: parts(count) for name, count in (("b", 1), ("a", 2), ("c", 7))}
    order = [(name, part) for name, found in documents.items() for part in range(1, len(found) + 1)]
    order = {"as they are": order, "backwards": order[::-1], "mixed": [order[at] for at in RNG.permutation(len(order))]}
    means = gathered(documents, order[turn])
    assert means.names == ["a", "b", "c"]
    expected = np.stack([defined_mean(np.stack(documents[name])) for name in "abc"])
    np.testing.assert_array_equal(means.rows(), expected)


def test_a_part_that_never_comes_holds_up_no_other():
    documents = {"a": parts(4)}
    means = gathered(documents, [("a", 4), ("a", 2)])
    np.testing.assert_array_equal(means.rows()[0], defined_mean(np.stack([documents["a"][1], documents["a"][3]])))


def test_many_parts_take_little_more_memory_than_one():
    values = RNG.normal(size=(100, 100))
    tracemalloc.start()
    means = DocumentMeans()
    for part in range(1, 30):
        means.add("a", part, values.copy())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5 * values.nbytes, "the sum, how many define it, one part and what is added of it"
