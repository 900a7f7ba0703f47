"""Identical words across segments: every number against loops over pairs of tokens, and heads made by hand."""

import math

import numpy as np
import pandas as pd
import pytest

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.numbers.resampling import bootstrap
from generator.results.tables import FACTS, HEAD_FACTS
from generator.studies.halves import reported
from generator.topics.tokens.compute.matching import NAMES, MatchingScores
from tests.attention.observations import shown
from tests.measures.maps import random_map

BEGIN, SEPARATOR, PERIOD, QUESTION, DASHES = range(5)
PIECES = {BEGIN: "[CLS]", SEPARATOR: "[SEP]", PERIOD: ".", QUESTION: "Ġ?", DASHES: "--", 5: "Ġthe", 6: "##ing", 7: "7"}
CLASS = {BEGIN: TokenClass.BEGIN, SEPARATOR: TokenClass.SEPARATOR, PERIOD: TokenClass.PUNCTUATION}
LAYERS, HEADS, SEED = 2, 3, 4
ROUNDING = 1e-6


def pieces(ids):
    return [PIECES.get(token, f"word{token}") for token in ids]


def pair(first, second, document="made", part=1):
    """[CLS] first [SEP] second [SEP]."""
    ids = (BEGIN, *first, SEPARATOR, *second, SEPARATOR)
    segments = (0,) * (len(first) + 2) + (1,) * (len(second) + 1)
    return Input(document, part, ids, segments, tuple(CLASS.get(token, TokenClass.OTHER) for token in ids))


def random_maps(item, seed, layers=LAYERS, heads=HEADS):
    seeds = np.arange(layers * heads).reshape(layers, heads) + 100 * seed
    return np.array([[random_map(len(item), number) for number in row] for row in seeds], np.float32)


def tables_of(items, maps, seed=SEED):
    scores = MatchingScores(pieces)
    for item, weights in zip(items, maps, strict=True):
        scores.add(shown(item, weights))
    return scores.tables("m", "c", seed)


def of_one_head(item, weights):
    """The five numbers of one map `[query, key]`."""
    _, table = tables_of([item], [np.asarray(weights, np.float32)[None, None]])
    return table.set_index("name")["value"]


def slow(item, weights):
    """The five numbers of one map, by loops over tokens."""
    words = [at for at, token in enumerate(item.input_ids) if token >= 5]
    sides = [[at for at in words if item.segment_ids[at] == number] for number in (0, 1)]
    ids = item.input_ids
    shared = sorted({ids[at] for at in sides[0]} & {ids[at] for at in sides[1]})

    def mean(values):
        values = list(values)
        return sum(values) / len(values) if values else math.nan

    def between(queries, keys):
        return mean(float(weights[i][j]) for i in queries for j in keys)

    same, other, matched = [], [], []
    for queries, keys in (sides, sides[::-1]):
        of = {kind: [i for i in queries if ids[i] == kind] for kind in shared}
        to = {kind: [j for j in keys if ids[j] == kind] for kind in shared}
        same.append(mean(between(of[kind], to[kind]) for kind in shared))
        other.append(mean(between(of[kind], [j for j in keys if ids[j] != kind]) for kind in shared))
        matched.append(mean(between(of[s], to[t]) for s in shared for t in shared if s != t))
    same, other, matched = mean(same), mean(other), mean(matched)
    return [same, other, same - other, matched, same - matched]


ITEMS = [
    pair([5, 6, 5, 9, PERIOD, 7], [5, 7, 8, QUESTION, 6, 6], "a"),
    pair([10, 11, 5, DASHES], [11, 12, PERIOD, DASHES], "b"),
    pair([5, 6, 7], [7, 5], "c"),
]


@pytest.mark.parametrize("item", ITEMS, ids=["several", "one shared", "all shared"])
def test_every_number_equals_a_loop_over_pairs(item):
    weights = random_maps(item, seed=1)
    _, table = tables_of([item], [weights])
    assert len(table) == len(NAMES) * LAYERS * HEADS
    one = table.set_index(["layer", "head", "name"])["value"]
    for layer in range(LAYERS):
        for head in range(HEADS):
            expected = slow(item, weights[layer, head].astype(float))
            found = [one[layer + 1, head + 1, name] for name in NAMES]
            np.testing.assert_allclose(found, expected, rtol=ROUNDING)


def test_marks_and_special_tokens_match_nothing():
    facts, head_facts = tables_of(
        [pair([5, PERIOD, QUESTION, DASHES], [6, PERIOD, QUESTION, DASHES])], [np.ones((1, 1, 11, 11))]
    )
    assert facts.empty
    assert head_facts.empty


