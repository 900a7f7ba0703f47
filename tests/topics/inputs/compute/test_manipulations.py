"""Other segment ids and masked words: every number against loops over single maps, and models that cannot notice."""

import math

import numpy as np
import pandas as pd
import pytest
import torch

from generator.attention.anatomy import examine, forward
from generator.attention.batches import collate
from generator.attention.stream import Options, observe
from generator.attention.sums import rows as row_sums
from generator.corpora.classes import TokenClass
from generator.measures import COLUMNS, compute
from generator.measures.measure import Counts
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.results.tables import FACTS, HEAD_FACTS
from generator.topics.inputs.compute.manipulations import (
    SHARES,
    masked,
    swapped_segments,
    zero_segments,
)
from tests import slow
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS, loaded, write
from tests.measures.maps import text_of
from tests.topics.inputs.compute.asked import manipulation_facts

SEED, ROUNDING = 3, 1e-4
CONDITIONS = ("segments.zero", "segments.swapped", *SHARES)


@pytest.fixture(scope="module")
def masked_lm(tmp_path_factory):
    """A tiny BERT with its head."""
    folder = write_masked_lm("bert", tmp_path_factory.mktemp("head") / "bert")
    return load_masked_lm(locate(str(folder)), torch.device("cpu"))


@pytest.fixture(scope="module")
def inputs(encoder):
    """Five documents of different length, one of them in parts."""
    return inputs_of(encoder("bert"))[1:]


@pytest.fixture(scope="module")
def found(encoder, anatomy, inputs, masked_lm):
    tables = manipulation_facts(encoder("bert"), anatomy("bert"), "c", inputs, SEED, masked_lm)
    return tuple(pd.concat(tables[name], ignore_index=True) for name in ("facts", "head_facts"))


def changed(item, mask):
    """Condition -> input."""
    found = {"segments.zero": zero_segments(item), "segments.swapped": swapped_segments(item)}
    return found | {name: masked(item, mask, share, SEED) for name, share in SHARES.items()}


def slow_divergence(first, second):
    """Of two rows, in nats."""
    total = 0.0
    for p, q in zip(first.astype(float), second.astype(float), strict=True):
        middle = (p + q) / 2
        total += (p * math.log(p / middle) if p else 0) / 2 + (q * math.log(q / middle) if q else 0) / 2
    return total


def slow_measures(seen, base):
    """`[layer, head, column]`, with the classes and segments of the base; norms, which need values, as observed."""
    by_name = slow.columns(seen.weights, text_of(base))
    norms = dict(zip(COLUMNS, np.moveaxis(compute(seen.primitives, Counts.of(base)), -1, 0), strict=True))
    return np.stack([norms[name] if name.startswith("norm.") else by_name[name] for name in by_name], axis=-1)


def mean(rows):
    """Over documents that define the number."""
    defined = ~np.isnan(rows)
    return np.where(defined, rows, 0).sum(0) / defined.sum(0)


def test_every_number_of_the_maps_equals_a_loop(encoder, anatomy, inputs, found):
    facts, head_facts = found
    documents = [item for item in inputs if item.part == 1]
    js, measures = [], []
    for item in documents:
        conditions = changed(item, encoder("bert").tokenizer.mask_token_id)
        base, *others = (
            next(observe(encoder("bert"), anatomy("bert"), [one], Options(keep_weights=True)))
            for one in [item, *(conditions[name] for name in CONDITIONS)]
        )
        measures.append([slow_measures(one, item) for one in (base, *others)])
        js.append(np.empty((len(CONDITIONS), LAYERS, HEADS)))
        for at, (name, other) in enumerate(zip(CONDITIONS, others, strict=True)):
            same = [i for i in range(len(item)) if conditions[name].input_ids[i] == item.input_ids[i]]
            for layer, head in np.ndindex(LAYERS, HEADS):
                rows = [slow_divergence(base.weights[layer, head, i], other.weights[layer, head, i]) for i in same]
                js[-1][at, layer, head] = sum(rows) / len(rows)
    js, before, after = np.mean(js, axis=0), *np.split(np.array(measures), [1], axis=1)
    by_head = head_facts.set_index(["name", "layer", "head"])["value"]
    by_layer = facts.sort_values("layer", kind="stable").set_index("name")["value"]
    for at, name in enumerate(CONDITIONS):
        np.testing.assert_allclose(
            by_head[f"{name}.js"].to_numpy().reshape(LAYERS, HEADS), js[at], rtol=1e-3, atol=1e-6
        )
        np.testing.assert_allclose(by_layer[f"{name}.js"], [js[at].mean(), *js[at].mean(-1)], rtol=1e-3, atol=1e-6)
    curves = {"base": before[:, 0], **dict(zip(CONDITIONS, (after - before).swapaxes(0, 1), strict=True))}
    for name, values in curves.items():
        for column, place in enumerate(slow.derived()):
            grid = mean(values[..., column])
            np.testing.assert_allclose(by_layer[f"{name}.{place}"], [grid.mean(), *grid.mean(-1)], atol=1e-4)
        assert np.nanmax(np.abs(values)) > 1e-3
    assert js.min() > 0
    assert set(head_facts["n"]) == {len(documents)}


