"""Gradient importance by head: every column against loops, what is hidden from the model, and the tables."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.gradient import attention_gradients
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Document
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.topics.inputs.compute.changed import PARTS, few_each
from generator.topics.vectors.compute.gradients import COLUMNS, GradientRows, hide, measure_gradients
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS, SENTENCES

SEED = 3
NAMES = {"cls": TokenClass.BEGIN, "sep": TokenClass.SEPARATOR, "punctuation": TokenClass.PUNCTUATION}
DOCUMENTS = tuple(Document(str(number), SENTENCES[number : number + 2]) for number in range(6))
LONG = Document("long", SENTENCES * 2)


@pytest.fixture(scope="module")
def masked_lm(tmp_path_factory):
    """Gives a tiny checkpoint with a head."""
    root = tmp_path_factory.mktemp("heads")
    return lambda family: load_masked_lm(locate(str(write_masked_lm(family, root / family))), torch.device("cpu"))


@pytest.fixture(scope="module")
def bert(masked_lm):
    """The tiny BERT with its head."""
    return masked_lm("bert")


def slow_tau(a, b):
    """Kendall's tau-b by comparing all pairs."""
    pairs = [(i, j) for i in range(len(a)) for j in range(i)]
    concordant = sum(np.sign(a[i] - a[j]) * np.sign(b[i] - b[j]) for i, j in pairs)
    untied = [sum(values[i] != values[j] for i, j in pairs) for values in (a, b)]
    return concordant / math.sqrt(untied[0] * untied[1]) if all(untied) else math.nan


def slow_columns(weights, gradients, classes):
    """All columns of one head's map, by loops; elements of weight 0 are out of the head's reach."""
    n, found = len(classes), {}
    everyone = range(n)
    for name, kind in [*NAMES.items(), ("other", TokenClass.OTHER)]:
        keys = [j for j in everyone if classes[j] == kind]
        sizes = [abs(gradients[i][j]) for i in everyone for j in keys if weights[i][j] > 0]
        found[f"gradient.{name}"] = sum(sizes) / len(sizes) if sizes else math.nan
        total = sum(weights[i][j] * gradients[i][j] for i in everyone for j in keys) / n
        found[f"product.{name}"] = math.nan if name in ("cls", "sep") and not keys else total
    usable = [j for j in everyone if weights[0][j] > 0]
    found["tau.cls"] = slow_tau([weights[0][j] for j in usable], [abs(gradients[0][j]) for j in usable])
    return [found[name] for name in COLUMNS]


def mean_of_defined(parts):
    """By number, the mean over the parts that define it; behind a window a row may lack gradients in one part."""
    stacked = np.stack(parts)
    mean = np.full(stacked.shape[1:], np.nan)
    for place in np.ndindex(mean.shape):
        defined = [value for value in stacked[(slice(None), *place)] if not math.isnan(value)]
        if defined:
            mean[place] = sum(defined) / len(defined)
    return mean


@pytest.mark.parametrize("family", ["bert", "modernbert"])
def test_every_column_equals_loops_over_single_maps(masked_lm, family):
    found = masked_lm(family)
    inputs = inputs_of(found.encoder, [*DOCUMENTS[:2], LONG])
    rows = measure_gradients(found, examine(found.encoder), inputs, SEED)
    hidden = [hide(item, found, SEED) for item in few_each(inputs, SEED)]
    parts = {}
    for seen in attention_gradients(found.encoder, examine(found.encoder), hidden):
        weights, gradients = (np.stack(one).astype(float) for one in (seen.weights, seen.gradients))
        values = [
            [slow_columns(weights[layer, head], gradients[layer, head], seen.input.classes) for head in range(HEADS)]
            for layer in range(LAYERS)
        ]
        parts.setdefault(seen.input.document, []).append(np.array(values))
    assert len(parts["long"]) == PARTS < sum(item.document == "long" for item in inputs)
    assert rows.documents == ("0", "1", "long")
    assert rows.values.shape == (3, LAYERS, HEADS, len(COLUMNS))
    for document, values in zip(rows.documents, rows.values, strict=True):
        expected = mean_of_defined(parts[document])
        np.testing.assert_allclose(values, expected, rtol=1e-4, atol=1e-8, err_msg=document)
    tau = rows.values[..., COLUMNS.index("tau.cls")]
    assert np.isnan(tau[:, -1]).all()
    assert not np.isnan(tau[:, 0]).any()


def test_products_of_all_classes_add_up_to_the_sum_of_weight_times_gradient(bert):
    inputs = inputs_of(bert.encoder, DOCUMENTS)
    rows = measure_gradients(bert, examine(bert.encoder), inputs, SEED)
    total = np.nansum(rows.values[..., 4:8], axis=-1)
    hidden = [hide(item, bert, SEED) for item in inputs]
    for seen in attention_gradients(bert.encoder, examine(bert.encoder), hidden):
        at = rows.documents.index(seen.input.document)
        whole = (np.stack(seen.weights).astype(float) * seen.gradients).sum((2, 3)) / len(seen.input)
        np.testing.assert_allclose(total[at], whole, rtol=1e-3, atol=1e-7)


def test_the_order_of_documents_changes_nothing(bert):
    inputs = inputs_of(bert.encoder, [*DOCUMENTS, LONG])
    anatomy = examine(bert.encoder)
    one, other = (measure_gradients(bert, anatomy, some, SEED) for some in (inputs, inputs[::-1]))
    assert one.documents == other.documents
    np.testing.assert_allclose(one.values, other.values, rtol=1e-3, atol=1e-6)


