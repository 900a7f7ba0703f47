"""The table of roles against slow loops, and on maps in which the roles are drawn."""

import math

import numpy as np
import pandas as pd
import pytest

from generator.attention.stream import Options, observe
from generator.corpora.pairs import Document, PairMaker
from generator.topics.tokens.compute.neighbours import describe, equal_samples, frequent_types
from generator.topics.tokens.compute.roles import COLUMNS, RoleCounts
from generator.topics.tokens.derived.rules import WHOLE_MODEL, classify, classify_model
from generator.topics.tokens.records.tokens import SAMPLE
from tests.attention.observations import shown
from tests.encoders import SENTENCES
from tests.measures.maps import random_map
from tests.topics.tokens.compute.test_neighbours import corpus, entropy

LAYERS, HEADS = 2, 3
ROUNDING = 1e-5
MEASURED = ["received", "breadth", "attended_by_entropy", "attends_to_entropy"]
INPUTS = corpus()
BEGIN, SEPARATOR, PERIOD = "0", "1", "2"


def texts(ids):
    return [str(token) for token in ids]


def maps_of(inputs, layers=LAYERS, heads=HEADS):
    """Random maps, `[layer, head, query, key]`."""
    seeds = np.arange(len(inputs) * layers * heads).reshape(len(inputs), layers, heads)
    return [
        np.array([[random_map(len(item), seed) for seed in row] for row in rows], np.float32)
        for item, rows in zip(inputs, seeds, strict=True)
    ]


def table_of(inputs, maps, seed=0):
    counts = RoleCounts(inputs, seed)
    for item, weights in zip(inputs, maps, strict=True):
        counts.add(shown(item, weights))
    return counts.table("model", "corpus", texts)


@pytest.fixture(scope="module")
def maps():
    return maps_of(INPUTS)


def test_every_number_of_the_table_equals_a_slow_loop(maps):
    table = table_of(INPUTS, maps).set_index(["token", "layer"])
    samples = equal_samples(INPUTS, frequent_types(INPUTS), seed=0)
    assert len(samples) > 4
    for token in (0, 1, 2, 5, 20):
        for layer in range(LAYERS):
            received, breadth, by, to = [], [], {}, {}
            for item, weights in zip(INPUTS, maps, strict=True):
                mean = weights[layer].astype(float).mean(0)
                for at in (at for at, other in enumerate(item.input_ids) if other == token):
                    received.append(math.fsum(mean[:, at]))
                    rows = [entropy(weights[layer, head, at].astype(float).tolist()) for head in range(HEADS)]
                    breadth.append(math.fsum(rows) / HEADS / math.log(len(item)))
                    if (item.document, item.part, at) in samples.get(token, []):
                        for place, other in enumerate(item.input_ids):
                            by[other] = by.get(other, 0) + mean[place, at]
                            to[other] = to.get(other, 0) + mean[at, place]
            expected = [np.mean(received), np.mean(breadth), *(entropy(v.values()) if v else np.nan for v in (by, to))]
            np.testing.assert_allclose(table.loc[(str(token), layer + 1), MEASURED].astype(float), expected, ROUNDING)


def test_the_table_has_its_columns_and_repeats_what_belongs_to_the_corpus(maps):
    table = table_of(INPUTS, maps)
    types = frequent_types(INPUTS)
    assert tuple(table.columns) == COLUMNS
    assert len(table) == len(types) * LAYERS
    assert set(table["model"]) == {"model"}
    facts = {str(fact.token): fact for fact in describe(INPUTS, types)}
    for row in table.to_dict("records"):
        for name in COLUMNS[4:10]:
            np.testing.assert_equal(row[name], getattr(facts[row["token"]], name))


def test_uniform_attention_gives_every_type_one_and_full_breadth():
    maps = [np.full((1, 2, len(item), len(item)), 1 / len(item), np.float32) for item in INPUTS]
    table = table_of(INPUTS, maps)
    np.testing.assert_allclose(table[["received", "breadth"]], 1, ROUNDING)
    np.testing.assert_allclose(table["attended_by_entropy"], table["attends_to_entropy"], ROUNDING)


def test_what_all_types_receive_together_is_one_per_token(maps):
    """Every type of this corpus is followed, so nothing is left out."""
    table = table_of(INPUTS, maps)
    for _, rows in table.groupby("layer"):
        assert (rows["received"] * rows["count"]).sum() == pytest.approx(sum(map(len, INPUTS)), rel=1e-6)


