"""Heads are pruned in the order of their importance, on other examples than those it was measured on."""

from dataclasses import replace
from itertools import compress

import numpy as np

from generator.progress import reporting_to
from generator.results.tables import FACTS
from generator.studies.halves import reported
from generator.topics.learning.derived.removable import removable
from generator.topics.tasks.run.disable.examples import LabelledExamples, halves_of
from generator.topics.tasks.run.disable.pruning import numbers_tried, pruning, pruning_order, tokens_read
from generator.topics.tasks.run.disable.sweep import importance
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS
from tests.topics.tasks.run.disable.classifiers import SEED, plain, said, silence, texts_of, values
from tests.topics.tasks.run.disable.scored import score


def test_heads_go_in_the_order_of_importance_within_their_layer():
    importances = np.array([[3.0, 4.0], [0.6, 0.8], [0.0, 0.0], [10.0, 1.0]])
    order = pruning_order(importances)
    assert order[:3] == [(2, 0), (2, 1), (3, 1)]
    assert set(order[3:5]) == {(0, 0), (1, 0)}
    assert order[-1] == (3, 0)


def test_the_numbers_tried_reach_from_none_to_all():
    assert numbers_tried(72, 20)[:4] == [0, 4, 7, 11]
    assert numbers_tried(12, 20) == list(range(13))


def test_the_pruning_curve_is_of_other_examples_than_importance_is(made, folders):
    classifier, anatomy = made[2]
    texts = texts_of("rte")
    examples = LabelledExamples(classifier, texts, 64)
    report = reported(examples.names, SEED)
    drawn = reported([example.id for example in texts.examples], SEED)
    halves = [
        LabelledExamples(classifier, replace(texts, examples=tuple(compress(texts.examples, drawn == half))), 64)
        for half in (False, True)
    ]
    told = []
    with reporting_to(told.append):
        found = pruning(*halves, anatomy, "model", SEED)
    facts, places = found["facts"][0], found["head_facts"][0].sort_values("value")
    assert sum(told) == tokens_read(*halves, anatomy)
    of_choosing = importance(examples, anatomy)[~report].mean(0)
    order = pruning_order(of_choosing)
    assert [*zip(places["layer"] - 1, places["head"] - 1, strict=True)] == order
    assert {*places["name"]} == {"order"}
    assert places["value"].tolist() == [*range(1, LAYERS * HEADS + 1)]
    gold = np.array([example.label for example in sorted(texts.examples, key=lambda one: one.id)])
    model = plain(folders[2])
    for count in range(LAYERS * HEADS + 1):
        if count:
            silence(model, order[count - 1][0], [order[count - 1][1]])
        if count % 4 == 0:
            outcomes = np.array([said(model, item) for item in examples.inputs])
            expected = score("accuracy", outcomes[report], gold[report])
            np.testing.assert_allclose(values(facts, f"score.{count}")[0, 0], expected)
    tried = range(LAYERS * HEADS + 1)
    assert set(facts["name"]) == {f"{what}.{count}" for what in ("score", "change") for count in tried} | {"removable"}
    assert set(facts["n"]) == {report.sum()}
    scores, changes = (np.array([values(facts, f"{what}.{at}")[0] for at in tried]) for what in ("score", "change"))
    np.testing.assert_allclose(changes[:, 0], scores[:, 0] - scores[0, 0], atol=1e-12)
    assert changes[0].tolist() == [0, 0, 0]
    assert tuple(values(facts, "removable")[0]) == removable(tried, *changes.T)
    assert list(facts.columns) == FACTS.names


def test_without_a_task_a_model_is_pruned_by_its_loss(masked_lm):
    found, anatomy = masked_lm
    halves = halves_of(found, inputs_of(found.encoder), "tiny", SEED)
    facts = pruning(*halves, anatomy, "model", SEED, steps=3)["facts"][0]
    names = [f"{what}.{count}" for what in ("score", "change") for count in (0, 4, 8, 12)]
    assert list(facts["name"]) == [*names, "removable"]
    assert set(facts["study"]) == {"pruning"}
