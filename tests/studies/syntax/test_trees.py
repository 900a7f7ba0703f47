"""Spanning trees against networkx and against all trees there are; scores against loops and heads made by hand."""

import importlib.util
import itertools
import sys

import networkx
import numpy as np
import pandas as pd
import pytest

from generator.corpora.treebank import Sentence, Word
from generator.results.tables import FACTS, HEAD_FACTS
from generator.studies.halves import reported
from generator.studies.syntax import trees
from generator.studies.syntax.trees import TreeScores, spanning_trees

MODEL, CORPUS, SEED = "some/model", "some trees", 5
ROUNDING = 1e-12


def _maps(words, seed=0, layers=2, heads=3, sharpness=1.0):
    scores = np.random.default_rng(seed).normal(size=(layers, heads, words, words)) * sharpness
    weights = np.exp(scores)
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def _rings(words, seed):
    """Maps whose best edges close circles within circles: words like those that share more leading bits."""
    place = np.arange(words)
    apart = np.frexp((place[:, None] ^ place).astype(float))[1]
    noise = np.random.default_rng(seed).random((2, 3, words, words))
    weights = np.exp(-3.0 * apart + noise)
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def _sentence(heads, name="s"):
    """1-based heads, 0 for the root."""
    return Sentence(name, tuple(Word("w", "X", head, "dep" if head else "root") for head in heads))


def _random_heads(words, rng):
    """A random tree: words join in random order, each under one that is there."""
    order = rng.permutation(words)
    heads = np.zeros(words, int)
    for at in range(1, words):
        heads[order[at]] = order[rng.integers(at)] + 1
    return heads.tolist()


def _pointing(heads, weight=1.0):
    """A map in which dependents look at their heads; what is left is spread evenly."""
    n = len(heads)
    weights = np.full((n, n), (1 - weight) / n)
    for at, head in enumerate(heads):
        weights[at, head - 1 if head else at] += weight
    return weights


def _total(weights, heads):
    return sum(float(weights[at, head]) for at, head in enumerate(heads) if head >= 0)


def _by_networkx(weights, root):
    graph = networkx.DiGraph()
    for dependent, head in np.ndindex(weights.shape):
        if dependent not in (head, root):
            graph.add_edge(head, dependent, weight=float(weights[dependent, head]))
    heads = [-1] * len(weights)
    for head, dependent in networkx.maximum_spanning_arborescence(graph).edges:
        heads[dependent] = head
    return heads


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
@pytest.mark.parametrize("make", [_maps, _rings])
def test_every_tree_is_that_of_networkx(words, make):
    weights = make(words, seed=words)
    root = words // 3
    found = spanning_trees(weights, root)
    assert found.shape == (2, 3, words)
    for place in np.ndindex(2, 3):
        assert found[place].tolist() == _by_networkx(weights[place], root)


@pytest.mark.parametrize("root", range(4))
@pytest.mark.parametrize("seed", range(3))
def test_no_tree_at_all_weighs_more(root, seed):
    for weights in (_maps(4, seed, 1, 1, 2.0)[0, 0], np.round(_maps(4, seed, 1, 1)[0, 0] * 4) / 4):
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
        assert _total(one, tree) == pytest.approx(_total(one, _by_networkx(one, 4)), abs=ROUNDING)


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
        heads = _random_heads(words, rng)
        root = heads.index(0)
        weights = 0.9 * _pointing(heads) + 0.1 * _maps(words, words, 1, 1)[0, 0]
        expected = [head - 1 for head in heads]
        assert spanning_trees(weights[None, None], root)[0, 0].tolist() == expected
        assert spanning_trees(weights.T[None, None], root)[0, 0].tolist() != expected


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_maps_of_any_type_and_layout_are_read_and_left_alone(kind):
    weights = _maps(7).astype(kind)
    expected = spanning_trees(weights.astype(float), 2)
    for copy in (weights.copy(), np.asfortranarray(weights), np.repeat(weights, 2, axis=-1)[..., ::2]):
        copy.flags.writeable = False
        before = copy.copy()
        np.testing.assert_array_equal(spanning_trees(copy, 2), expected)
        np.testing.assert_array_equal(copy, before)


