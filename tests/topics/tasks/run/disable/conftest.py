"""Tiny classifiers, swept once, and a tiny masked language model."""

import pytest

from generator.attention.anatomy import examine
from generator.models.classifier import load_classifier
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.topics.tasks.run.disable.examples import LabelledExamples
from generator.topics.tasks.run.disable.sweep import sweep
from tests.attention.masked_lm import write_masked_lm
from tests.topics.tasks.run.disable.classifiers import CPU, TASK_OF, texts_of, write_classifier


@pytest.fixture(scope="package")
def folders(tmp_path_factory):
    """The folders of tiny classifiers, by number of outputs."""
    root = tmp_path_factory.mktemp("classifiers")
    return {labels: write_classifier("bert", root / str(labels), labels) for labels in (1, 2)}


@pytest.fixture(scope="package")
def made(folders):
    """Gives a classifier and its anatomy, set to be observed."""

    def load(labels):
        classifier = load_classifier(locate(str(folders[labels])), CPU)
        return classifier, examine(classifier.body)

    return {labels: load(labels) for labels in folders}


@pytest.fixture(scope="package")
def swept(made):
    """The examples and the sweep of both classifiers."""
    found = {}
    for labels, name in TASK_OF.items():
        examples = LabelledExamples(made[labels][0], texts_of(name), 64)
        found[labels] = examples, sweep(examples, made[labels][1])
    return found


@pytest.fixture(scope="package")
def masked_lm(tmp_path_factory):
    """A tiny BERT with a masked-LM head, and its anatomy."""
    folder = write_masked_lm("bert", tmp_path_factory.mktemp("masked") / "bert")
    found = load_masked_lm(locate(str(folder)), CPU)
    return found, examine(found.encoder)