def test_a_transposed_map_swaps_who_attends_with_who_is_attended_to(maps):
    table = table_of(INPUTS, maps)
    turned = table_of(INPUTS, [np.ascontiguousarray(weights.swapaxes(-1, -2)) for weights in maps])
    np.testing.assert_allclose(turned["attended_by_entropy"], table["attends_to_entropy"], ROUNDING)
    assert (turned["received"] - 1).abs().max() < ROUNDING
    assert (table["received"] - 1).abs().max() > 0.05


def test_layers_are_told_from_heads(maps):
    first = table_of(INPUTS, [weights[:1] for weights in maps])
    whole = table_of(INPUTS, maps)
    pd.testing.assert_frame_equal(first, whole[whole["layer"] == 1].reset_index(drop=True))


def test_neither_the_order_of_inputs_nor_that_of_their_maps_changes_a_bit(maps):
    order = np.random.default_rng(1).permutation(len(INPUTS))
    shuffled = table_of([INPUTS[at] for at in order], [maps[at] for at in order])
    pd.testing.assert_frame_equal(shuffled, table_of(INPUTS, maps), check_exact=True)


def test_maps_are_left_as_they_are(maps):
    before = maps[0].copy()
    RoleCounts(INPUTS).add(shown(INPUTS[0], maps[0]))
    np.testing.assert_array_equal(maps[0], before)


def test_a_type_with_fewer_occurrences_than_the_sample_has_no_entropies(maps):
    table = table_of(INPUTS, maps)
    rare = table["count"] < SAMPLE
    assert rare.any()
    assert table.loc[rare, MEASURED[2:]].isna().all(axis=None)
    assert table.loc[~rare, MEASURED].notna().all(axis=None)


def test_an_input_counts_once_and_none_may_be_missing(maps):
    counts = RoleCounts(INPUTS)
    counts.add(shown(INPUTS[0], maps[0]))
    with pytest.raises(KeyError):
        counts.add(shown(INPUTS[0], maps[0]))
    with pytest.raises(AssertionError, match="every input"):
        counts.table("model", "corpus", texts)


def drawn(item):
    """Half of every token's attention stays with it. Layer 1: the rest goes to [CLS], which itself looks everywhere;
    layer 2: to both separators; layer 3: to the periods."""
    n, ids = len(item), np.array(item.input_ids)
    layers = []
    for target in (0, 1, 2):
        to = (ids == target).astype(float)
        weights = 0.5 * np.eye(n) + 0.5 * (to / to.sum() if to.any() else np.eye(n)[0])
        if target == 0:
            weights[0] = 1 / n
        layers.append([weights])
    return np.array(layers, np.float32)


def test_drawn_roles_are_found_in_the_layer_in_which_they_are_drawn():
    table = table_of(INPUTS, [drawn(item) for item in INPUTS])
    named = {(role.token, role.layer): role for role in classify(table) if role.name not in ("none", "insider")}
    assert {place: role.name for place, role in named.items()} == {
        (BEGIN, 1): "hunter",
        (SEPARATOR, 2): "separator",
        (PERIOD, 3): "loner",
    }
    assert named[BEGIN, 1].reason.startswith("In layer 1 many kinds of token attend to it (entropy ")
    assert "its place is fixed" in named[SEPARATOR, 2].reason
    assert " tokens." in named[PERIOD, 3].reason
    whole = {role.token: role for role in classify_model(table)}
    assert whole[SEPARATOR].name == "separator"
    assert whole[SEPARATOR].layer == WHOLE_MODEL
    assert whole[SEPARATOR].reason.startswith("Over all layers ")


def test_the_roles_of_transposed_maps_are_others():
    table = table_of(INPUTS, [np.ascontiguousarray(drawn(item).swapaxes(-1, -2)) for item in INPUTS])
    found = {(role.token, role.layer): role.name for role in classify(table)}
    assert found[SEPARATOR, 2] != "separator"
    assert found[PERIOD, 3] != "loner"


def test_an_encoder_is_read_with_the_pieces_of_its_tokenizer(encoder, anatomy):
    bert = encoder("bert")
    maker = PairMaker(bert.tokenizer, 32)
    documents = [Document(f"d{at}", (SENTENCES[at % 10], SENTENCES[(at + 1) % 10])) for at in range(10)]
    inputs = [item for document in documents for item in maker.inputs(document)]
    counts = RoleCounts(inputs)
    for seen in observe(bert, anatomy("bert"), inputs, Options(observers=(counts.observer,))):
        counts.add(seen)
    table = counts.table(bert.id, "sentences", bert.tokenizer.convert_ids_to_tokens)
    assert {"[CLS]", "[SEP]", ".", ","} <= set(table["token"])
    assert (table.loc[table["token"] == "[SEP]", "end_deviation"] == 0).all()
    assert table["breadth"].between(0, 1).all()