def test_without_the_compiler_the_same_trees_are_found(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    specification = importlib.util.spec_from_file_location("trees_without_compiler", trees.__file__)
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, specification.name, module)
    specification.loader.exec_module(module)
    assert module.njit is None
    for weights in (_maps(9), _rings(16, 3)):
        np.testing.assert_array_equal(module.spanning_trees(weights, 1), spanning_trees(weights, 1))


# Scores


def _corpus(count=24, seed=0):
    """Sentences of one word to nine, and maps `[2, 3, ...]`: 1-1 follows the tree, 1-2 the neighbours, 2-1 the tree
    from head words to dependents, all others are random."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        words = 1 + number % 9
        sentence = _sentence(_random_heads(words, rng), f"s{number}")
        maps = _maps(words, number)
        gold = _pointing([word.head for word in sentence.words], 0.9)
        place = np.arange(words)
        maps[0, 0] = gold
        maps[0, 1] = abs(place - place[:, None]) == 1
        maps[1, 0] = 0.9 * gold.T + 0.1 * maps[1, 0]
        found.append((sentence, maps))
    return found


def _tables(pairs, seed=SEED):
    scores = TreeScores()
    for sentence, maps in pairs:
        scores.add(sentence, maps)
    return scores.tables(MODEL, CORPUS, seed)


@pytest.fixture(scope="module")
def pairs():
    return _corpus()


@pytest.fixture(scope="module")
def tables(pairs):
    return _tables(pairs)


def _row(table, name, layer=0, head=None):
    rows = table[(table.name == name) & (table.layer == layer)]
    rows = rows if head is None else rows[rows["head"] == head]
    assert len(rows) == 1
    return rows.iloc[0]


def _slow_counts(sentence, weights):
    """Links found, links between neighbours, links; pairs of words without an order."""
    gold = {frozenset((at, word.head)) for at, word in enumerate(sentence.words, start=1) if word.head}
    root = next(at for at, word in enumerate(sentence.words) if not word.head)
    tree = _by_networkx(weights, root) if gold else []
    found = {frozenset((at + 1, head + 1)) for at, head in enumerate(tree) if head >= 0}
    chain = {frozenset((at, at + 1)) for at in range(1, len(sentence.words))}
    return len(gold & found), len(gold & chain), len(gold)


@pytest.mark.parametrize("reading", ["uuas", "uuas.to_dependents"])
def test_scores_equal_loops_over_pairs_of_words(pairs, tables, reading):
    """Where edges point from a word to those it attends to, the map is turned: a head word attends to its dependents.

    Heads made by hand have equal weights, of which some other tree may be as good, and count only as they were made.
    """
    facts, head_facts = tables
    made = {(0, 0), (0, 1), (1, 0)} if reading != "uuas" else set()
    for layer, head in set(np.ndindex(2, 3)) - made:
        turned = [maps[layer, head].T if reading != "uuas" else maps[layer, head] for _, maps in pairs]
        counts = np.array([_slow_counts(one, maps) for (one, _), maps in zip(pairs, turned, strict=True)])
        right, adjacent, links = counts.sum(0)
        ours = _row(head_facts, reading, layer + 1, head + 1)
        gain = _row(head_facts, f"{reading}.gain", layer + 1, head + 1)
        assert ours.value == pytest.approx(right / links, abs=ROUNDING)
        assert gain.value == pytest.approx((right - adjacent) / links, abs=ROUNDING)
        assert ours.n == gain.n == links
    chain = _row(facts, "uuas.adjacent")
    assert chain.value == pytest.approx(adjacent / links, abs=ROUNDING)
    assert chain.n == links


def test_a_head_that_follows_the_tree_finds_all_of_it(tables):
    best = _row(tables[1], "uuas", 1, 1)
    assert (best.value, best.low, best.high) == (1, 1, 1)
    assert _row(tables[1], "uuas", 2, 1).value < 1, "dependents look at their heads, not heads at dependents"
    turned = _row(tables[1], "uuas.to_dependents", 2, 1)
    assert (turned.value, turned.low, turned.high) == (1, 1, 1)
    assert _row(tables[1], "uuas.to_dependents", 1, 1).value < 1


def test_a_head_that_looks_at_neighbours_is_the_chain_and_gains_nothing(tables):
    facts, head_facts = tables
    chain, same = _row(facts, "uuas.adjacent"), _row(head_facts, "uuas", 1, 2)
    assert (same.value, same.low, same.high) == (chain.value, chain.low, chain.high)
    assert chain.low < chain.value < chain.high
    gain = _row(head_facts, "uuas.gain", 1, 2)
    assert (gain.value, gain.low, gain.high) == (0, 0, 0), "a paired interval"


def test_a_link_counts_in_either_direction():
    """Gold: 1 <- 2 <- 3. Found: 1 <- 3 <- 2, so the pair of 2 and 3 is right and that of 1 and 2 is not."""
    facts, head_facts = _tables([(_sentence([0, 1, 2]), _pointing([0, 3, 1])[None, None])])
    assert _row(head_facts, "uuas", 1, 1).value == 0.5
    assert _row(facts, "uuas.adjacent").value == 1
    assert _row(head_facts, "uuas.gain", 1, 1).value == -0.5


def test_the_best_head_is_chosen_on_one_half_and_reported_on_the_other():
    gold, other = [2, 0, 2, 3], [2, 0, 4, 2]
    names = [f"s{number}" for number in range(40)]
    shown = reported(names, SEED)
    right, wrong = _pointing(gold), _pointing(other)
    pairs = [
        (_sentence(gold, name), np.stack([wrong if late else right, right if late else wrong])[None])
        for name, late in zip(names, shown, strict=True)
    ]
    facts, head_facts = _tables(pairs)
    best, gain = _row(facts, "uuas.best"), _row(facts, "uuas.best.gain")
    assert best.value == pytest.approx(2 / 3), "the head that is right where heads are chosen"
    assert gain.value == pytest.approx(2 / 3 - 1)
    assert best.n == gain.n == 3 * shown.sum()
    assert _row(head_facts, "uuas", 1, 1).value == pytest.approx((3 - shown.mean()) / 3)


def test_the_best_head_of_all_is_reported_with_its_gain(tables, pairs):
    for reading in ("uuas", "uuas.to_dependents"):
        best, gain = _row(tables[0], f"{reading}.best"), _row(tables[0], f"{reading}.best.gain")
        assert (best.value, best.low, best.high) == (1, 1, 1)
    shown = reported([sentence.id for sentence, _ in pairs], SEED)
    counts = np.array([_slow_counts(sentence, maps[0, 0]) for sentence, maps in pairs])[shown].sum(0)
    assert gain.value == pytest.approx(1 - counts[1] / counts[2], abs=ROUNDING)
    assert 0 < gain.low < gain.value < gain.high < 1


def test_the_order_of_sentences_changes_nothing_and_the_seed_moves_only_intervals(pairs, tables):
    for ours, turned in zip(tables, _tables(pairs[::-1]), strict=True):
        pd.testing.assert_frame_equal(ours, turned)
    _, other = _tables(pairs, SEED + 1)
    assert (other.value == tables[1].value).all()
    assert not (other.low == tables[1].low).all()


def test_the_columns_are_those_of_the_store(tables):
    for table, schema in zip(tables, (FACTS, HEAD_FACTS), strict=True):
        assert list(table.columns) == schema.names
        assert not table.duplicated(schema.names[:-4]).any()
        assert set(table.study) == {"trees"}
        assert (set(table.model), set(table.corpus)) == ({MODEL}, {CORPUS})
    assert [str(tables[1][name].dtype) for name in ("layer", "head", "n")] == ["int16", "int16", "int32"]
    assert len(tables[1]) == 2 * 2 * 6


def test_a_word_alone_has_no_link():
    facts, head_facts = _tables([(_sentence([0]), np.ones((1, 2, 1, 1)))])
    assert head_facts.value.isna().all()
    assert (head_facts.n == 0).all()
    assert facts.name.tolist() == ["uuas.adjacent"], "no second half to report on"


def test_a_map_of_another_sentence_is_refused():
    with pytest.raises(ValueError, match="3 x 3 words for 's'"):
        TreeScores().add(_sentence([0, 1, 2]), _maps(4))