def test_blocks_of_a_long_input_are_compared_side_by_side(encoder, anatomy, monkeypatch, inputs, found):
    monkeypatch.setattr(row_sums, "TILE_ABOVE", 6)
    monkeypatch.setattr(row_sums, "BLOCK", 5)
    (again,) = manipulation_facts(encoder("bert"), anatomy("bert"), "c", inputs, SEED)["head_facts"]
    np.testing.assert_allclose(again["value"], found[1]["value"], rtol=1e-5, atol=1e-6)


def test_losses_are_those_of_the_same_words(masked_lm, inputs, found):
    facts, _ = found
    masked_lm.encoder.model.set_attn_implementation("eager")
    losses = []
    for item in (item for item in inputs if item.part == 1):
        few, many = (masked(item, masked_lm.mask, share, SEED) for share in SHARES.values())
        hidden = [at for at in range(len(item)) if few.input_ids[at] != item.input_ids[at]]
        row = []
        for one in (few, zero_segments(few), swapped_segments(few), many):
            logits = forward(masked_lm.encoder, collate([one], 0))[0].double().log_softmax(-1)
            row.append(-sum(logits[at, item.input_ids[at]].item() for at in hidden) / len(hidden))
        losses.append(row)
    base, *others = np.mean(losses, axis=0)
    value = facts[facts["name"].str.endswith(".loss")].set_index("name")["value"]
    names = ["segments.zero.loss", "segments.swapped.loss", "masks.40.loss"]
    assert set(value.index) == {"base.loss", *names}
    assert value["base.loss"] == pytest.approx(base, rel=ROUNDING)
    np.testing.assert_allclose(value[names], np.subtract(others, base), rtol=1e-3, atol=1e-4)


def test_masks_hide_words_alone_and_the_larger_share_the_same_and_more(encoder, inputs):
    mask = encoder("bert").tokenizer.mask_token_id
    for item in inputs:
        words = [at for at, kind in enumerate(item.classes) if kind is TokenClass.OTHER]
        hidden = []
        for share in SHARES.values():
            one = masked(item, mask, share, SEED)
            hidden.append({at for at in range(len(item)) if one.input_ids[at] != item.input_ids[at]})
            assert {one.input_ids[at] for at in hidden[-1]} == {mask}
            assert len(hidden[-1]) == max(1, round(share * len(words)))
            assert (one.classes, one.segment_ids) == (item.classes, item.segment_ids)
        assert hidden[0] <= hidden[1] <= set(words)


def test_segments_are_renamed(inputs):
    for item in inputs:
        assert set(zero_segments(item).segment_ids) == {0}
        both = zip(swapped_segments(item).segment_ids, item.segment_ids, strict=True)
        assert {a + b for a, b in both} == {1}
        assert swapped_segments(item).input_ids == zero_segments(item).input_ids == item.input_ids


def test_a_model_whose_segments_are_alike_does_not_notice(tmp_path):
    encoder = loaded(write("bert", tmp_path))
    with torch.no_grad():
        of_segment = encoder.model.embeddings.token_type_embeddings.weight
        of_segment[1] = of_segment[0]
    tables = manipulation_facts(encoder, examine(encoder), "c", inputs_of(encoder)[:3], SEED)
    value = tables["head_facts"][0].groupby("name")["value"].max()
    assert value[["segments.zero.js", "segments.swapped.js"]].max() < 1e-6
    assert value["masks.15.js"] > 1e-3
    assert not any(table["name"].str.endswith("loss").any() for table in tables["facts"])


@pytest.mark.parametrize(("family", "expected"), [("roberta", set(SHARES)), ("t5", None), ("mpnet", set(SHARES))])
def test_what_a_model_does_not_know_is_not_changed(encoder, anatomy, family, expected):
    tables = manipulation_facts(encoder(family), anatomy(family), "c", inputs_of(encoder(family))[:2], SEED)
    if expected is None:
        assert tables == {}
        return
    assert {name.removesuffix(".js") for name in tables["head_facts"][0]["name"]} == expected


def test_the_order_of_inputs_changes_nothing_and_columns_fit_the_store(encoder, anatomy, inputs, found, masked_lm):
    turned = manipulation_facts(encoder("bert"), anatomy("bert"), "c", inputs[::-1], SEED, masked_lm)
    for table, name, columns in zip(found, ("facts", "head_facts"), (FACTS.names, HEAD_FACTS.names), strict=True):
        assert list(table.columns) == columns
        again = pd.concat(turned[name], ignore_index=True)
        pd.testing.assert_frame_equal(table, again, rtol=1e-3, atol=1e-5)
