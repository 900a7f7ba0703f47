"""What the mask token looks at: every number against loops over whole maps."""

import numpy as np
import pandas as pd
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.attention.sums import rows as row_sums
from generator.corpora.classes import ADDED, TokenClass
from generator.corpora.pairs import Input
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.results.tables import FACTS
from generator.topics.inputs.compute.manipulations import SHARES, masked
from generator.topics.inputs.compute.mask_rows import looked_at
from generator.topics.inputs.compute.occlusion import NEAR, NO_PART, parts
from generator.topics.inputs.records.mask_rows import PLACES
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import inputs_of
from tests.encoders import LAYERS
from tests.topics.inputs.compute.asked import mask_row_facts

SEED = 3


@pytest.fixture(scope="module")
def masked_lm(tmp_path_factory):
    """A tiny BERT with its head."""
    folder = write_masked_lm("bert", tmp_path_factory.mktemp("head") / "bert")
    return load_masked_lm(locate(str(folder)), torch.device("cpu"))


@pytest.fixture(scope="module")
def inputs(masked_lm):
    """Documents of different length, one of them in parts."""
    return inputs_of(masked_lm.encoder)[1:]


@pytest.fixture(scope="module")
def found(masked_lm, inputs):
    (table,) = mask_row_facts(masked_lm, examine(masked_lm.encoder), "c", inputs, SEED)
    assert list(table.columns) == FACTS.names
    return table


def place(item, number, row, key):
    """Every place at which a key stands, as a row sees it."""
    if row == key:
        return ["self"]
    if item.classes[key] in ADDED:
        return ["special"]
    away = abs(row - key)
    found = [f"distance.{1 if away == 1 else 2 if away < 5 else 5 if away < 10 else 10}"]
    if number[key] != NO_PART:
        found.append("part" if number[key] == number[row] else "other")
    return found


def pairs(item, number, row):
    """The token of the same part and that of another, at each distance at which they lie on either side."""
    for away in range(1, NEAR + 1):
        sides = [at for at in (row - away, row + away) if 0 <= at < len(item) and number[at] != NO_PART]
        own = [at for at in sides if number[at] == number[row]]
        if len(sides) == 2 and len(own) == 1:
            yield own[0], sides[1 - sides.index(own[0])]


@pytest.fixture(scope="module")
def slow(masked_lm, inputs):
    """`[condition, document, layer]` of every place, and of both tokens of pairs; over heads and rows by loops."""
    encoder = masked_lm.encoder
    texts = {token: encoder.tokenizer.decode([token]).strip() for token in range(len(encoder.tokenizer))}
    documents = [item for item in inputs if item.part == 1]
    found = {name: np.zeros((2, len(documents), LAYERS)) for name in (*PLACES, "same", "across")}
    anatomy = examine(encoder)
    for at, item in enumerate(documents):
        hidden = masked(item, masked_lm.mask, SHARES["masks.15"], SEED)
        number = parts(item, texts)
        rows = [i for i in range(len(item)) if hidden.input_ids[i] != item.input_ids[i] and number[i] != NO_PART]
        for condition, read in enumerate((hidden, item)):
            (seen,) = observe(encoder, anatomy, [read], Options(keep_weights=True))
            weights = seen.weights.mean(1)
            for row in rows:
                for key in range(len(item)):
                    for name in place(item, number, row, key):
                        found[name][condition, at] += weights[:, row, key] / len(rows)
                for own, other in pairs(item, number, row):
                    found["same"][condition, at] += weights[:, row, own]
                    found["across"][condition, at] += weights[:, row, other]
    return found


def value(table, name):
    return table[table["name"] == name].sort_values("layer")["value"].to_numpy()


