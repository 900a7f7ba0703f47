"""How inputs are put together changes no number: batches, order, padding, whole batches, several runs."""

from functools import cache

import pytest

from generator.attention.batches import collate
from generator.attention.portions import in_portions
from generator.attention.stream import Options, observe
from tests.attention.observations import inputs_of, largest_difference, survey
from tests.encoders import FAMILIES

SAME = 1e-6
ALONE = Options(batch_tokens=1)
"""A budget of one token: every input is a batch of its own, without padding."""
TOGETHER = 1_000_000

families = pytest.mark.parametrize("family", FAMILIES)


@pytest.fixture(scope="module")
def alone(encoder, anatomy):
    """Gives the columns of every input of a family, each observed alone."""
    return cache(lambda family: survey(encoder(family), anatomy(family), inputs_of(encoder(family)), ALONE))


@families
@pytest.mark.parametrize("budget", [150, TOGETHER], ids=["some together", "all together"])
@pytest.mark.parametrize("whole", [False, True], ids=["one document at a time", "whole batch"])
def test_batches_and_their_padding_change_nothing(alone, encoder, anatomy, family, budget, whole):
    options = Options(batch_tokens=budget, whole_batch=whole)
    found = survey(encoder(family), anatomy(family), inputs_of(encoder(family)), options)
    assert largest_difference(found, alone(family)) < SAME


@families
def test_the_order_of_inputs_changes_nothing(alone, encoder, anatomy, family):
    inputs = inputs_of(encoder(family))
    for order in (inputs[::-1], inputs[1::2] + inputs[::2]):
        assert largest_difference(survey(encoder(family), anatomy(family), order), alone(family)) < SAME


@families
def test_two_runs_over_halves_equal_one_run_over_all(alone, encoder, anatomy, family):
    inputs = inputs_of(encoder(family))
    halves = [survey(encoder(family), anatomy(family), part) for part in (inputs[::2], inputs[1::2])]
    assert largest_difference(halves[0] | halves[1], alone(family)) < SAME


@families
def test_a_repeated_run_gives_the_same_bits(encoder, anatomy, family):
    runs = [survey(encoder(family), anatomy(family), inputs_of(encoder(family))) for _ in range(2)]
    assert largest_difference(*runs) == 0


def test_every_input_is_observed_exactly_once_longest_first(encoder, anatomy):
    inputs = inputs_of(encoder("bert"))
    seen = [one.input for one in observe(encoder("bert"), anatomy("bert"), inputs, Options(batch_tokens=150))]
    assert sorted(map(id, seen)) == sorted(map(id, inputs))
    assert [len(item) for item in seen] == sorted(map(len, inputs), reverse=True)


@pytest.mark.parametrize("budget", [1, 64, 150, TOGETHER])
def test_no_batch_is_larger_than_the_budget_unless_it_holds_one_input(encoder, budget):
    loaded = encoder("bert")
    for batch in in_portions(loaded, inputs_of(loaded), lambda some: [collate(some, loaded.pad)], tokens=budget):
        assert batch.input_ids.numel() <= budget or len(batch.inputs) == 1
        assert batch.mask.sum(1).tolist() == [len(item) for item in batch.inputs]
        assert (batch.input_ids[batch.mask == 0] == loaded.pad).all()


def test_no_inputs_give_no_observations(encoder, anatomy):
    assert list(observe(encoder("bert"), anatomy("bert"), [])) == []
