"""What disabling changes, against single eager forward passes, and which numbers are put down."""

from functools import partial

import numpy as np
import pytest
import torch
from scipy.stats import rankdata

from generator.corpora.tasks import LabelledTexts
from generator.numbers.resampling import sample_counts
from generator.progress import reporting_to
from generator.results.tables import FACTS, HEAD_FACTS
from generator.topics.tasks.run.disable.examples import LabelledExamples
from generator.topics.tasks.run.disable.study import tables
from generator.topics.tasks.run.disable.sweep import passes
from tests.encoders import HEADS, LAYERS
from tests.topics.tasks.run.disable.classifiers import (
    COUNT,
    SEED,
    SIZE,
    TASK_OF,
    labelled,
    logits_of,
    plain,
    said,
    silence,
    texts_of,
    values,
)
from tests.topics.tasks.run.disable.scored import score


def level(model, layer, heads):
    """Make these heads uniform: with keys of 0, all logits are equal."""
    with torch.no_grad():
        key = model.bert.encoder.layer[layer].attention.self.key
        for head in heads:
            key.weight[head * SIZE : (head + 1) * SIZE] = 0
            key.bias[head * SIZE : (head + 1) * SIZE] = 0


@pytest.mark.parametrize("labels", TASK_OF)
def test_every_outcome_is_that_of_one_example_alone_through_a_model_whose_weights_were_edited(swept, folders, labels):
    examples, found = swept[labels]
    model = plain(folders[labels])
    untouched = {name: weight.clone() for name, weight in model.state_dict().items()}
    tolerance = 1e-4
    same = partial(np.testing.assert_allclose, rtol=tolerance, atol=tolerance)
    shown = range(0, COUNT, 6)
    same(found.base[shown], [said(model, examples.inputs[at]) for at in shown])
    for layer in range(LAYERS):
        for head in range(HEADS + 1):
            heads = range(HEADS) if head == HEADS else [head]
            for way, edit in enumerate((level, silence)):
                edit(model, layer, heads)
                same(found.disabled[way, layer, head, shown], [said(model, examples.inputs[at]) for at in shown])
                model.load_state_dict(untouched)
        for kept in range(HEADS):
            silence(model, layer, [head for head in range(HEADS) if head != kept])
            same(found.left[layer, kept, shown], [said(model, examples.inputs[at]) for at in shown])
            model.load_state_dict(untouched)


@pytest.mark.parametrize("labels", TASK_OF)
def test_importance_is_the_gradient_by_a_factor_of_the_head_for_each_example_alone(swept, folders, labels):
    """The factor scales the head's slice of the output projection: the derivative by it is that slice's dot product."""
    examples, found = swept[labels]
    model = plain(folders[labels])
    gold = {example.id: example.label for example in texts_of(TASK_OF[labels]).examples}
    for at in (0, 7, 22):
        item = examples.inputs[at]
        model.zero_grad()
        logits = logits_of(model, item)
        label = gold[item.document]
        loss = torch.logsumexp(logits, 0) - logits[int(label)] if labels == 2 else (logits[0] - label) ** 2
        loss.backward()
        for layer in range(LAYERS):
            weight = model.bert.encoder.layer[layer].attention.output.dense.weight
            products = (weight * weight.grad).detach().numpy()
            for head in range(HEADS):
                expected = abs(products[:, head * SIZE : (head + 1) * SIZE].sum())
                np.testing.assert_allclose(found.importance[at, layer, head], expected, rtol=1e-3, atol=1e-5)


def test_the_order_of_the_examples_and_padding_change_no_number(made):
    classifier, anatomy = made[2]
    texts = texts_of("rte")
    turned = LabelledTexts(texts.task, texts.sha256, texts.examples[::-1])
    first, second = (labelled(classifier, anatomy, one) for one in (texts, turned))
    for name in ("facts", "head_facts"):
        assert first[name][0].equals(second[name][0])


