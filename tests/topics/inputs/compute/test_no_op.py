"""Separators and words of equal weight cut off: every number against BERT by loops in float64."""

import numpy as np
import pytest
import torch

from generator.attention.anatomy import examine
from generator.corpora.classes import TokenClass
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.results.tables import FACTS
from generator.topics.inputs.compute.changed import draws
from generator.topics.inputs.compute.manipulations import hide
from generator.topics.inputs.compute.no_op import as_heavy
from generator.topics.inputs.records.inputs import NO_OP
from tests.attention.masked_lm import write_masked_lm
from tests.attention.observations import inputs_of
from tests.topics.inputs.compute.asked import no_op_facts
from tests.topics.inputs.compute.test_begin_token import SlowBert

SEED, LAYERS = 3, 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A BERT with its head."""
    return write_masked_lm("bert", tmp_path_factory.mktemp("no-op") / "bert", num_hidden_layers=LAYERS)


@pytest.fixture(scope="module")
def masked_lm(folder):
    return load_masked_lm(locate(str(folder)), torch.device("cpu"))


@pytest.fixture(scope="module")
def inputs(masked_lm):
    """Documents of different length, one of them in parts."""
    return inputs_of(masked_lm.encoder)[1:]


@pytest.fixture(scope="module")
def found(masked_lm, inputs):
    (table,) = no_op_facts(masked_lm, examine(masked_lm.encoder), "c", inputs, SEED)
    return table


@pytest.fixture(scope="module")
def slow(folder, masked_lm, inputs):
    """Name -> a number of every document."""
    bert, rows = SlowBert(folder), []
    for item in sorted((item for item in inputs if item.part == 1), key=lambda item: item.document):
        hidden = hide(item, masked_lm.mask, SEED)
        clean, _, maps = bert.run(hidden.input)
        received = [
            np.mean([head[i][j] for head in np.concatenate(maps) for i in range(len(item))]) for j in range(len(item))
        ]
        separators = [at for at, kind in enumerate(item.classes) if kind is TokenClass.SEPARATOR]
        words = [at for at, kind in enumerate(item.classes) if kind is TokenClass.OTHER and at not in hidden.targets]
        wanted, chosen, best = sum(received[at] for at in separators), [], np.inf
        drawn = draws(item, NO_OP.name, SEED).permutation(words).tolist()
        for count in range(1, len(drawn) + 1):
            apart = abs(sum(received[at] for at in drawn[:count]) - wanted)
            if apart < best:
                chosen, best = drawn[:count], apart

        def loss(logs, targets=hidden.targets):
            return -sum(logs[at, token].item() for at, token in targets.items()) / len(targets)

        def rise(cut, hidden=hidden, loss=loss, clean=clean):
            return loss(bert.run(hidden.input, cut=cut, layers=range(LAYERS))[0]) - loss(clean)

        one = {"separators.weight": wanted, "words.weight": sum(received[at] for at in chosen)}
        one |= {"separators.loss": rise(separators), "words.loss": rise(chosen)}
        rows.append(one | {"lead": one["separators.loss"] - one["words.loss"] / 2, "last.loss": rise(separators[-1:])})
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def test_every_number_equals_that_of_a_model_run_by_loops(found, slow):
    value = found.set_index("name")["value"]
    wrong = slow.pop("last.loss")
    assert set(value.index) == set(slow)
    for name, numbers in slow.items():
        assert value[name] == pytest.approx(numbers.mean(), rel=1e-3, abs=1e-5), name
        assert abs(numbers.mean()) > 1e-4, "a number that says something"
    assert abs(wrong.mean() - slow["separators.loss"].mean()) > 1e-3, "one separator of two is not enough"
    assert set(found["n"]) == {len(wrong)}
    assert list(found.columns) == FACTS.names


def test_words_weigh_what_separators_weigh(found):
    row = found.set_index("name")["value"]
    assert row["words.weight"] == pytest.approx(row["separators.weight"], rel=0.3)


@pytest.mark.parametrize(
    ("received", "others", "expected"),
    [
        ([0.3, 0.1, 0.1, 0.5], [1, 2, 3], [1, 2]),
        ([0.29, 0.1, 0.1, 0.1], [1, 2, 3], [1, 2, 3]),
        ([0.4, 0.1, 0.1, 0.1], [1, 2, 3], []),
        ([0.4, 0.6], [], []),
        ([0.1, 0.9], [1], [1]),
    ],
)
def test_others_are_taken_until_they_weigh_as_much(received, others, expected):
    assert as_heavy(np.array(received), np.array([0]), np.array(others, dtype=int)).tolist() == expected


def test_too_few_documents_and_families_without_the_seam_have_no_table(masked_lm, inputs, tmp_path):
    assert no_op_facts(masked_lm, examine(masked_lm.encoder), "c", inputs[:1], SEED) == []
    folder = write_masked_lm("mpnet", tmp_path / "mpnet")
    other = load_masked_lm(locate(str(folder)), torch.device("cpu"))
    assert no_op_facts(other, examine(other.encoder), "c", inputs_of(other.encoder)[1:], SEED) == []
