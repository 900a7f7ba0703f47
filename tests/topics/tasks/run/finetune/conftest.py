"""A tiny encoder with tasks to tune it on, and stored predictions of several ways of training."""

import gc

import numpy as np
import pytest

from generator.corpora.tasks import find_task, read_task
from tests.experiments.reviews import encoder, write_tasks
from tests.topics.tasks.run.finetune.answers import MADE, put


@pytest.fixture(scope="package", autouse=True)
def uncollected():
    """Each training collects garbage several times, which looks through all that other tests have left."""
    gc.freeze()


@pytest.fixture(scope="package")
def place(tmp_path_factory):
    """A folder with an encoder and tasks."""
    folder = tmp_path_factory.mktemp("place")
    write_tasks(folder / "data")
    encoder(folder)
    return folder


@pytest.fixture(scope="package")
def runs(tmp_path_factory):
    """Made-up predictions of two seeds or more, of a random start, and of one run of a frozen encoder."""
    folder = tmp_path_factory.mktemp("runs")
    gold = read_task(find_task("sst2"), write_tasks(folder / "data", dev=30), "dev")
    rng = np.random.default_rng(0)
    labels = np.array([example.label for example in gold.examples])
    for kind, seeds in MADE.items():
        for seed in range(seeds):
            wrong = rng.random(30) < 0.2 + 0.1 * seed
            put(folder / "sst2", kind, seed, gold, np.where(wrong, 1 - labels, labels).astype(int).tolist())
    return folder / "sst2", gold
