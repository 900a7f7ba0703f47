"""Maxima of rows against loops, and heads that look at one place."""

import numpy as np
import pandas as pd
import pytest

from generator.attention.sums.primitives import REACH
from generator.corpora.classes import TokenClass
from generator.results.tables import FACTS, HEAD_FACTS
from generator.topics.tokens.compute.maxima import MaximaScores, first_largest
from tests.attention.observations import shown
from tests.measures.maps import all_to, next_token, pair, previous_token, random_map, uniform

ROUNDING = 1e-6
SEED = 2


def tables_of(maps, names=None, parts=None):
    """`maps` are `[layer, head, query, key]`, one for each document unless named."""
    names = names or [f"d{at}" for at in range(len(maps))]
    scores = MaximaScores()
    for at, (weights, name) in enumerate(zip(maps, names, strict=True)):
        item = pair(weights.shape[-1])
        item = type(item)(name, parts[at] if parts else 1, item.input_ids, item.segment_ids, item.classes)
        scores.add(shown(item, weights))
    return scores.tables("m", "c", SEED)


def of_one_head(weights):
    _, table = tables_of([np.asarray(weights)[None, None]])
    return table.set_index("name")["value"]


def random_maps(n, seed, layers=2, heads=3):
    return np.array([[random_map(n, 100 * seed + layers * h + x) for h in range(heads)] for x in range(layers)])


def slow(weights):
    """previous, next, shares by offset, confidence of one map; the last row is left out."""
    n = len(weights)
    offsets, largest = [], []
    for i in range(n - 1):
        j = max(range(n), key=lambda key, row=weights[i]: row[key])
        offsets.append(j - i)
        largest.append(weights[i][j])
    shares = {o: offsets.count(o) / (n - 1) for o in range(-REACH, REACH + 1)}
    return shares[-1], shares[1], shares, sum(largest) / (n - 1)


def test_every_number_equals_a_loop_over_rows():
    maps = [random_maps(n, n) for n in (2, 5, 9, 14)]
    _, table = tables_of(maps)
    one = table.set_index(["layer", "head", "name"])["value"]
    for layer in range(2):
        for head in range(3):
            each = [slow(weights[layer, head].astype(np.float32).tolist()) for weights in maps]
            mean = {o: np.mean([found[2][o] for found in each]) for o in each[0][2]}
            commonest = max(mean, key=mean.__getitem__)
            expected = {
                "previous": np.mean([found[0] for found in each]),
                "next": np.mean([found[1] for found in each]),
                "offset": commonest,
                "offset.share": mean[commonest],
                "confidence": np.mean([found[3] for found in each]),
            }
            for name, value in expected.items():
                assert one[layer + 1, head + 1, name] == pytest.approx(value, rel=ROUNDING), name


def test_heads_that_look_at_a_neighbour():
    """The first token has no previous one and looks elsewhere; the last row does not count."""
    n = 11
    found = of_one_head(previous_token(n))
    assert (found["previous"], found["next"], found["offset"]) == ((n - 2) / (n - 1), 0, -1)
    found = of_one_head(next_token(n))
    assert (found["previous"], found["next"], found["offset"], found["offset.share"]) == (0, 1, 1, 1)
    assert found["confidence"] == 1
    last = next_token(n)
    last[-1] = 1 / n
    assert of_one_head(last)["confidence"] == 1


def test_a_head_that_looks_at_one_token_has_no_offset():
    found = of_one_head(all_to([5], 101))
    assert found["offset.share"] == pytest.approx(1 / 100)


def test_confidence_is_the_mean_largest_weight():
    assert of_one_head(uniform(8))["confidence"] == pytest.approx(1 / 8)


