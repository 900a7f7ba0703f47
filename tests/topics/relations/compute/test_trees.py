"""Spanning trees against networkx and against all trees there are."""

import itertools

import numpy as np
import pytest

from generator.topics.relations.compute import trees
from generator.topics.relations.compute.trees import spanning_trees
from tests.studies.compiler import without_compiler
from tests.topics.relations.compute.made_trees import by_networkx, maps_of, pointing, random_heads

ROUNDING = 1e-12


def _rings(words, seed):
    """Maps whose best edges close circles within circles: words like those that share more leading bits."""
    place = np.arange(words)
    apart = np.frexp((place[:, None] ^ place).astype(float))[1]
    noise = np.random.default_rng(seed).random((2, 3, words, words))
    weights = np.exp(-3.0 * apart + noise)
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def _total(weights, heads):
    return sum(float(weights[at, head]) for at, head in enumerate(heads) if head >= 0)


def _all_trees(words, root):
    for heads in itertools.product(range(words), repeat=words):
        tree = [-1 if at == root else head for at, head in enumerate(heads)]
        if heads[root] == root and all(_reaches(tree, at, root) for at in range(words)):
            yield tree


def _reaches(heads, at, root):
    for _ in heads:
        at = heads[at] if at != root else root
    return at == root


@pytest.mark.parametrize("words", [2, 3, 5, 8, 20])
@pytest.mark.parametrize("make", [maps_of, _rings])
def test_every_tree_is_that_of_networkx(words, make):
    weights = make(words, seed=words)
    root = words // 3
    found = spanning_trees(weights, root)
    assert found.shape == (2, 3, words)
    for place in np.ndindex(2, 3):
        assert found[place].tolist() == by_networkx(weights[place], root)


@pytest.mark.parametrize("root", range(4))
@pytest.mark.parametrize("seed", range(3))
def test_no_tree_at_all_weighs_more(root, seed):
    for weights in (maps_of(4, seed, 1, 1, 2.0)[0, 0], np.round(maps_of(4, seed, 1, 1)[0, 0] * 4) / 4):
        every = list(_all_trees(4, root))
        assert len(every) == 16
        found = spanning_trees(weights[None, None], root)[0, 0].tolist()
        assert found in every
        assert _total(weights, found) == pytest.approx(max(_total(weights, tree) for tree in every), abs=ROUNDING)


@pytest.mark.parametrize("seed", range(6))
def test_equal_and_missing_weights_still_give_a_best_tree(seed):
    weights = np.random.default_rng(seed).integers(0, 3, (1, 4, 9, 9)) / 2.0
    weights[0, 3] = 0
    found = spanning_trees(weights, 4)[0]
    for tree, one in zip(found.tolist(), weights[0], strict=True):
        assert [tree[at] for at in range(9) if at == 4 or not _reaches(tree, at, 4)] == [-1]
        assert _total(one, tree) == pytest.approx(_total(one, by_networkx(one, 4)), abs=ROUNDING)


def test_a_circle_is_left_by_its_cheapest_edge():
    """Words 2 and 3 look at each other; the root is reached from 3 at a smaller loss, though 2 gives it more."""
    weights = np.array([[1, 0, 0], [0.4, 0, 0.6], [0.3, 0.45, 0.25]])
    assert spanning_trees(weights[None, None], 0)[0, 0].tolist() == [-1, 2, 0]


def test_a_sentence_of_a_hundred_words_has_trees():
    weights = _rings(100, 0)
    found = spanning_trees(weights, 57)
    for place in np.ndindex(2, 3):
        tree = found[place].tolist()
        assert tree.count(-1) == 1
        assert all(_reaches(tree, at, 57) for at in range(100))


def test_rows_are_dependents_and_columns_head_words():
    rng = np.random.default_rng(0)
    for words in (6, 11):
        heads = random_heads(words, rng)
        root = heads.index(0)
        weights = 0.9 * pointing(heads) + 0.1 * maps_of(words, words, 1, 1)[0, 0]
        expected = [head - 1 for head in heads]
        assert spanning_trees(weights[None, None], root)[0, 0].tolist() == expected
        assert spanning_trees(weights.T[None, None], root)[0, 0].tolist() != expected


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_maps_of_any_type_and_layout_are_read_and_left_alone(kind):
    weights = maps_of(7).astype(kind)
    expected = spanning_trees(weights.astype(float), 2)
    for copy in (weights.copy(), np.asfortranarray(weights), np.repeat(weights, 2, axis=-1)[..., ::2]):
        copy.flags.writeable = False
        before = copy.copy()
        np.testing.assert_array_equal(spanning_trees(copy, 2), expected)
        np.testing.assert_array_equal(copy, before)


def test_without_the_compiler_the_same_trees_are_found(monkeypatch):
    module = without_compiler(monkeypatch, trees)
    assert module._arborescence is not trees._arborescence
    for weights in (maps_of(9), _rings(16, 3)):
        np.testing.assert_array_equal(module.spanning_trees(weights, 1), spanning_trees(weights, 1))
