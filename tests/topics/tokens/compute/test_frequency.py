"""Frequency of tokens against the norms of their values and the attention they receive: loops and hand-made corpora."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import t

from generator.corpora.pairs import Document
from generator.numbers.resampling import GROUPS, jackknife, leave_out
from generator.topics.tokens.compute.frequency import QUANTITIES, correlations
from tests import slow
from tests.attention.observations import inputs_of
from tests.attention.reference import reference
from tests.encoders import LAYERS, SENTENCES
from tests.studies.surveyed import frequency_facts

SEED = 7
DOCUMENTS = tuple(Document(str(number), SENTENCES[number : number + 3]) for number in range(7))
NORM, WEIGHT = "frequency_norm.spearman", "frequency_weight.spearman"


def slow_ranks(values):
    """Ranks from 1, ties sharing their mean, by comparing all pairs."""
    return [
        1 + sum(other < value for other in values) + (sum(other == value for other in values) - 1) / 2
        for value in values
    ]


def slow_pearson(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    product = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    return product / math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))


def slow_tokens(checkpoint, family, encoder, inputs):
    """Of each token of every input: document, vocabulary id, norms and weights received by layer, length of input."""
    found = []
    for item in inputs:
        segment = slow.text_of(encoder.tokenizer, item.input_ids, begins=True).segment
        plain = reference(checkpoint(family), item.input_ids, segment)
        heads = plain.maps.shape[1]
        for at, token in enumerate(item.input_ids):
            norms = [
                sum(math.sqrt(sum(plain.vectors[layer, head, at] ** 2)) for head in range(heads)) / heads
                for layer in range(LAYERS)
            ]
            received = [
                sum(float(plain.maps[layer, head, query, at]) for head in range(heads) for query in range(len(item)))
                / heads
                for layer in range(LAYERS)
            ]
            found.append((item.document, token, norms, received, len(item)))
    return found


def slow_spearman(tokens, quantity, layer):
    """Most frequent first: rank 1 belongs to the largest count."""
    values = {}
    for row in tokens:
        values.setdefault(row[1], []).append(row[quantity][layer])
    frequency = slow_ranks([-len(found) for found in values.values()])
    return slow_pearson(frequency, slow_ranks([sum(found) / len(found) for found in values.values()]))


@pytest.mark.parametrize("family", ["bert", "modernbert", "deberta-v2"])
def test_correlations_equal_loops_over_the_plain_encoder(checkpoint, encoder, anatomy, family):
    inputs = inputs_of(encoder(family), DOCUMENTS)
    table = frequency_facts(encoder(family), anatomy(family), inputs, "m", "c", SEED).set_index(["name", "layer"])
    tokens = slow_tokens(checkpoint, family, encoder(family), inputs)
    for name, quantity in ((NORM, 2), (WEIGHT, 3)):
        by_layer = [slow_spearman(tokens, quantity, layer) for layer in range(LAYERS)]
        for layer, expected in enumerate(by_layer):
            assert table.loc[(name, layer + 1), "value"] == pytest.approx(expected, abs=1e-4)
        assert table.loc[(f"{name}.mean", 0), "value"] == pytest.approx(sum(by_layer) / LAYERS, abs=1e-4)
        own = table.loc[(name.replace(".spearman", ".tokens.spearman"), 0)]
        assert own["value"] == pytest.approx(slow_of_tokens(tokens, quantity), abs=1e-4)


def slow_of_tokens(tokens, quantity):
    """Every token with the count of its type; a weight is the mean over the queries of the token's input."""
    counts = {}
    for row in tokens:
        counts[row[1]] = counts.get(row[1], 0) + 1
    values = [sum(row[quantity]) / LAYERS / (row[4] if quantity == 3 else 1) for row in tokens]
    return slow_pearson(slow_ranks([-counts[row[1]] for row in tokens]), slow_ranks(values))


def test_the_interval_is_the_jackknife_over_documents(checkpoint, encoder, anatomy):
    inputs = inputs_of(encoder("bert"), DOCUMENTS)
    table = frequency_facts(encoder("bert"), anatomy("bert"), inputs, "m", "c", SEED).set_index(["name", "layer"])
    tokens = slow_tokens(checkpoint, "bert", encoder("bert"), inputs)
    for name, quantity in ((NORM, 2), (WEIGHT, 3)):
        names = [document.id for document in DOCUMENTS]
        without = [slow_spearman([row for row in tokens if row[0] != left], quantity, 1) for left in names]
        mean = sum(without) / len(without)
        error = math.sqrt((len(names) - 1) / len(names) * sum((value - mean) ** 2 for value in without))
        row = table.loc[(name, 2)]
        half = t.ppf(0.975, len(names) - 1) * error
        np.testing.assert_allclose([row["low"], row["high"]], [row["value"] - half, row["value"] + half], atol=1e-3)
        assert row["n"] == len(names)
        own = table.loc[(name.replace(".spearman", ".tokens.spearman"), 0)]
        without = [slow_of_tokens([row for row in tokens if row[0] != left], quantity) for left in names]
        mean = sum(without) / len(without)
        half = t.ppf(0.975, 6) * math.sqrt(6 / 7 * sum((value - mean) ** 2 for value in without))
        assert [own["low"], own["high"]] == pytest.approx([own["value"] - half, own["value"] + half], abs=1e-3)