def test_every_share_of_a_row_equals_a_loop(found, slow):
    for condition, row in enumerate(("mask", "word")):
        for name in PLACES:
            np.testing.assert_allclose(value(found, f"{row}.{name}"), slow[name][condition].mean(0), atol=1e-6)
        same, across = (slow[name][condition].sum(0) for name in ("same", "across"))
        np.testing.assert_allclose(value(found, f"{row}.same"), same / (same + across), rtol=1e-5)
        whole = ("self", "special", "distance.1", "distance.2", "distance.5", "distance.10")
        np.testing.assert_allclose(sum(value(found, f"{row}.{name}") for name in whole), 1, atol=1e-5)
    assert np.abs(slow["self"][0] - slow["self"][1]).max() > 1e-3


def test_differences_are_those_of_the_last_layers_and_the_middle_ones(found, slow):
    """Of three layers two are middle and the third is last."""
    near = slow["distance.1"] + slow["distance.2"]
    *middle, last = (near[0] - near[1]).mean(0)
    assert value(found, "deep.near") == pytest.approx(last, abs=1e-6)
    assert value(found, "deep.lead") == pytest.approx(last - sum(middle) / 2, abs=1e-6)
    of_mask, of_word = (
        slow["same"][at][:, 2].sum() / (slow["same"][at] + slow["across"][at])[:, 2].sum() for at in (0, 1)
    )
    assert value(found, "deep.part") == pytest.approx(of_mask - of_word, abs=1e-6)
    documents = found[found["name"].isin(["deep.near", "mask.self"])]
    assert set(documents["n"]) == {slow["self"].shape[1]}
    assert (found["low"] <= found["value"]).all()
    assert (found["value"] <= found["high"]).all()


def test_blocks_of_queries_and_the_order_of_inputs_change_nothing(masked_lm, inputs, found, monkeypatch):
    anatomy = examine(masked_lm.encoder)
    (turned,) = mask_row_facts(masked_lm, anatomy, "c", inputs[::-1], SEED)
    pd.testing.assert_frame_equal(turned, found, rtol=1e-6)
    monkeypatch.setattr(row_sums, "TILE_ABOVE", 6)
    monkeypatch.setattr(row_sums, "BLOCK", 5)
    (blocks,) = mask_row_facts(masked_lm, anatomy, "c", inputs, SEED)
    pd.testing.assert_frame_equal(blocks, found, rtol=1e-5)


def test_places_by_hand():
    """[CLS] a b , c [SEP]: from b, whose part is "a b"; c is as far away as nothing on the other side."""
    kinds = ["BEGIN", "OTHER", "OTHER", "PUNCTUATION", "OTHER", "SEPARATOR"]
    item = Input("d", 1, (0, 1, 2, 3, 4, 5), (0,) * 6, tuple(TokenClass[kind] for kind in kinds))
    number = np.array([NO_PART, 1, 1, NO_PART, 2, NO_PART])
    (row,) = looked_at(item, [2], number)
    names = [*PLACES, "same", "across"]
    there = [{name for name, one in zip(names, key, strict=True) if one} for key in row]
    assert there == [
        {"special"},
        {"distance.1", "part"},
        {"self"},
        {"distance.1"},
        {"distance.2", "other"},
        {"special"},
    ]
    near = Input("d", 1, (0, 1, 2, 4, 5), (0,) * 5, tuple(TokenClass[kind] for kind in kinds[:3] + kinds[4:]))
    (row,) = looked_at(near, [2], np.array([NO_PART, 1, 1, 2, NO_PART]))
    assert [[int(one) for one in key[-2:]] for key in row] == [[0, 0], [1, 0], [0, 0], [0, 1], [0, 0]]


def test_without_words_there_is_no_table(masked_lm, inputs):
    marks = [
        Input(
            item.document,
            item.part,
            item.input_ids[:1] + item.input_ids[-1:],
            (0, 0),
            item.classes[:1] + item.classes[-1:],
        )
        for item in inputs
    ]
    assert mask_row_facts(masked_lm, examine(masked_lm.encoder), "c", marks, SEED) == []
