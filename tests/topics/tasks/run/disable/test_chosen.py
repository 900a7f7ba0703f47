"""The best heads are chosen on one half and reported on the other; what cannot be swept is refused."""

import numpy as np
import pytest
import torch
from scipy.special import logsumexp
from scipy.stats import rankdata

from generator.attention.anatomy import examine
from generator.attention.batches import collate
from generator.corpora.pairs import PairMaker
from generator.errors import CorpusError, ModelError
from generator.models.classifier import load_classifier
from generator.models.source import locate
from generator.numbers.resampling import sample_counts
from generator.studies.halves import reported
from generator.topics.tasks.run.disable.examples import LabelledExamples, MaskedExamples
from generator.topics.tasks.run.disable.pruning import pruning
from generator.topics.tasks.run.disable.study import disabling, tables
from generator.topics.tasks.run.disable.sweep import sweep
from generator.topics.vectors.compute.gradients import hide
from tests.attention.observations import inputs_of
from tests.encoders import HEADS, LAYERS, SENTENCES
from tests.topics.tasks.run.disable.classifiers import (
    CPU,
    SEED,
    TASK_OF,
    labelled,
    texts_of,
    values,
    write_classifier,
)
from tests.topics.tasks.run.disable.scored import score

SCORES = {
    "accuracy": lambda said, gold: np.mean(said == gold),
    "spearman": lambda said, gold: (
        np.corrcoef(rankdata(said), rankdata(gold))[0, 1] if np.ptp(said) * np.ptp(gold) > 0 else np.nan
    ),
}
"""As in `score`, and fast enough for a loop over draws."""


def masked(found, anatomy, inputs):
    """The same on text."""
    return disabling(MaskedExamples(found, inputs, "tiny", SEED), anatomy, "some/model", SEED)


@pytest.mark.parametrize("labels", TASK_OF)
def test_the_best_are_chosen_on_one_half_and_reported_on_the_other(swept, labels):
    examples, found = swept[labels]
    metric = texts_of(TASK_OF[labels]).task.metrics[0]
    gold = np.array([example.label for example in sorted(texts_of(TASK_OF[labels]).examples, key=lambda one: one.id)])
    facts = tables(found, examples, "tiny", SEED)["facts"][0]
    report = reported(examples.names, SEED)

    def change(outcomes, half):
        return score(metric, outcomes[half], gold[half]) - score(metric, found.base[half], gold[half])

    candidates = {
        ("uniform.best_head", 0): [found.disabled[0, layer, head] for layer in range(LAYERS) for head in range(HEADS)],
        ("uniform.best_layer", 0): [found.disabled[0, layer, HEADS] for layer in range(LAYERS)],
        **{("zero.best_left", layer + 1): list(found.left[layer]) for layer in range(LAYERS)},
    }
    for (name, layer), outcomes in candidates.items():
        best = max(outcomes, key=lambda one: round(change(one, ~report), 9))
        row = facts[(facts["name"] == name) & (facts["layer"] == layer)].iloc[0]
        np.testing.assert_allclose(row["value"], change(best, report), atol=1e-9)
        assert row["low"] <= row["value"] <= row["high"]
        assert row["n"] == report.sum()
    layer, head = (values(facts, f"uniform.best_head.{axis}")[0, 0] for axis in ("layer", "head"))
    of_chosen = found.disabled[0, int(layer) - 1, int(head) - 1]
    np.testing.assert_allclose(values(facts, "uniform.best_head")[0, 0], change(of_chosen, report), atol=1e-9)
    every = candidates["uniform.best_head", 0]
    assert change(of_chosen, ~report) >= max(change(one, ~report) for one in every) - 1e-9