def test_the_table_has_both_curves_and_their_summaries(encoder, anatomy):
    inputs = inputs_of(encoder("bert"), DOCUMENTS)
    table = frequency_facts(encoder("bert"), anatomy("bert"), inputs, "m", "c", SEED)
    assert list(table.columns) == ["model", "corpus", "study", "name", "layer", "value", "low", "high", "n"]
    assert [str(kind) for kind in table.dtypes[["layer", "n"]]] == ["int16", "int32"]
    assert list(zip(table["name"], table["layer"], strict=True)) == [
        *((name, layer + 1) for name in (NORM, WEIGHT) for layer in range(LAYERS)),
        *((name + end, 0) for end in (".spearman.mean", ".tokens.spearman") for name in QUANTITIES),
    ]
    assert set(table["study"]) == {"norms"}
    assert (table["low"] <= table["value"]).all()
    assert (table["value"] <= table["high"]).all()


def test_the_order_of_documents_changes_nothing(encoder, anatomy):
    inputs = inputs_of(encoder("bert"), DOCUMENTS)
    one, other = (
        frequency_facts(encoder("bert"), anatomy("bert"), order, "m", "c", SEED) for order in (inputs, inputs[::-1])
    )
    assert one.equals(other)


def test_without_output_projections_norms_are_undefined_and_weights_are_not(encoder, anatomy):
    found = replace(anatomy("bert"), grams=(None,) * LAYERS)
    table = frequency_facts(encoder("bert"), found, inputs_of(encoder("bert"), DOCUMENTS), "m", "c", SEED)
    norms, weights = (table[table["name"].str.startswith(name)] for name in QUANTITIES)
    assert norms[["value", "low", "high"]].isna().all(axis=None)
    assert set(norms["n"]) == {0}
    assert weights[["value", "low", "high"]].notna().all(axis=None)


def test_one_document_has_no_interval(encoder, anatomy):
    table = frequency_facts(encoder("bert"), anatomy("bert"), inputs_of(encoder("bert"), DOCUMENTS[:1]), "m", "c", SEED)
    assert table["value"].notna().all()
    assert table[["low", "high"]].isna().all(axis=None)
    assert set(table["n"]) == {1}


def test_small_vectors_of_frequent_types_correlate_positively_with_the_rank():
    counts = csr_array(np.array([[4.0, 2, 1], [4, 2, 0]]))
    small_first = csr_array(np.array([[4.0, 4, 3], [4, 4, 0]]))  # means 1, 2, 3; the rarest type the largest
    large_first = csr_array(np.array([[12.0, 4, 1], [12, 4, 0]]))  # means 3, 2, 1
    constant = csr_array(np.array([[4.0, 2, 1], [4, 2, 0]]))
    everything, second = correlations(np.array([[1.0, 1], [0, 1]]), counts, [small_first, large_first, constant])
    np.testing.assert_allclose(everything, [1, -1, np.nan])
    np.testing.assert_allclose(second, [1, -1, np.nan])


def test_every_document_is_left_out_once_in_groups_of_equal_size():
    np.testing.assert_array_equal(np.sort(leave_out(7, SEED).argmin(1)), np.arange(7))
    assert (leave_out(7, SEED).sum(1) == 6).all()
    many = 1 - leave_out(250, SEED)
    assert many.shape == (GROUPS, 250)
    assert (many.sum(0) == 1).all()
    assert set(many.sum(1)) == {2, 3}


def test_the_jackknife_of_a_mean_is_its_t_interval():
    values = np.random.default_rng(0).normal(size=(12, 2))
    without = np.stack([np.delete(values, at, axis=0).mean(0) for at in range(12)])
    expected = t.ppf(0.975, 11) * values.std(0, ddof=1) / math.sqrt(12)
    np.testing.assert_allclose(jackknife(without), expected)
    assert np.isnan(jackknife(without[:1])).all()
