"""Separators in other places: every number against loops, and models that look for place or token."""

import math

import numpy as np
import pandas as pd
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.results.tables import FACTS
from generator.topics.inputs.compute.changed import draws, dropped, moved, repeated, swapped
from generator.topics.inputs.compute.separators import place_facts
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS, loaded, write
from tests.topics.inputs.compute.asked import separator_facts, single_and_pair_facts
from tests.topics.inputs.compute.pairs import BEGIN, COMMA, PERIOD, ROUNDING, SEED, SEPARATOR, inputs
from tests.topics.inputs.compute.pairs import pair as pair_of_texts


def slow_received(encoder, anatomy, item):
    """`[layer][token]` by loops."""
    (seen,) = observe(encoder, anatomy, [item], Options(keep_weights=True))
    rows = [at for at, kind in enumerate(item.classes) if kind >= TokenClass.PUNCTUATION]
    return [
        [
            math.fsum(float(seen.weights[layer, head, i, j]) for head in range(HEADS) for i in rows) / HEADS / len(rows)
            for j in range(len(item))
        ]
        for layer in range(LAYERS)
    ]


def slow_numbers(encoder, anatomy, item):
    """`[name]` -> `[layer]` of one document whose every change is possible."""
    changed = {"base": item}
    for change in (moved, repeated, dropped, swapped):
        changed[change.__name__] = change(item, draws(item, change.__name__, SEED))
    got = {name: slow_received(encoder, anatomy, one) for name, one in changed.items()}
    places = {
        name: {kind: [at for at, token in enumerate(one.input_ids) if token in of] for kind, of in KINDS.items()}
        for name, one in changed.items()
    }
    found = {}
    for name in changed:
        for kind in KINDS:
            mass = [sum(got[name][x][at] for at in places[name][kind]) for x in range(LAYERS)]
            found[f"{name}.{kind}"] = mass if name == "base" else np.subtract(mass, found[f"base.{kind}"]).tolist()
    one_layer = {}
    for x in range(LAYERS):
        base, last = got["base"][x], len(item) - 1
        first, *_ = places["base"]["separator"]
        put = places["repeated"]["separator"][-3:-1]
        now = places["swapped"]["separator"][-1]
        row = {
            "base.last": base[last],
            "base.uniform": 1 / len(item),
            "base.lead": base[last] - base[first],
            "moved.place": got["moved"][x][last] - base[last - 1],
            "dropped.place": got["dropped"][x][last - 2] - base[last - 1],
            "repeated.lead": got["repeated"][x][last] - sum(got["repeated"][x][at] for at in put) / 2,
            "swapped.lead": got["swapped"][x][last] - got["swapped"][x][now],
        }
        row["dropped.lead"] = found["dropped.begin"][x] + row["dropped.place"] - found["dropped.punctuation"][x]
        parts = {
            "moved.kept": (got["moved"][x][places["moved"]["separator"][-1]], base[last]),
            "repeated.share": (got["repeated"][x][last], sum(got["repeated"][x][at] for at in (*put, last))),
        }
        for name, value in (row | parts).items():
            one_layer.setdefault(name, []).append(value)
    return found | one_layer


KINDS = {"separator": (SEPARATOR,), "punctuation": (PERIOD, COMMA), "begin": (BEGIN,)}


def test_every_number_equals_a_loop(encoder, anatomy):
    items = inputs(3)[1:]
    (table,) = separator_facts(encoder("bert"), anatomy("bert"), "c", items, SEED)
    each = [slow_numbers(encoder("bert"), anatomy("bert"), item) for item in items]
    assert set(table["name"]) == set(each[0])
    assert list(table.columns) == FACTS.names
    value = table.set_index(["name", "layer"])["value"]
    for name in each[0]:
        rows = np.array([one[name] for one in each])
        if rows.ndim == 3:  # part and whole
            part, whole = rows.sum(0).T
            expected = [part.sum() / whole.sum(), *(part / whole)]
        else:
            expected = [rows.mean(), *rows.mean(0)]
        np.testing.assert_allclose(value[name], expected, rtol=ROUNDING, atol=1e-7, err_msg=name)


def slow_heaviest(encoder, anatomy, item):
    """`[layer]`: the weight on each head's heaviest separator, mean over queries and heads."""
    (seen,) = observe(encoder, anatomy, [item], Options(keep_weights=True))
    ends = [at for at, token in enumerate(item.input_ids) if token == SEPARATOR]
    return [
        sum(max(float(seen.weights[layer, head, :, at].mean(dtype=float)) for at in ends) for head in range(HEADS))
        / HEADS
        for layer in range(LAYERS)
    ]


def test_a_pair_is_compared_with_the_same_text_as_one_segment(encoder, anatomy):
    """By hand: the first separator is left out, and all segment ids are 0."""
    items = inputs(3)
    (table,) = single_and_pair_facts(encoder("bert"), anatomy("bert"), "c", items, SEED)
    rows = []
    for item in items:
        middle = item.input_ids.index(SEPARATOR)
        left = [at for at in range(len(item)) if at != middle]
        ids, classes = (tuple(of[at] for at in left) for of in (item.input_ids, item.classes))
        single = Input(item.document, item.part, ids, (0,) * len(ids), classes)
        rows.append([slow_heaviest(encoder("bert"), anatomy("bert"), one) for one in (single, item)])
    single, pair = np.mean(rows, axis=0)
    value = table.set_index(["name", "layer"])["value"]
    for name, expected in {"single.larger": single, "pair.larger": pair, "single.gain": single - pair}.items():
        np.testing.assert_allclose(value[name], [expected.mean(), *expected], rtol=ROUNDING, atol=1e-7)
    alone = [pair_of_texts(range(20, 34), [])]
    assert single_and_pair_facts(encoder("bert"), anatomy("bert"), "c", alone, SEED) == []


