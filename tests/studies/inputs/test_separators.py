"""Separators in other places: what is changed, every number against loops, and models that look for place or token."""

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
from generator.studies.inputs.changed import (
    draws,
    dropped,
    last_stretch,
    moved,
    one_each,
    repeated,
    swapped,
    without_last_marks,
)
from generator.studies.inputs.separators import place_facts, separator_facts
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS, loaded, write

PAD, UNKNOWN, BEGIN, SEPARATOR, MASK = range(5)
PERIOD, COMMA = 6, 7
CLASS = {BEGIN: TokenClass.BEGIN, SEPARATOR: TokenClass.SEPARATOR}
CLASS |= {PERIOD: TokenClass.PUNCTUATION, COMMA: TokenClass.PUNCTUATION}
SEED, ROUNDING = 1, 1e-5


def pair(first, second, document="made", part=1):
    """[CLS] first [SEP] second [SEP]; without a second text a single one."""
    ids = (BEGIN, *first, SEPARATOR, *second, *([SEPARATOR] if second else []))
    segments = (0,) * (len(first) + 2) + (1,) * (len(second) + 1 if second else 0)
    return Input(document, part, ids, segments, tuple(CLASS.get(token, TokenClass.OTHER) for token in ids))


def inputs(count=5, marks=True):
    """Pairs of one length; the first document has no mark in the first half of its second text."""
    found = []
    for number in range(count):
        words = np.random.default_rng(number).integers(20, 35, 24)
        if marks:
            words[[3, 20]] = COMMA, PERIOD
            if number:
                words[[11, 13]] = PERIOD, COMMA
        found.append(pair(words[:10].tolist(), words[10:].tolist(), f"d{number}"))
    return found


def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("item", [*inputs(3), pair([20, 21, COMMA, 22, 23, 24, PERIOD, 25, 26, 27], [])])
def test_what_is_changed(item):
    end, stretch = len(item) - 1, last_stretch(item).tolist()
    assert stretch == list(range(12 if len(item) > 12 else 1, end))
    half = stretch[: len(stretch) // 2]

    one = moved(item, rng())
    place = max(at for at, token in enumerate(one.input_ids) if token == SEPARATOR)
    assert place in half[1:]
    assert (*one.input_ids[:place], *one.input_ids[place + 1 :]) == item.input_ids[:-1]
    assert (one.segment_ids, one.classes[place]) == (item.segment_ids, TokenClass.SEPARATOR)

    one = repeated(item, rng())
    different = [at for at in range(len(item)) if one.input_ids[at] != item.input_ids[at]]
    assert len(different) == 2
    assert all(at in half and item.classes[at] is TokenClass.OTHER for at in different)
    assert {(one.input_ids[at], one.classes[at]) for at in different} == {(SEPARATOR, TokenClass.SEPARATOR)}
    assert one.segment_ids == item.segment_ids

    one = dropped(item, rng())
    assert one.input_ids == tuple(token for token in item.input_ids if token != SEPARATOR)

    one, marks = swapped(item, rng()), [at for at in half if item.input_ids[at] in (PERIOD, COMMA)]
    if not marks:
        assert one is None
        return
    (mark,) = (at for at in half if one.input_ids[at] == SEPARATOR)
    assert mark in marks
    assert (one.input_ids[-1], one.classes[-1]) == (item.input_ids[mark], TokenClass.PUNCTUATION)
    assert one.classes[mark] is TokenClass.SEPARATOR
    kept = [at for at in range(end) if at != mark]
    assert [one.input_ids[at] for at in kept] == [item.input_ids[at] for at in kept]


def test_marks_before_the_last_separator_are_left_out():
    words = list(range(20, 28))
    item = pair([30, PERIOD], [*words, COMMA, PERIOD])
    assert without_last_marks(item) == pair([30, PERIOD], words)
    assert without_last_marks(pair([30, PERIOD], words)) == pair([30, PERIOD], words)
    assert without_last_marks(pair(words, words[1:])) is None
    bare = Input("made", 1, tuple(words), (0,) * 8, (TokenClass.OTHER,) * 8)
    assert without_last_marks(bare) is None


def test_draws_belong_to_the_input():
    one, other = pair([20], [21], "a"), pair([20], [21], "b")
    first = draws(one, "moved", 0).random()
    assert first == draws(one, "moved", 0).random()
    assert (
        len({first, *(draws(*of).random() for of in ((other, "moved", 0), (one, "swapped", 0), (one, "moved", 1)))})
        == 4
    )


def test_a_sample_holds_first_parts_of_drawn_documents():
    items = [pair([20], [21], f"d{number}", part) for part in (2, 1) for number in range(9)]
    found = one_each(items, 4, SEED)
    assert len({item.document for item in found}) == 4
    assert {item.part for item in found} == {1}
    assert one_each(items[::-1], 4, SEED) == found
    assert one_each(items, 20, SEED)[:4] == found


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
