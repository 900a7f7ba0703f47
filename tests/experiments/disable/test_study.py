"""What disabling changes, against single eager forward passes; pruning; and which numbers are put down."""

from dataclasses import replace
from functools import partial
from itertools import compress

import numpy as np
import pytest
import torch
import transformers
from scipy.special import logsumexp
from scipy.stats import rankdata
from transformers import AutoModelForSequenceClassification

from generator.attention.anatomy import examine
from generator.attention.batches import collate
from generator.corpora.pairs import PairMaker
from generator.corpora.tasks import Example, LabelledTexts, find_task
from generator.errors import CorpusError, ModelError
from generator.experiments.disable.examples import LabelledExamples, MaskedExamples, halves_of
from generator.experiments.disable.pruning import numbers_tried, pruning, pruning_order
from generator.experiments.disable.study import disabling, tables
from generator.experiments.disable.sweep import importance, passes, sweep
from generator.experiments.finetune.scores import score
from generator.models.classifier import load_classifier
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.numbers.resampling import sample_counts
from generator.results.tables import FACTS, HEAD_FACTS
from generator.studies.gradients.gradients import hide
from generator.studies.halves import reported
from generator.studies.learning.removable import removable
from tests.attention.observations import inputs_of
from tests.attention.test_gradient import write_masked_lm
from tests.encoders import FAMILIES, GAIN, HEADS, LAYERS, SENTENCES, tokenizer_of

CPU = torch.device("cpu")
COUNT, SEED, SIZE = 30, 3, 32 // HEADS
ADVANCE = [].append


def labelled(classifier, anatomy, texts, advance=ADVANCE):
    """Disabling on a task."""
    return disabling(LabelledExamples(classifier, texts, 64), anatomy, "some/model", SEED, advance)


def masked(found, anatomy, inputs):
    """The same on text."""
    return disabling(MaskedExamples(found, inputs, "tiny", SEED), anatomy, "some/model", SEED, ADVANCE)


def write_classifier(family, folder, labels):
    """Save a random classifier of `labels` outputs and its tokenizer."""
    tokenizer = tokenizer_of(family)
    kind = FAMILIES[family]
    torch.manual_seed(1)
    config = kind.config(len(tokenizer), num_labels=labels)
    model = getattr(transformers, f"{kind.name}ForSequenceClassification")(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = GAIN * torch.randn_like(weight)
            weight.copy_(noise + 1 if "norm" in name.lower() and name.endswith("weight") else noise)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folders of tiny classifiers, by number of outputs."""
    root = tmp_path_factory.mktemp("classifiers")
    return {labels: write_classifier("bert", root / str(labels), labels) for labels in (1, 2)}


@pytest.fixture(scope="module")
def made(folders):
    """Gives a classifier and its anatomy, set to be observed."""

    def load(labels):
        classifier = load_classifier(locate(str(folders[labels])), CPU)
        return classifier, examine(classifier.body)

    return {labels: load(labels) for labels in folders}


def texts_of(name, count=COUNT):
    """Pairs of sentences with labels at random."""
    rng = np.random.default_rng(0)
    task = find_task(name)
    labels = rng.integers(2, size=count) if task.labels else rng.normal(size=count)
    pairs = [(SENTENCES[at % 10], SENTENCES[(3 * at + at // 10) % 10]) for at in range(count)]
    second = (lambda text: text) if task.pair else (lambda _: None)
    examples = tuple(
        Example(f"dev:{at}", a, second(b), float(label))
        for at, ((a, b), label) in enumerate(zip(pairs, labels, strict=True))
    )
    return LabelledTexts(task, "0" * 64, examples)


TASK_OF = {2: "rte", 1: "stsb"}


@pytest.fixture(scope="module")
def swept(made):
    """The examples and the sweep of both classifiers."""
    found = {}
    for labels, name in TASK_OF.items():
        examples = LabelledExamples(made[labels][0], texts_of(name), 64)
        found[labels] = examples, sweep(examples, made[labels][1], ADVANCE)
    return found


def plain(folder):
    """The classifier as transformers loads it, in float64."""
    model = AutoModelForSequenceClassification.from_pretrained(folder, attn_implementation="eager")
    return model.eval().double()


def logits_of(model, item):
    with torch.set_grad_enabled(any(weight.requires_grad for weight in model.parameters())):
        return model(torch.tensor([item.input_ids]), token_type_ids=torch.tensor([item.segment_ids])).logits[0]


def said(model, item):
    """The class, or the value of a regression."""
    logits = logits_of(model, item).detach()
    return float(logits.argmax()) if len(logits) > 1 else float(logits[0])


def silence(model, layer, heads):
    """Remove these heads' slices of the output projection."""
    with torch.no_grad():
        for head in heads:
            weight = model.bert.encoder.layer[layer].attention.output.dense.weight
            weight[:, head * SIZE : (head + 1) * SIZE] = 0


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


def values(table, name):
    """Value, low and high of every row of that name, in order."""
    return table[table["name"] == name][["value", "low", "high"]].to_numpy()


@pytest.mark.parametrize("labels", TASK_OF)
def test_every_number_follows_from_the_outcomes_by_loops(made, swept, labels):
    examples, found = swept[labels]
    metric = texts_of(TASK_OF[labels]).task.metrics[0]
    gold = np.array([one.label for one in sorted(texts_of(TASK_OF[labels]).examples, key=lambda one: one.id)])
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


@pytest.mark.parametrize("labels", TASK_OF)
def test_the_best_are_chosen_on_one_half_and_reported_on_the_other(swept, labels):
    examples, found = swept[labels]
    metric = texts_of(TASK_OF[labels]).task.metrics[0]
    gold = np.array([one.label for one in sorted(texts_of(TASK_OF[labels]).examples, key=lambda one: one.id)])
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


@pytest.mark.parametrize("labels", TASK_OF)
def test_the_lowest_of_the_layers_allows_for_all_of_them(swept, labels):
    """Loops over draws; the interval reaches further down than any layer's own, for the lowest is chosen by looking."""
    examples, found = swept[labels]
    metric = texts_of(TASK_OF[labels]).task.metrics[0]
    gold = np.array([one.label for one in sorted(texts_of(TASK_OF[labels]).examples, key=lambda one: one.id)])
    facts = tables(found, examples, "tiny", SEED)["facts"][0]
    half = np.flatnonzero(reported(examples.names, SEED))
    rest = np.flatnonzero(~reported(examples.names, SEED))

    def changed(outcomes, rows):
        return score(metric, outcomes[rows], gold[rows]) - score(metric, found.base[rows], gold[rows])

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
    }
    for table in (facts, head_facts):
        assert (set(table["model"]), set(table["corpus"])) == ({"some/model"}, {"rte"})
        assert set(table["study"]) == {"disabling"}
        assert (table["low"] <= table["high"]).all()


