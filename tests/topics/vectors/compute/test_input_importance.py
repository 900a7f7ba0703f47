"""Attention against what the output depends on: correlations against loops over pairs, and heads made by hand."""

import numpy as np
import pytest
import torch

from generator.attention.anatomy import examine
from generator.attention.gradient import InputGradients, input_gradients
from generator.corpora.classes import ADDED, TokenClass
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.numbers.resampling import bootstrap
from generator.results.tables import FACTS, HEAD_FACTS
from generator.topics.vectors.compute.gradients import hide
from generator.topics.vectors.compute.input_importance import DOCUMENTS, NAMES, importance_facts, taus
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS
from tests.measures.maps import pair
from tests.topics.vectors.compute.test_gradients import slow_tau

SEED = 6


@pytest.fixture(scope="module")
def masked_lm(tmp_path_factory):
    """The tiny BERT with its head."""
    root = tmp_path_factory.mktemp("heads")
    return load_masked_lm(locate(str(write_masked_lm("bert", root / "bert"))), torch.device("cpu"))


def slow_taus(seen, hidden):
    """`[layer][head][name]` by loops."""
    text = [at for at, kind in enumerate(seen.input.classes) if kind not in ADDED and at not in hidden]
    begin = list(seen.input.classes).index(TokenClass.BEGIN)
    found = np.full((*seen.weights.shape[:2], 2), np.nan)
    importance = [float(seen.importance[at]) for at in text]
    for layer, head in np.ndindex(seen.weights.shape[:2]):
        weights = seen.weights[layer, head].astype(float)
        predicted = [sum(weights[query][at] for query in hidden) / len(hidden) for at in text]
        found[layer, head] = slow_tau(predicted, importance), slow_tau([weights[begin][at] for at in text], importance)
    return found


def test_every_number_equals_loops_over_the_documents(masked_lm):
    inputs = [item for item in inputs_of(masked_lm.encoder, max_tokens=48) if item.part == 1]
    assert len(inputs) <= DOCUMENTS
    tables = importance_facts(masked_lm, examine(masked_lm.encoder), "c", inputs, SEED)
    hidden = {item.document: hide(item, masked_lm, SEED) for item in inputs}
    rows = {
        seen.input.document: slow_taus(seen, list(hidden[seen.input.document].targets))
        for seen in input_gradients(masked_lm.encoder, examine(masked_lm.encoder), list(hidden.values()))
    }
    values = np.stack([rows[name] for name in sorted(rows)])
    (by_head,), (whole,) = tables["head_facts"], tables["facts"]
    assert (list(by_head.columns), list(whole.columns)) == (HEAD_FACTS.names, FACTS.names)
    assert set(by_head["study"]) == set(whole["study"]) == {"gradient"}
    one = by_head.set_index(["name", "layer", "head"])
    for at, name in enumerate(NAMES):
        for layer, head in np.ndindex(LAYERS, HEADS):
            row = one.loc[(name, layer + 1, head + 1)]
            expected = bootstrap(values[:, layer, head, at], SEED)
            np.testing.assert_allclose(row[["value", "low", "high"]].to_list(), expected[:3], atol=1e-6)
        means = [np.nanmean(document[..., at]) for document in values]
        row = whole.set_index("name").loc[name]
        assert row["value"] == pytest.approx(np.mean(means), abs=1e-6)
        assert row["low"] < row["value"] < row["high"]
        assert (row["layer"], row["n"]) == (0, len(inputs))


def gradients_of(row_of_hidden, begin_row, importance, hidden=4):
    """One head of one layer whose hidden token and begin token attend so."""
    n = len(importance)
    weights = np.full((1, 1, n, n), 1 / n)
    weights[0, 0, hidden], weights[0, 0, 0] = row_of_hidden, begin_row
    return InputGradients(pair(n), weights.astype(np.float32), np.array(importance, np.float32))


def test_a_head_that_attends_as_the_output_depends_agrees_and_its_opposite_disagrees():
    """Special tokens and the hidden token itself, however large, do not count."""
    importance = np.array([900.0, 1, 2, 3, 800, 700, 4, 5, 6, 7, 8, 600])
    ascending, descending = importance / importance.sum(), 1 / importance
    ascending[[0, 4, 5, 11]] = [0.5, 0.4, 0.3, 0.2]
    found = taus(gradients_of(ascending, descending, importance), {4})
    np.testing.assert_allclose(
        found[0, 0, 0], slow_tau(ascending[[1, 2, 3, 7, 8, 9, 10]], importance[[1, 2, 3, 7, 8, 9, 10]])
    )
    assert found[0, 0, 0] > 0.9
    assert found[0, 0, 1] < -0.9


def test_rows_that_do_not_vary_and_texts_of_one_token_say_nothing():
    flat = np.full(12, 1 / 12)
    assert np.isnan(taus(gradients_of(flat, flat, np.arange(12.0)), {4})).all()
    short = gradients_of([0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1], np.arange(4.0), hidden=1)
    assert np.isnan(taus(short, {1})).all()


def test_a_family_without_the_seam_is_not_measured(tmp_path):
    found = load_masked_lm(locate(str(write_masked_lm("mpnet", tmp_path / "mpnet"))), torch.device("cpu"))
    assert importance_facts(found, examine(found.encoder), "c", inputs_of(found.encoder), SEED) == {}
