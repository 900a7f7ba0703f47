"""Numbers that pages make of stored tables, each against a slow derivation."""

from collections import Counter
from importlib import import_module
from statistics import mean

import numpy as np
import pandas as pd
import pytest

from generator.numbers.makers import makers, makes
from generator.numbers.number import Number
from generator.numbers.quantity import Undeclared
from generator.numbers.resampling import proportion, sample_counts
from generator.studies.breadth import breadth
from generator.studies.commonest_sink import commonest_sinks
from generator.studies.declared import DERIVED
from generator.studies.over_heads import middle, next_door, ranks
from generator.topics.compare.derived.changes import change_of_maps, in_same_layer, leaves_out_zero
from generator.topics.layers.derived.pattern_shares import commonest, heads_of_each
from generator.topics.learning.derived.intervals import accuracy, commoner_answer, layer_breadth, widest_half
from generator.topics.mentions.derived.lead import EXACT, lead
from generator.topics.relations.derived.tried import design_effects, each, tried
from generator.topics.tasks.derived.verdicts import BETTER, NEEDED, UNSEEN, how_many
from generator.topics.tokens.derived.rules import over_layers
from tests.test_architecture import FILES

RNG = np.random.default_rng(8)


def grid(*shape: int) -> Number:
    value = RNG.normal(size=shape)
    return Number(value, value - RNG.random(shape), value + RNG.random(shape), np.full(shape, 9))


def test_every_number_that_no_table_holds_is_made_by_exactly_one_function():
    for module in FILES:
        if module.startswith("generator.studies.") or ".compute." in module or ".derived." in module:
            import_module(module)
    made = makers()
    assert set(made) == {(study.name, quantity.name) for study in DERIVED for quantity in study.quantities}
    assert {number: functions for number, functions in made.items() if len(functions) != 1} == {}


@pytest.mark.parametrize("study", DERIVED, ids=lambda study: study.name)
def test_a_function_cannot_name_a_number_without_a_record(study):
    with pytest.raises(Undeclared, match=f'study "{study.name}", found "misspelt"'):
        makes(study, study.quantities[0].name, "misspelt")


def test_every_head_and_relation_is_tried_in_the_treebank_with_most_of_its_words():
    sizes = {
        ("small", "obj"): 40,
        ("large", "obj"): 60,
        ("small", "iobj"): 30,
        ("large", "iobj"): 19,
        ("large", "all"): 99,
    }
    counts = pd.DataFrame(
        {"corpus": corpus, "relation": relation, "direction": "dep->head", "layer": 1, "head": head, "n": n}
        | {"correct": 7 * head}
        for (corpus, relation), n in sizes.items()
        for head in (1, 2)
    )
    offsets = pd.DataFrame(
        {"corpus": corpus, "relation": relation, "offset": offset, "n": n, "correct": 3 + offset}
        for (corpus, relation), n in sizes.items()
        for offset in (-1, 1)
    )
    found = list(each(tried(counts, offsets, {})))
    assert [(one.relation, one.corpus, one.correct, one.n, one.offset, one.base) for one in found] == [
        ("iobj", "small", 14, 30, 1, 4),
        ("obj", "large", 14, 60, 1, 4),
        ("iobj", "small", 7, 30, 1, 4),
        ("obj", "large", 7, 60, 1, 4),
    ]
    first = found[0]
    assert first.right == proportion(14, 30)
    assert first.gain.value == pytest.approx(10 / 30)
    assert first.gain.low == pytest.approx(first.right.low - proportion(4, 30).high)
    assert first.gain.high == pytest.approx(first.right.high - proportion(4, 30).low)