def test_a_head_that_looks_at_the_same_word_gains_what_it_gives():
    item = pair([5, 6], [6, 5])
    weights = np.zeros((7, 7))
    for first, second in ((1, 5), (2, 4)):
        weights[first, second] = weights[second, first] = 1
    found = of_one_head(item, weights)
    assert [found[name] for name in NAMES] == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("turned", [False, True])
def test_a_head_that_looks_one_way_gains_half(turned):
    weights = np.zeros((7, 7))
    weights[1, 5] = weights[2, 4] = 1
    assert of_one_head(pair([5, 6], [6, 5]), weights.T if turned else weights)["gain"] == 0.5


def test_looking_at_the_same_word_of_its_own_segment_gains_nothing():
    item = pair([5, 6, 5], [5, 7])
    weights = np.zeros((8, 8))
    weights[1, 3] = weights[3, 1] = 1
    assert (of_one_head(item, weights)[["same", "gain"]] == 0).all()


@pytest.mark.parametrize("of_key", [True, False])
def test_a_preference_for_types_is_no_matching(of_key):
    """Shared and frequent words get more, or give more, whatever stands on the other side."""
    item = ITEMS[0]
    favour = np.array([{5: 0.5, 6: 0.2, 7: 0.1}.get(token, 0.01) for token in item.input_ids])
    weights = np.tile(favour, (len(item), 1))
    found = of_one_head(item, weights if of_key else weights.T)
    assert abs(found["matched.gain"]) < ROUNDING
    assert (found["gain"] > 0.05) == of_key


def test_uniform_attention_gains_nothing():
    item = ITEMS[0]
    found = of_one_head(item, np.full((len(item), len(item)), 1 / len(item)))
    np.testing.assert_allclose(found[["gain", "matched.gain"]], 0, atol=ROUNDING)
    np.testing.assert_allclose(found[["same", "other", "matched"]], 1 / len(item), ROUNDING)


def test_documents_without_a_shared_word_are_left_out_and_parts_are_averaged():
    items = [pair([5, 6], [6, 5], "a", 1), pair([5, 9], [5, 6], "a", 2), pair([5], [7], "b"), pair([8, 9], [9, 8], "c")]
    maps = [random_maps(item, number) for number, item in enumerate(items)]
    _, table = tables_of(items, maps)
    assert set(table.loc[table["name"] == "gain", "n"]) == {2}
    rows = [[slow(item, w[1, 2].astype(float))[2] for item, w in zip(items, maps, strict=True)][at] for at in (0, 1, 3)]
    found = table.set_index(["name", "layer", "head"]).loc[("gain", 2, 3), "value"]
    np.testing.assert_allclose(found, ((rows[0] + rows[1]) / 2 + rows[2]) / 2, ROUNDING)


def test_the_best_head_is_chosen_on_one_half_and_reported_on_the_other():
    names = [f"d{number:02}" for number in range(20)]
    shown = reported(names, SEED)
    assert 2 < shown.sum() < 18
    items = [pair([5, 6], [6, 5], name) for name in names]
    maps = []
    for at, report in enumerate(shown):
        weights = np.zeros((1, 2, 7, 7), np.float32)
        weights[0, 1 if report else 0, 1, 5] = 0.5  # head 2 is best where numbers are reported
        weights[0, 0, 5, 1] = 0.01 * at
        maps.append(weights)
    facts, head_facts = tables_of(items, maps)
    expected = bootstrap(np.array([0.01 * at / 4 for at in np.flatnonzero(shown)]), SEED)
    best = facts.set_index("name").loc["best.gain"]
    np.testing.assert_allclose(best[["value", "low", "high", "n"]].astype(float), expected, rtol=1e-5)
    assert best["layer"] == 0
    place = facts.set_index("name").loc[["best.gain.layer", "best.gain.head"]]
    assert place["value"].tolist() == [1, 1]
    assert set(place["n"]) == {best["n"]}
    same = head_facts.set_index(["name", "head"]).loc["same"]["value"]
    assert same[2] > same[1] - 0.01 * 19 / 4


def test_no_best_head_without_two_halves():
    facts, head_facts = tables_of(ITEMS[:1], [random_maps(ITEMS[0], 0)])
    assert facts.empty
    assert len(head_facts)


def test_the_order_of_inputs_changes_nothing_and_columns_are_those_of_the_store():
    items = [pair([5, 6, number], [6, 5, number], f"d{number}") for number in range(8, 20)]
    maps = [random_maps(item, number) for number, item in enumerate(items)]
    for table, turned, columns in zip(
        tables_of(items, maps), tables_of(items[::-1], maps[::-1]), (FACTS.names, HEAD_FACTS.names), strict=True
    ):
        assert list(table.columns) == columns
        assert len(table)
        pd.testing.assert_frame_equal(table, turned, check_exact=True)