def test_a_family_without_the_seam_is_not_measured(masked_lm):
    found = masked_lm("mpnet")
    assert measure_gradients(found, examine(found.encoder), inputs_of(found.encoder, DOCUMENTS[:1]), SEED) is None


def test_a_fixed_share_of_the_text_is_hidden_and_nothing_else(bert):
    for item in inputs_of(bert.encoder, [*DOCUMENTS, LONG]):
        hidden = hide(item, bert, SEED)
        text = [at for at, kind in enumerate(item.classes) if kind >= TokenClass.PUNCTUATION]
        assert set(hidden.targets) <= set(text)
        assert len(hidden.targets) == max(1, round(0.15 * len(text)))
        assert hidden.input.segment_ids == item.segment_ids
        for at, (was, became) in enumerate(zip(item.input_ids, hidden.input.input_ids, strict=True)):
            if at in hidden.targets:
                assert hidden.targets[at] == was
            if at not in hidden.targets or was == became:
                assert (was, item.classes[at]) == (became, hidden.input.classes[at])
            else:
                assert hidden.input.classes[at] == TokenClass.OTHER


def test_of_the_hidden_tokens_four_in_five_are_masked_and_one_in_ten_replaced(bert):
    item = max(inputs_of(bert.encoder, [LONG]), key=len)
    became = Counter()
    for number in range(2000):
        hidden = hide(replace(item, document=str(number)), bert, SEED)
        for at, was in hidden.targets.items():
            at_now = hidden.input.input_ids[at]
            became["mask" if at_now == bert.mask else "same" if at_now == was else "random"] += 1
            assert at_now == bert.mask or at_now in bert.pieces
    total = became.total()
    for name, share in (("mask", 0.8), ("random", 0.1), ("same", 0.1)):
        assert abs(became[name] / total - share) < 4 * math.sqrt(share * (1 - share) / total), name


def test_what_is_hidden_follows_from_seed_document_and_part_alone(bert):
    first, second = inputs_of(bert.encoder, [LONG])[:2]
    chosen = hide(first, bert, SEED)
    assert hide(first, bert, SEED) == chosen
    assert hide(first, bert, SEED + 1).targets != chosen.targets
    assert hide(replace(first, document="other"), bert, SEED).targets != chosen.targets
    assert hide(replace(first, part=second.part), bert, SEED).targets != chosen.targets


def _rows():
    """Three documents, two layers, two heads; the value names its place, and one document has no punctuation."""
    place = np.arange(1, 4)[:, None, None] + 10 * np.arange(1, 3)[:, None] + 100 * np.arange(1, 3)
    values = np.repeat(place[..., None].astype(float), len(COLUMNS), axis=-1)
    values[..., COLUMNS.index("gradient.sep")] *= 2
    values[0, ..., COLUMNS.index("gradient.punctuation")] = np.nan
    return GradientRows(("a", "b", "c"), values)


def test_head_facts_are_means_over_documents_in_their_place():
    table = _rows().head_facts("model", "corpus", seed=0)
    assert list(table.columns) == ["model", "corpus", "study", "name", "layer", "head", "value", "low", "high", "n"]
    assert len(table) == len(COLUMNS) * 4
    assert set(table[["model", "corpus", "study"]].itertuples(index=False, name=None)) == {
        ("model", "corpus", "gradient")
    }
    assert [str(kind) for kind in table.dtypes[["layer", "head", "n"]]] == ["int16", "int16", "int32"]
    one = table.set_index(["name", "layer", "head"])
    assert one.loc[("gradient.other", 2, 1), "value"] == np.mean([1, 2, 3]) + 20 + 100
    assert one.loc[("gradient.other", 1, 2), "value"] == np.mean([1, 2, 3]) + 10 + 200
    assert one.loc[("gradient.punctuation", 1, 2), "value"] == np.mean([2, 3]) + 10 + 200
    assert one.loc[("gradient.punctuation", 1, 2), "n"] == 2
    assert (one["low"] <= one["value"]).all()
    assert (one["value"] <= one["high"]).all()


def test_ratios_compare_a_class_with_the_other_tokens_of_the_same_documents():
    table = _rows().facts("model", "corpus", seed=0)
    assert list(table.columns) == ["model", "corpus", "study", "name", "layer", "value", "low", "high", "n"]
    one = table.set_index(["name", "layer"])
    assert isinstance(one, pd.DataFrame)
    for layer in (1, 2):
        assert one.loc[("ratio.cls", layer), ["value", "low", "high", "n"]].tolist() == [1, 1, 1, 3]
        assert one.loc[("ratio.sep", layer), ["value", "low", "high", "n"]].tolist() == [2, 2, 2, 3]
        assert one.loc[("ratio.punctuation", layer), ["value", "low", "high", "n"]].tolist() == [1, 1, 1, 2]


def test_the_mean_tau_of_a_document_is_over_the_heads_that_define_it():
    rows = _rows()
    rows.values[0, 1, :, COLUMNS.index("tau.cls")] = np.nan
    row = rows.facts("model", "corpus", seed=0).set_index("name").loc["tau.cls"]
    of_documents = [1 + 10 + 150, 2 + 15 + 150, 3 + 15 + 150]
    assert row["value"] == pytest.approx(np.mean(of_documents))
    assert (row["layer"], row["n"]) == (0, 3)
    assert row["low"] < row["value"] < row["high"]
