"""What a score is compared with, by counts; and what a checkpoint scores on a task, through plain transformers."""

import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from generator.corpora.pairs import PairMaker
from generator.corpora.tasks import Example, LabelledTexts, find_task
from generator.errors import ModelError
from generator.models.classifier import load_classifier
from generator.models.source import locate
from generator.numbers.resampling import DRAWS
from generator.topics.tasks.run.finetune.leads import against_constant, constant_answer, lead, score_of
from tests.encoders import write
from tests.topics.tasks.run.disable.classifiers import logits_of, plain, texts_of, write_classifier

WEIGHTS = "model.safetensors"
CPU, SEED = torch.device("cpu"), 3


def labelled(task, labels):
    examples = (Example(f"dev:{at}", "a", "b", float(label)) for at, label in enumerate(labels))
    return LabelledTexts(find_task(task), "0" * 64, tuple(examples))


def test_the_constant_answer_is_the_commonest_class_or_the_mean():
    assert constant_answer(labelled("mnli", [2, 0, 2, 1])).tolist() == [2.0] * 4
    assert constant_answer(labelled("rte", [0, 1, 0])).tolist() == [0.0] * 3
    assert constant_answer(labelled("stsb", [1.5, 2.5, 5])).tolist() == [3.0] * 3


def test_a_lead_is_over_what_the_constant_scores_and_a_correlation_leads_0():
    assert lead(np.array([0.75, 0.5]), np.array([0.5, 0.5])).tolist() == [0.25, 0.0]
    assert lead(np.array([0.75]), np.array([np.nan])).tolist() == [0.75]


def test_leads_are_paired_draw_by_draw():
    """Score and majority rise and fall together, so that the lead varies less than either."""
    common = np.linspace(-0.1, 0.1, 41)
    scores = np.vstack([[0.8, 0.6], np.stack([0.8 + common, 0.6 + common], axis=1)])
    found = against_constant("base", scores)
    assert found["base.lead"] == pytest.approx((0.2, 0.2, 0.2))
    assert found["base"] == pytest.approx((0.8, 0.705, 0.895))
    assert found["base.majority"] == pytest.approx((0.6, 0.505, 0.695))
    assert list(against_constant("base", scores[:, :1])) == ["base"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders of tiny classifiers of one output and of two."""
    root = tmp_path_factory.mktemp("classifiers")
    return {labels: write_classifier("bert", root / str(labels), labels) for labels in (1, 2)}


def test_the_score_of_a_checkpoint_is_that_of_plain_transformers(folders):
    texts = texts_of("rte")
    found = score_of(locate(str(folders[2])), texts, 64, SEED, CPU)
    model, gold = plain(folders[2]), np.array([example.label for example in texts.examples])
    inputs = inputs_of(folders[2], texts)
    right = np.array([float(logits_of(model, item).argmax()) for item in inputs]) == gold
    constant = gold == float((gold == 1).sum() > (gold == 0).sum())
    times = np.random.default_rng(SEED).multinomial(len(gold), np.full(len(gold), 1 / len(gold)), size=DRAWS)
    for name, hits in (("score", right), ("score.majority", constant), ("score.lead", right - constant.astype(float))):
        draws = [(count * hits).sum() / len(gold) for count in times]
        assert found[name][:3] == pytest.approx((hits.mean(), *np.quantile(draws, [0.025, 0.975]))), name
        assert found[name].n == len(gold), "examples, not answers"


def inputs_of(folder, texts):
    """The inputs in the order of the texts."""
    maker = PairMaker(load_classifier(locate(str(folder)), CPU).encoder.tokenizer, 64)
    return [maker.pair(example.id, example.first, example.second) for example in texts.examples]


def test_a_regression_is_scored_by_its_correlation(folders):
    found = score_of(locate(str(folders[1])), texts_of("stsb"), 64, SEED, CPU)
    assert np.isnan(found["score.majority"].value)
    assert found["score.lead"] == found["score"]


def test_predictions_that_are_not_finite_are_refused_by_the_names_of_model_and_task(folders, tmp_path):
    folder = shutil.copytree(folders[2], tmp_path / "diverged")
    weights = load_file(folder / WEIGHTS)
    weights["classifier.weight"][:] = weights["classifier.bias"][:] = torch.finfo().max
    save_file(weights, folder / WEIGHTS, {"format": "pt"})
    with pytest.raises(ModelError, match="Expected finite predictions of diverged on rte, found others; choose an"):
        score_of(locate(str(folder)), texts_of("rte"), 64, SEED, CPU)


def test_a_checkpoint_of_another_task_or_without_a_head_has_no_score(folders, tmp_path):
    assert score_of(locate(str(folders[2])), texts_of("mnli"), 64, SEED, CPU) == {}
    assert score_of(locate(str(write("bert", tmp_path / "bert"))), texts_of("rte"), 64, SEED, CPU) == {}