def looking_for(tmp_path, token=None, position=None):
    """A BERT of one layer, all of whose rows attend to one token, or to one position."""
    found = loaded(write("bert", tmp_path, num_hidden_layers=1))
    tables, reads = found.model.embeddings, found.model.encoder.layer[0].attention.self
    with torch.no_grad():
        for table in (tables.word_embeddings, tables.position_embeddings, tables.token_type_embeddings):
            table.weight[:, 0] = 0
        tables.LayerNorm.weight.fill_(1)
        tables.LayerNorm.bias.zero_()
        (tables.word_embeddings.weight if position is None else tables.position_embeddings.weight)[
            token if position is None else position, 0
        ] = 50
        for part in (reads.query, reads.key):
            part.weight.zero_()
            part.bias.zero_()
        for first in range(0, 32, 8):
            reads.query.bias[first] = 20
            reads.key.weight[first, 0] = 1
    return found


def test_a_model_that_looks_for_the_token(tmp_path):
    encoder = looking_for(tmp_path, token=SEPARATOR)
    (table,) = separator_facts(encoder, examine(encoder), "c", inputs(), SEED)
    value = table[table["layer"] == 1].set_index("name")["value"]
    expected = {"base.separator": 1, "base.last": 1 / 2, "base.lead": 0, "moved.kept": 1, "moved.place": 0}
    expected |= {"repeated.share": 1 / 3, "repeated.lead": 0, "swapped.lead": -1 / 2, "swapped.separator": 0}
    np.testing.assert_allclose(value[list(expected)], list(expected.values()), atol=0.01)
    assert table.set_index(["name", "layer"]).loc[("swapped.lead", 1), "n"] == 4


def test_a_model_that_looks_for_the_place(tmp_path):
    items = inputs()
    encoder = looking_for(tmp_path, position=len(items[0]) - 1)
    (table,) = separator_facts(encoder, examine(encoder), "c", items, SEED)
    value = table[table["layer"] == 1].set_index("name")["value"]
    expected = {"base.separator": 1, "base.last": 1, "base.lead": 1, "moved.kept": 0, "moved.place": 1}
    expected |= {"repeated.share": 1, "repeated.lead": 1, "swapped.lead": 1, "swapped.separator": -1}
    np.testing.assert_allclose(value[list(expected)], list(expected.values()), atol=1e-4)


def test_the_order_of_inputs_changes_nothing(encoder, anatomy):
    (one,), (other,) = (
        separator_facts(encoder("bert"), anatomy("bert"), "c", items, SEED) for items in (inputs(), inputs()[::-1])
    )
    pd.testing.assert_frame_equal(one, other, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("family", ["roberta", "t5", "mpnet"])
def test_other_families(encoder, anatomy, family):
    """Two separators in the middle, no begin token, attention of its own."""
    (table,) = separator_facts(encoder(family), anatomy(family), "c", inputs_of(encoder(family)), SEED)
    assert ("base.begin" in set(table["name"])) == (family != "t5")
    assert table["value"].notna().all()


def test_nothing_without_separators(encoder, anatomy):
    item = Input("made", 1, tuple(range(20, 34)), (0,) * 14, (TokenClass.OTHER,) * 14)
    assert separator_facts(encoder("bert"), anatomy("bert"), "c", [item], SEED) == []


def roles(received, deviation, count, layers=2):
    each = pd.DataFrame({"received": received, "position_deviation": deviation, "count": count})
    each = each.assign(token=[f"t{at:02}" for at in range(len(each))], rank=range(len(each)))
    return pd.concat([each.assign(layer=layer) for layer in range(1, layers + 1)], ignore_index=True)


def test_correlation_with_place_holds_frequency_fixed():
    draw = np.random.default_rng(0)
    received, deviation, count = draw.random((3, 25))
    found = place_facts(roles(received, deviation, count), "m", "c", SEED)
    assert list(found["layer"]) == [1, 2]
    ranks = pd.DataFrame({"r": received, "d": deviation, "c": count}).rank()
    line = np.column_stack([np.ones(25), ranks["c"]])
    left = {name: ranks[name] - line @ np.linalg.lstsq(line, ranks[name], rcond=None)[0] for name in "rd"}
    np.testing.assert_allclose(found["value"], np.corrcoef(left["r"], left["d"])[0, 1], rtol=1e-9)
    assert ((found["low"] < found["value"]) & (found["value"] < found["high"])).all()


def test_types_in_a_fixed_place_that_receive_most_give_minus_one():
    deviation = np.arange(12.0)
    found = place_facts(roles(-deviation, deviation, np.array([3, 1, 2] * 4)), "m", "c", SEED)
    np.testing.assert_allclose(found[["value", "low", "high"]], -1, atol=1e-9)
    assert place_facts(roles([1.0], [2.0], [3]), "m", "c", SEED).empty
