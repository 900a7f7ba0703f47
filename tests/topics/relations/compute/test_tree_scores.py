"""How much of a sentence's tree a head's spanning tree finds: loops over pairs, and heads made by hand."""

import numpy as np
import pytest

from generator.studies.halves import reported
from generator.topics.relations.compute.trees import TreeScores
from tests.studies.stored import CORPUS, MODEL, SEED, fit_the_store, row, same_tables
from tests.topics.relations.compute.made_trees import by_networkx, maps_of, pointing, random_heads, sentence_of

ROUNDING = 1e-12


def _corpus(count=24, seed=0):
    """Sentences of one word to nine, and maps `[2, 3, ...]`: 1-1 follows the tree, 1-2 the neighbours, 2-1 the tree
    from head words to dependents, all others are random."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        words = 1 + number % 9
        sentence = sentence_of(random_heads(words, rng), f"s{number}")
        maps = maps_of(words, number)
        gold = pointing([word.head for word in sentence.words], 0.9)
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


def _slow_counts(sentence, weights):
    """Links found, links between neighbours, links; pairs of words without an order."""
    gold = {frozenset((at, word.head)) for at, word in enumerate(sentence.words, start=1) if word.head}
    root = next(at for at, word in enumerate(sentence.words) if not word.head)
    tree = by_networkx(weights, root) if gold else []
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
        ours = row(head_facts, reading, layer + 1, head + 1)
        gain = row(head_facts, f"{reading}.gain", layer + 1, head + 1)
        assert ours.value == pytest.approx(right / links, abs=ROUNDING)
        assert gain.value == pytest.approx((right - adjacent) / links, abs=ROUNDING)
        assert ours.n == gain.n == links
    chain = row(facts, "uuas.adjacent")
    assert chain.value == pytest.approx(adjacent / links, abs=ROUNDING)
    assert chain.n == links


def test_a_head_that_follows_the_tree_finds_all_of_it(tables):
    best = row(tables[1], "uuas", 1, 1)
    assert (best.value, best.low, best.high) == (1, 1, 1)
    assert row(tables[1], "uuas", 2, 1).value < 1, "dependents look at their heads, not heads at dependents"
    turned = row(tables[1], "uuas.to_dependents", 2, 1)
    assert (turned.value, turned.low, turned.high) == (1, 1, 1)
    assert row(tables[1], "uuas.to_dependents", 1, 1).value < 1


def test_a_head_that_looks_at_neighbours_is_the_chain_and_gains_nothing(tables):
    facts, head_facts = tables
    chain, same = row(facts, "uuas.adjacent"), row(head_facts, "uuas", 1, 2)
    assert (same.value, same.low, same.high) == (chain.value, chain.low, chain.high)
    assert chain.low < chain.value < chain.high
    gain = row(head_facts, "uuas.gain", 1, 2)
    assert (gain.value, gain.low, gain.high) == (0, 0, 0), "a paired interval"


def test_a_link_counts_in_either_direction():
    """Gold: 1 <- 2 <- 3. Found: 1 <- 3 <- 2, so the pair of 2 and 3 is right and that of 1 and 2 is not."""
    facts, head_facts = _tables([(sentence_of([0, 1, 2]), pointing([0, 3, 1])[None, None])])
    assert row(head_facts, "uuas", 1, 1).value == 0.5
    assert row(facts, "uuas.adjacent").value == 1
    assert row(head_facts, "uuas.gain", 1, 1).value == -0.5


def test_the_best_head_is_chosen_on_one_half_and_reported_on_the_other():
    gold, other = [2, 0, 2, 3], [2, 0, 4, 2]
    names = [f"s{number}" for number in range(40)]
    shown = reported(names, SEED)
    right, wrong = pointing(gold), pointing(other)
    pairs = [
        (sentence_of(gold, name), np.stack([wrong if late else right, right if late else wrong])[None])
        for name, late in zip(names, shown, strict=True)
    ]
    facts, head_facts = _tables(pairs)
    best, gain = row(facts, "uuas.best"), row(facts, "uuas.best.gain")
    assert best.value == pytest.approx(2 / 3), "the head that is right where heads are chosen"
    assert gain.value == pytest.approx(2 / 3 - 1)
    assert best.n == gain.n == 3 * shown.sum()
    assert [row(facts, f"uuas.best.{axis}").value for axis in ("layer", "head")] == [1, 1]
    assert row(facts, "uuas.best.head").n == best.n
    assert row(head_facts, "uuas", 1, 1).value == pytest.approx((3 - shown.mean()) / 3)


def test_the_best_head_of_all_is_reported_with_its_gain(tables, pairs):
    for reading in ("uuas", "uuas.to_dependents"):
        best, gain = row(tables[0], f"{reading}.best"), row(tables[0], f"{reading}.best.gain")
        assert (best.value, best.low, best.high) == (1, 1, 1)
        place = [int(row(tables[0], f"{reading}.best.{axis}").value) for axis in ("layer", "head")]
        assert row(tables[1], reading, *place).value == 1
    shown = reported([sentence.id for sentence, _ in pairs], SEED)
    counts = np.array([_slow_counts(sentence, maps[0, 0]) for sentence, maps in pairs])[shown].sum(0)
    assert gain.value == pytest.approx(1 - counts[1] / counts[2], abs=ROUNDING)
    assert 0 < gain.low < gain.value < gain.high < 1


def test_the_order_of_sentences_changes_nothing_and_the_seed_moves_only_intervals(pairs, tables):
    same_tables(tables, _tables(pairs[::-1]))
    _, other = _tables(pairs, SEED + 1)
    assert (other.value == tables[1].value).all()
    assert not (other.low == tables[1].low).all()


def test_tables_fit_the_store(tables):
    fit_the_store(tables, "trees")
    assert len(tables[1]) == 2 * 2 * 6


def test_a_word_alone_has_no_link():
    facts, head_facts = _tables([(sentence_of([0]), np.ones((1, 2, 1, 1)))])
    assert head_facts.value.isna().all()
    assert (head_facts.n == 0).all()
    assert facts.name.tolist() == ["uuas.adjacent"], "no second half to report on"


def test_a_map_of_another_sentence_is_refused():
    with pytest.raises(ValueError, match="3 x 3 words for 's'"):
        TreeScores().add(sentence_of([0, 1, 2]), maps_of(4))