@pytest.mark.parametrize(("wider", "effect"), [(0.5, 1.0), (1.0, 1.0), (1.5, 2.25), (2.0, 4.0), (float("nan"), 1.0)])
def test_words_of_a_sentence_that_are_alike_count_as_fewer(wider: float, effect: float) -> None:
    """By how much resampled sentences make the interval of the best head wider than its words alone would."""
    alone = proportion(60, 120)
    half = wider * (alone.high - alone.low) / 2
    row = {"corpus": "bank", "relation": "list", "protocol": "same data", "n": 120}
    row |= {"value": 0.5, "low": 0.5 - half, "high": 0.5 + half}
    held_out = row | {"protocol": "held-out", "low": 0.0, "high": 1.0}
    found = design_effects(pd.DataFrame([row, held_out]))
    assert found == {("bank", "list"): pytest.approx(effect)}
    of = {"relation": "list", "corpus": "bank", "direction": "dep->head", "layer": 1, "head": 1, "n": 120}
    counts, offsets = pd.DataFrame([of | {"correct": 72}]), pd.DataFrame([of | {"offset": 1, "correct": 36}])
    (one,) = each(tried(counts, offsets, found))
    fewer = round(120 / effect)
    assert one.right == proportion(round(0.6 * 120 / effect), fewer)._replace(value=0.6, n=120)
    assert one.baseline[1:3] == proportion(round(0.3 * 120 / effect), fewer)[1:3]
    (other,) = each(tried(counts, offsets, {("other", "list"): effect, ("bank", "obj"): effect}))
    assert other.right == proportion(72, 120)


@pytest.mark.parametrize(("natural", "decides"), [(50, "natural"), (49, "ours")])
def test_the_treebank_of_the_project_decides_where_no_other_has_words_enough(natural: int, decides: str) -> None:
    sizes = {"ours": 90, "natural": natural, "few": 20}
    of = {"relation": "iobj", "direction": "dep->head", "layer": 1, "head": 1, "offset": 1, "correct": 9}
    both = pd.DataFrame(of | {"corpus": corpus, "n": n} for corpus, n in sizes.items())
    counts, offsets = both.drop(columns="offset"), both.drop(columns=["direction", "layer", "head"])
    (one,) = each(tried(counts, offsets, {}, "ours", 50))
    assert (one.corpus, one.n) == (decides, sizes[decides])


def test_tokens_over_layers_are_plain_means_in_any_order_of_rows():
    rows = [
        {"token": token, "rank": rank, "layer": layer, "received": RNG.random(), "next_entropy": 2.0 * rank}
        | {"previous_entropy": 1.0}
        for rank, token in ((1, "the"), (2, "[SEP]"))
        for layer in (1, 2, 3)
    ]
    for table in (rows, rows[::-1]):
        found = over_layers(pd.DataFrame(table)).set_index("token")
        assert list(found["rank"]) == [1, 2]
        for token in ("the", "[SEP]"):
            own = [row["received"] for row in rows if row["token"] == token]
            assert found.loc[token, "received"] == pytest.approx(mean(own))
        assert found["beside"].tolist() == [1.5, 2.5]


def test_the_commonest_sink_is_the_token_that_most_documents_have():
    rows = pd.DataFrame(
        {"layer": layer, "head": head, "document": document, "sink.token": int(RNG.integers(3))}
        for layer in (1, 2)
        for head in (1, 2, 3)
        for document in range(20)
    )
    for (layer, head), (token, often) in commonest_sinks(rows).items():
        counts = Counter(rows[(rows["layer"] == layer) & (rows["head"] == head)]["sink.token"])
        assert counts[token] == max(counts.values()) == often


def test_breadth_draws_both_entropies_of_a_document_together():
    """The second head is as broad as uniform attention on every document, however long these are."""
    most = RNG.uniform(1.0, 5.0, 30)
    drawn = {(1, 1): 0.5 * most, (1, 2): most, (2, 1): RNG.uniform(0.2, 0.9, 30) * most, (2, 2): 0.9 * most}
    drawn[2, 2][4] = np.nan
    documents = pd.DataFrame(
        {"document": name, "layer": layer, "head": head, "entropy.all": of[name]}
        for (layer, head), of in drawn.items()
        for name in range(30)
    ).sample(frac=1, random_state=1)
    uniform = pd.DataFrame({"document": range(30), "entropy.all": most})[::-1]
    found = breadth(documents, uniform, seed=3)
    counts = sample_counts(30, 3)
    for (layer, head), of in drawn.items():
        one, known = found.at(layer - 1, head - 1), ~np.isnan(of)
        assert one.value == pytest.approx(of[known].sum() / most[known].sum())
        ratios = (counts[:, known] @ of[known]) / (counts[:, known] @ most[known])
        assert one[1:3] == pytest.approx(np.quantile(ratios, (0.025, 0.975)))
        assert one.n == known.sum()
        assert one.high <= 1 + 1e-12
    assert found.at(0, 1)[:3] == pytest.approx((1, 1, 1))