@pytest.mark.parametrize("labels", TASK_OF)
def test_every_number_follows_from_the_outcomes_by_loops(made, swept, labels):
    examples, found = swept[labels]
    metric = texts_of(TASK_OF[labels]).task.metrics[0]
    gold = np.array([example.label for example in sorted(texts_of(TASK_OF[labels]).examples, key=lambda one: one.id)])
    made_tables = tables(found, examples, "tiny", SEED)
    facts, head_facts = made_tables["facts"][0], made_tables["head_facts"][0]
    base = score(metric, found.base, gold)
    np.testing.assert_allclose(values(facts, "base")[0, 0], base)
    counts = sample_counts(COUNT, SEED).astype(int)

    def of_sample(said, right):
        if labels == 2:
            return (said == right).mean()
        assert metric == "spearman"
        return np.corrcoef(rankdata(said), rankdata(right))[0, 1]

    def drawn(outcomes):
        rows = [np.repeat(np.arange(COUNT), count) for count in counts]
        return np.array([of_sample(outcomes[row], gold[row]) for row in rows])

    base_draws = drawn(found.base)
    np.testing.assert_allclose(values(facts, "base")[0, 1:], np.quantile(base_draws, [0.025, 0.975]))
    if labels == 2:
        commonest = float((gold == 1).sum() > (gold == 0).sum())
        share, share_draws = (gold == commonest).mean(), drawn(np.full(COUNT, commonest))
        expected = [share, *np.quantile(share_draws, [0.025, 0.975])]
    else:
        share, share_draws, expected = 0, 0, [np.nan] * 3  # the correlation of a constant is not defined
    np.testing.assert_allclose(values(facts, "base.majority")[0], expected)
    lead = [base - share, *np.quantile(base_draws - share_draws, [0.025, 0.975])]
    np.testing.assert_allclose(values(facts, "base.lead")[0], lead)
    place = 1, 2
    for way, name in enumerate(("uniform", "zero")):
        changes = np.zeros((LAYERS, HEADS + 1))
        for layer in range(LAYERS):
            for head in range(HEADS + 1):
                changes[layer, head] = score(metric, found.disabled[way, layer, head], gold) - base
        for shown in (name, f"{name}.family"):
            of_heads = values(head_facts, shown)[:, 0].reshape(LAYERS, HEADS)
            np.testing.assert_allclose(of_heads, changes[:, :HEADS], atol=1e-9)
            np.testing.assert_allclose(values(facts, shown)[:, 0], changes[:, HEADS], atol=1e-9)
        np.testing.assert_allclose(values(facts, f"{name}.mean")[0, 0], changes[:, :HEADS].mean(), atol=1e-9)
        draws = drawn(found.disabled[way][place]) - base_draws
        row = values(head_facts, name).reshape(LAYERS, HEADS, 3)[place]
        np.testing.assert_allclose(row[1:], np.quantile(draws, [0.025, 0.975]), atol=1e-9)
    np.testing.assert_allclose(
        values(head_facts, "importance")[:, 0].reshape(LAYERS, HEADS), found.importance.mean(0), rtol=1e-9
    )
    assert set(facts["layer"]) == set(range(LAYERS + 1))
    assert set(zip(head_facts["layer"], head_facts["head"], strict=True)) == {
        (layer, head) for layer in range(1, LAYERS + 1) for head in range(1, HEADS + 1)
    }


def test_tables_have_the_columns_of_the_store_and_the_names_that_are_promised(made):
    classifier, anatomy = made[2]
    found = labelled(classifier, anatomy, texts_of("rte"))
    facts, head_facts = found["facts"][0], found["head_facts"][0]
    assert list(facts.columns) == FACTS.names
    assert list(head_facts.columns) == HEAD_FACTS.names
    four = {"uniform", "uniform.family", "zero", "zero.family"}
    assert set(head_facts["name"]) == four | {"importance"}
    assert set(facts[facts["layer"] > 0]["name"]) == four | {"zero.best_left"}
    assert set(facts[facts["layer"] == 0]["name"]) == {
        *("base", "base.majority", "base.lead", "uniform.mean", "zero.mean"),
        *("uniform.best_head", "uniform.best_layer", "zero.best_left.lowest"),
        *("uniform.best_head.layer", "uniform.best_head.head"),
    }
    for table in (facts, head_facts):
        assert (set(table["model"]), set(table["corpus"])) == ({"some/model"}, {"rte"})
        assert set(table["study"]) == {"disabling"}
        place = table["name"].isin(["uniform.best_head.layer", "uniform.best_head.head"])
        assert ((table["low"] <= table["high"]) | place).all()


def test_progress_counts_every_token_that_is_read(made):
    classifier, anatomy = made[2]
    told = []
    with reporting_to(told.append):
        labelled(classifier, anatomy, texts_of("rte", 4))
    tokens = sum(map(len, LabelledExamples(classifier, texts_of("rte", 4), 64).inputs))
    assert sum(told) == passes(anatomy) * tokens
    assert passes(anatomy) == 2 + 2 * LAYERS * (HEADS + 1) + LAYERS * HEADS