def test_positional_heads_are_counted_with_an_interval_over_documents():
    n = 41
    sure, split = next_token(n), next_token(n)
    weak = 0.7 * next_token(n) + 0.3 / n
    split[: n // 2] = previous_token(n)[: n // 2]
    maps = [np.array([[sure, weak], [split, sure if at else uniform(n)]]) for at in range(4)]
    facts, table = tables_of(maps)
    one = facts.set_index("name").loc["positional"]
    means = table.set_index(["name", "layer", "head"])["value"]
    assert means["next", 1, 2] == 1  # not confident
    assert means["previous", 2, 1] + means["next", 2, 1] > 0.9  # neither side alone
    assert means["next", 2, 2] == pytest.approx(0.75, abs=0.01)
    assert (one["value"], one["low"], one["high"], one["n"], one["layer"]) == (1, 1, 2, 4, 0)


def test_a_head_that_rests_on_the_separator_is_positional_among_tokens_of_the_text():
    """In a seventh of the rows most of the weight is on [SEP], and most of what is left on the next token."""
    n = 101
    resting = next_token(n)
    resting[1:50:7] = all_to([n - 1], n)[1:50:7] * 0.8 + 0.2 * next_token(n)[1:50:7]
    resting[51:100:7] = all_to([n - 1], n)[51:100:7] * 0.8 + 0.2 * next_token(n)[51:100:7]
    facts, table = tables_of([np.array([[resting]])])
    assert table.set_index("name").loc["next", "value"] < 0.9
    assert facts.set_index("name").loc["positional", "value"] == 0
    assert facts.set_index("name").loc["positional.text", "value"] == 1


def slow_positional(maps, classes):
    """Heads of one layer that are positional among tokens of the text, by loops over rows."""
    count = 0
    for head in range(maps[0].shape[1]):
        beside, largest = {-1: [], 1: []}, []
        for weights, kinds in zip(maps, classes, strict=True):
            text = [at for at, kind in enumerate(kinds) if kind not in (TokenClass.BEGIN, TokenClass.SEPARATOR)]
            picked = {i: max(text, key=lambda key, row=weights[0, head, i]: row[key]) for i in text}
            for offset, shares in beside.items():
                shares.append(sum(j - i == offset for i, j in picked.items()) / len(text))
            largest.append(sum(weights[0, head, i, j] for i, j in picked.items()) / len(text))
        count += max(np.mean(shares) for shares in beside.values()) >= 0.9 and np.mean(largest) > 0.8
    return count


@pytest.mark.parametrize("share", [0.78, 0.79, 0.8, 0.81, 0.82, 0.83, 0.84, 0.86])
def test_counts_among_tokens_of_the_text_equal_loops_close_to_the_bound(share):
    lengths = (61, 75)
    maps = [np.array([[share * next_token(n) + (1 - share) * random_map(n, n)]]) for n in lengths]
    facts, _ = tables_of(maps)
    expected = slow_positional(maps, [pair(n).classes for n in lengths])
    assert facts.set_index("name").loc["positional.text", "value"] == expected


def test_parts_of_a_document_count_once():
    maps = [np.array([[next_token(9)]]), np.array([[previous_token(9)]]), np.array([[next_token(9)]])]
    _, table = tables_of(maps, ["a", "a", "b"], [1, 2, 1])
    row = table.set_index("name").loc["next"]
    assert (row["value"], row["n"]) == (0.75, 2)


def test_the_order_of_inputs_changes_nothing_and_columns_are_those_of_the_store():
    maps, names = [random_maps(n, n) for n in (7, 8, 9)], ["x", "y", "z"]
    for table, turned, columns in zip(
        tables_of(maps, names), tables_of(maps[::-1], names[::-1]), (FACTS.names, HEAD_FACTS.names), strict=True
    ):
        assert list(table.columns) == columns
        pd.testing.assert_frame_equal(table, turned, check_exact=True)


@pytest.mark.parametrize(
    ("row", "place"), [([0.0, 0.5, 0.5], 1), ([1.0, 0.0, 0.0], 0), ([0.1, 0.2, 0.7], 2), ([0.0, 0.0, 0.0], 0)]
)
def test_of_equal_weights_the_first_is_the_largest(row, place):
    assert first_largest(np.array(row, np.float32).view(np.int32)) == place