def test_breadth_of_layers_and_the_neighbours_keep_both_ends():
    several = layer_breadth(Number(*(np.array([3.9, 2.0]) + by for by in (0, -0.1, 0.2)), np.array([9, 9])), 4.0)
    assert several.value.tolist() == pytest.approx([0.975, 0.5])
    assert several.low.tolist() == pytest.approx([0.95, 0.475])
    assert several.high.tolist() == [1, pytest.approx(0.55)], "at most all"
    assert next_door(Number(0.2, 0.1, 0.3, 9), Number(0.4, 0.3, 0.5, 7)) == tuple(
        map(pytest.approx, (0.6, 0.4, 0.8, 7))
    )


def test_intervals_of_checkpoints():
    assert accuracy(2 / 3, 30) == proportion(20, 30)
    found = grid(3, 2, 4)
    half = [(high - low) / 2 for low, high in zip(found.low.ravel(), found.high.ravel(), strict=True)]
    assert widest_half(found) == pytest.approx(max(half))
    assert np.isnan(widest_half(Number(*(np.full(3, np.nan) for _ in range(4)))))


@pytest.mark.parametrize("right", range(11))
def test_the_commoner_of_two_answers_is_right_as_often_as_one_may_count(right):
    wanted = [True] * right + [False] * (10 - right)
    often = max(Counter(wanted).values()) / len(wanted)
    found, own = commoner_answer(proportion(right, 10)), proportion(int(often * 10), 10)
    assert found == pytest.approx(own)


def test_changes_over_heads():
    change = grid(3, 4)
    ends = list(zip(change.low.ravel(), change.high.ravel(), strict=True))
    assert leaves_out_zero(change) == sum(not low <= 0 <= high for low, high in ends) > 0
    assert [middle([3.0, 1.0, 2.0]), middle([4.0, 1.0])] == [2.0, 1.0]
    assert in_same_layer(np.array([[1, 2, np.nan], [2, 2, 1]])) == (3, 5)


def test_maps_change_by_what_their_cosine_lacks():
    cosine = grid(3, 4)
    change = change_of_maps(cosine)
    assert np.array_equal(change.value, 1 - cosine.value)
    assert (change.low < change.value).all()
    assert (change.value < change.high).all()
    assert (change.high - change.value).ravel() == pytest.approx((cosine.value - cosine.low).ravel())
    assert np.array_equal(change.n, cosine.n)


def test_verdicts_are_counted():
    ends = [(-3, -1), (-2, 0), (-1, 1), (0, 2), (1, 3), (-5, -4), (np.nan, np.nan)]
    rows = [{"low": low, "high": high} for low, high in ends]
    assert [how_many(rows, one) for one in (NEEDED, UNSEEN, BETTER)] == [2, 3, 1]


def test_the_best_rank_is_shared_and_what_is_undefined_has_none():
    assert ranks(np.array([[0.2, 0.9], [np.nan, 0.9], [0.1, 0.5]])).tolist() == [[4, 1], [0, 1], [5, 3]]
    assert ranks(np.array([[1 - 5e-9, 1 + 3e-9], [1.0, 0.9999]])).tolist() == [[1, 1], [1, 4]], "noise is no rank"
    assert ranks(np.array([[1e-9, 2e-9], [0.0, 0.0]])).tolist() == [[2, 1], [3, 3]], "small numbers have ranks"


def test_a_lead_over_a_rule_is_as_wide_as_both_and_free_of_rounding():
    found = lead(Number(0.3, 0.2, 0.45, 60), Number(0.2, 0.125, 0.25, 60))
    assert found.value == 0.1 != 0.3 - 0.2, f"rounded to {EXACT} decimals"
    assert (found.low, found.high) == (0.2 - 0.25, 0.45 - 0.125)


def test_the_commonest_pattern_of_a_head():
    assert commonest(np.array([[[0.2, 0.5, 0.3], [0.4, 0.4, 0.2]]])).tolist() == [[1, 0]]
    shares = RNG.random((3, 4, 5))
    often = Counter(max(range(5), key=lambda at: shares[layer, head, at]) for layer in range(3) for head in range(4))
    assert heads_of_each(shares).tolist() == [often[at] for at in range(5)]
