"""The sink that the heads of a layer share, against loops, and heads whose own sinks differ."""

import numpy as np
import pandas as pd
import pytest

from generator.claims.bounds import in_force, parse
from generator.corpora.classes import TokenClass
from generator.numbers.resampling import bootstrap
from generator.results.tables import FACTS
from generator.topics.tokens.compute.sinks import SINK, SinkScores
from tests.attention.observations import shown
from tests.measures.maps import all_to, pair, random_map, uniform

SEED = 4


def tables_of(maps, names=None, parts=None):
    """`maps` are `[layer, head, query, key]`, one for each document unless named."""
    names = names or [f"d{at}" for at in range(len(maps))]
    scores = SinkScores()
    for at, (weights, name) in enumerate(zip(maps, names, strict=True)):
        item = pair(weights.shape[-1])
        item = type(item)(name, parts[at] if parts else 1, item.input_ids, item.segment_ids, item.classes)
        scores.add(shown(item, weights))
    return scores.tables("m", "c", SEED)[0]


def slow(weights, classes):
    """Mass of the shared sink and the class of its token, of one layer `[head, query, key]`."""
    heads, n, _ = weights.shape
    received = [sum(weights[head, query, key] for head in range(heads) for query in range(n)) for key in range(n)]
    place = max(range(n), key=lambda key: received[key])
    return received[place] / (heads * n), classes[place]


def test_every_number_equals_a_loop_over_positions():
    maps = [
        np.array([[random_map(n, 10 * n + 3 * layer + head) for head in range(3)] for layer in range(2)])
        for n in (5, 8, 12, 9)
    ]
    for weights in maps[:3]:
        weights[1, :, :, -1] += 3
        weights[1] /= weights[1].sum(-1, keepdims=True)
    table = tables_of(maps).set_index(["name", "layer"])
    for layer in range(2):
        found = [slow(weights[layer], pair(weights.shape[-1]).classes) for weights in maps]
        columns = {
            "shared": [mass for mass, _ in found],
            "separator": [float(kind == TokenClass.SEPARATOR) for _, kind in found],
            "begin": [float(kind == TokenClass.BEGIN) for _, kind in found],
        }
        for name, values in columns.items():
            row, expected = table.loc[(name, layer + 1)], bootstrap(np.array(values), SEED)
            np.testing.assert_allclose(row[["value", "low", "high"]].to_list(), expected[:3], atol=1e-6)
            assert row["n"] == 4
    assert table.loc[("separator", 2), "value"] >= 0.75


def test_heads_with_sinks_of_their_own_share_none():
    """Two heads with all their weight on one token each: the layer's token gets half of it."""
    n = 9
    apart = np.array([[all_to([3], n), all_to([5], n)], [all_to([3], n), all_to([3], n)]])
    table = tables_of([apart]).set_index(["name", "layer"])["value"]
    assert table["shared", 1] == 0.5
    assert table["shared", 2] == 1


@pytest.mark.parametrize(("mass", "layers"), [(SINK - 0.01, 0), (SINK + 0.01, 1)])
def test_a_layer_has_a_sink_just_above_the_bound(mass, layers):
    n = 21
    end = (mass - 1 / n) / (1 - 1 / n) * all_to([n - 1], n) + (1 - mass) / (1 - 1 / n) * uniform(n)
    table = tables_of([end[None, None]] * 3).set_index("name")
    assert table.loc["shared", "value"] == pytest.approx(mass, abs=1e-6)
    assert table.loc["layers", "value"] == table.loc["layers.separator", "value"] == layers


def test_layers_are_counted_again_in_resampled_documents():
    n = 11
    strong, weak = all_to([n - 1], n), uniform(n)
    begin = all_to([0], n)
    maps = [np.array([[strong], [strong if at else weak], [begin]]) for at in range(3)]
    maps += [np.array([[strong], [weak], [begin]]) for _ in range(3)]
    table = tables_of(maps).set_index("name")
    layers = table.loc["layers"]
    assert (layers["value"], layers["low"], layers["high"]) == (1, pytest.approx(2 / 3), 1)
    assert table.loc["layers.separator", "value"] == pytest.approx(1 / 3), "uniform maps have it on the begin token"
    assert (layers["layer"], layers["n"]) == (0, 6)


def test_parts_of_a_document_count_once_and_order_changes_nothing():
    n = 9
    maps = [np.array([[all_to([n - 1], n)]]), np.array([[all_to([0], n)]]), np.array([[all_to([n - 1], n)]])]
    one = tables_of(maps, ["a", "a", "b"], [1, 2, 1])
    other = tables_of(maps[::-1], ["b", "a", "a"], [1, 2, 1])
    assert list(one.columns) == FACTS.names
    pd.testing.assert_frame_equal(one, other)
    row = one.set_index("name").loc["separator"]
    assert (row["value"], row["n"]) == (0.75, 2)


def test_the_study_counts_by_the_registered_bound():
    (bound,) = parse(in_force("R06.2").text)
    assert bound.at == SINK