@pytest.mark.parametrize("labels", TASK_OF)
def test_the_lowest_of_the_layers_allows_for_all_of_them(swept, labels):
    """Loops over draws; the interval reaches further down than any layer's own, for the lowest is chosen by looking."""
    examples, found = swept[labels]
    metric = texts_of(TASK_OF[labels]).task.metrics[0]
    gold = np.array([example.label for example in sorted(texts_of(TASK_OF[labels]).examples, key=lambda one: one.id)])
    facts = tables(found, examples, "tiny", SEED)["facts"][0]
    half = np.flatnonzero(reported(examples.names, SEED))
    rest = np.flatnonzero(~reported(examples.names, SEED))

    def changed(outcomes, rows):
        return SCORES[metric](outcomes[rows], gold[rows]) - SCORES[metric](found.base[rows], gold[rows])

    best = [max(layer, key=lambda one: round(changed(one, rest), 9)) for layer in found.left]
    value = np.array([changed(one, half) for one in best])
    drawn = [np.repeat(half, count) for count in sample_counts(len(half), SEED).astype(int)]
    draws = np.array([[changed(one, rows) for one in best] for rows in drawn])
    spread = [np.nanstd(column) for column in draws.T]
    moved = [at for at, one in enumerate(spread) if one > 1e-12]
    furthest = [max(np.nan_to_num(abs(draw[at] - value[at]) / spread[at]) for at in moved) for draw in draws]
    width = np.quantile(furthest, 0.95)
    ends = [min(value + sign * width * np.array(spread)) for sign in (-1, 1)]
    np.testing.assert_allclose(values(facts, "zero.best_left.lowest"), [[min(value), *ends]], atol=1e-9)
    assert ends[0] < min(values(facts, "zero.best_left")[:, 1])
    assert set(facts[facts["name"] == "zero.best_left.lowest"]["n"]) == {len(half)}


def test_a_text_answers_nothing_so_that_nothing_leads(masked_lm):
    found, anatomy = masked_lm
    inputs = inputs_of(found.encoder, max_tokens=24)
    facts = masked(found, anatomy, inputs)["facts"][0]
    assert not facts["name"].str.startswith("base.").any()


def test_without_a_task_the_score_is_minus_the_masked_lm_loss_of_documents(masked_lm):
    found, anatomy = masked_lm
    inputs = inputs_of(found.encoder, max_tokens=24)
    assert len({item.document for item in inputs}) < len(inputs)
    examples = MaskedExamples(found, inputs[::-1], "tiny", SEED)
    swept = sweep(examples, anatomy)
    found.encoder.model.set_attn_implementation("eager")
    losses = {name: [] for name in examples.names}
    for item in inputs:
        hidden = hide(item, found, SEED)
        batch = collate([hidden.input], 0)
        with torch.inference_mode():
            logits = found.encoder.model(batch.input_ids, token_type_ids=batch.segment_ids).logits[0].double().numpy()
        of_token = [logsumexp(logits[at]) - logits[at, token] for at, token in hidden.targets.items()]
        losses[item.document].append(sum(of_token) / len(of_token))
    examine(found.encoder)
    expected = [-np.mean(losses[name]) for name in examples.names]
    np.testing.assert_allclose(swept.base, expected, rtol=1e-4)
    facts = masked(found, anatomy, inputs)["facts"][0]
    np.testing.assert_allclose(values(facts, "base")[0, 0], np.mean(expected), rtol=1e-4)
    assert set(facts["corpus"]) == {"tiny"}
    assert facts["n"].max() == len(examples.names)


@pytest.mark.parametrize(("labels", "task"), [(1, "rte"), (2, "stsb"), (2, "mnli")])
def test_a_classifier_of_another_task_is_refused(made, labels, task):
    with pytest.raises(ModelError, match=f"Expected {labels} to put out .* found {labels}; .*{task}"):
        labelled(*made[labels], texts_of(task))


def test_a_single_example_is_refused(made, masked_lm):
    with pytest.raises(CorpusError, match="at least 2 examples of rte to score on, found 1"):
        labelled(*made[2], texts_of("rte", 1))
    one = [PairMaker(masked_lm[0].encoder.tokenizer, 64).sentence("a", SENTENCES[0])]
    with pytest.raises(CorpusError, match="at least 2 examples of tiny"):
        masked(*masked_lm, one)


def test_a_family_that_only_returns_its_maps_is_refused(tmp_path):
    classifier = load_classifier(locate(str(write_classifier("mpnet", tmp_path, 2))), CPU)
    anatomy = examine(classifier.body)
    examples = LabelledExamples(classifier, texts_of("rte"), 64)
    with pytest.raises(ModelError, match="mpnet model that only returns its maps"):
        disabling(examples, anatomy, "model", SEED)
    with pytest.raises(ModelError, match="mpnet model that only returns its maps"):
        pruning(examples, examples, anatomy, "model", SEED)