def test_progress_counts_every_token_that_is_read(made):
    classifier, anatomy = made[2]
    told = []
    labelled(classifier, anatomy, texts_of("rte", 4), told.append)
    tokens = sum(map(len, LabelledExamples(classifier, texts_of("rte", 4), 64).inputs))
    assert sum(told) == passes(anatomy) * tokens
    assert passes(anatomy) == 2 + 2 * LAYERS * (HEADS + 1) + LAYERS * HEADS


@pytest.fixture(scope="module")
def masked_lm(tmp_path_factory):
    """A tiny BERT with a masked-LM head, and its anatomy."""
    folder = write_masked_lm("bert", tmp_path_factory.mktemp("masked") / "bert")
    found = load_masked_lm(locate(str(folder)), CPU)
    return found, examine(found.encoder)


def test_without_a_task_the_score_is_minus_the_masked_lm_loss_of_documents(masked_lm):
    found, anatomy = masked_lm
    inputs = inputs_of(found.encoder, max_tokens=24)
    assert len({item.document for item in inputs}) < len(inputs)
    examples = MaskedExamples(found, inputs[::-1], "tiny", SEED)
    swept = sweep(examples, anatomy, ADVANCE)
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
    drawn = reported([one.id for one in texts.examples], SEED)
    halves = (
        LabelledExamples(classifier, replace(texts, examples=tuple(compress(texts.examples, drawn == half))), 64)
        for half in (False, True)
    )
    facts = pruning(*halves, anatomy, "model", SEED)["facts"][0]
    of_choosing = importance(examples, anatomy, ADVANCE)[~report].mean(0)
    order = pruning_order(of_choosing)
    gold = np.array([one.label for one in sorted(texts.examples, key=lambda one: one.id)])
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
        disabling(examples, anatomy, "model", SEED, ADVANCE)
    with pytest.raises(ModelError, match="mpnet model that only returns its maps"):
        pruning(examples, examples, anatomy, "model", SEED)
