"""Too little memory: what is left is read in smaller portions, once, by all that reads many inputs at a time."""

import weakref
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
import transformers

from generator.attention.anatomy import examine
from generator.attention.changed.rewire import CutKeys
from generator.attention.gradient import attention_gradients, input_gradients
from generator.attention.portions import MOST, ON_CPU, in_portions, tokens_at_once, tokens_within
from generator.attention.stream import Options, observe
from generator.errors import ModelError
from generator.models.masked_lm import load_masked_lm
from generator.models.source import locate
from generator.progress import reporting_to
from generator.topics.inputs.compute.hidden_tokens import log_probabilities
from generator.topics.inputs.compute.rewired import RewiredLosses
from generator.topics.vectors.compute.gradients import hide
from tests.attention.observations import DOCUMENTS, inputs_of, largest_difference, scarce, survey
from tests.encoders import FAMILIES
from tests.topics.inputs.compute.asked import begin_facts, manipulation_facts

MORE = [replace(document, id=f"{document.id} {at}") for document in DOCUMENTS for at in range(3)]
"""Several batches of a quarter."""
LENGTHS = (5, 9, 5, 9, 9, 2)
ENOUGH = ON_CPU // 4


@pytest.mark.parametrize(
    ("tokens", "padded", "found"),
    [
        (18, True, [(9, 9), (9, 5), (5, 2)]),
        (17, True, [(9,), (9,), (9,), (5, 5, 2)]),
        (18, False, [(9, 9), (9,), (5, 5), (2,)]),
        (4, True, [(9,), (9,), (9,), (5,), (5,), (2,)]),
    ],
)
def test_a_portion_is_no_larger_than_asked_for_or_one_item(encoder, tokens, padded, found):
    words = ["w" * length for length in LENGTHS]
    portions = in_portions(encoder("bert"), words, lambda some: [tuple(map(len, some))], padded=padded, tokens=tokens)
    assert list(portions) == found


@pytest.mark.parametrize("cost", [1, 4])
def test_every_portion_is_told_once_when_all_that_was_found_is_handed_on(encoder, cost):
    words, told = ["w" * length for length in LENGTHS], []
    portions = in_portions(encoder("bert"), words, lambda some: [sum(map(len, some))], cost=cost, tokens=18)
    handed = []
    with reporting_to(told.append):
        for tokens in portions:
            assert told == handed
            handed.append(cost * tokens)
    assert told == handed == [cost * tokens for tokens in (18, 14, 7)]


@pytest.mark.parametrize("family", FAMILIES)
def test_more_memory_gives_larger_batches_and_longer_inputs_smaller_ones(encoder, family):
    loaded = encoder(family)
    grown = [tokens_within(2**power, loaded, 64) for power in range(10, 40)]
    assert grown == sorted(grown)
    assert (grown[0], grown[-1]) == (1, MOST)
    assert {tokens & (tokens - 1) for tokens in grown} == {0}, "a little more memory changes no batch"
    lengths = [tokens_within(2**24, loaded, length) for length in (16, 256, 4096, 65536)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]


def test_a_batch_for_a_known_model_and_memory(encoder):
    bert = transformers.BertConfig()
    shape = {"num_hidden_layers": 12, "num_attention_heads": 12, "hidden_size": 768}
    assert {name: getattr(bert, name) for name in shape} == shape
    with torch.device("meta"):
        plain, headed = transformers.BertModel(bert), transformers.BertForMaskedLM(bert)
    numbers = 12 * (2 * 12 * 128 + 8 * 768) + 4 * 12 * 128
    for model, each in ((plain, numbers), (headed, numbers + 30522 // 2)):
        loaded = replace(encoder("bert"), model=model)
        assert tokens_within(4096 * each * 4, loaded, 128) == 4096
        assert tokens_within(4096 * each * 4 - 1, loaded, 128) == 2048


def test_on_a_cpu_a_batch_is_the_same_for_every_model_and_length(encoder):
    assert {tokens_at_once(encoder("bert"), length) for length in (16, 8192)} == {ON_CPU}


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("can't allocate memory: 9 bytes"), torch.OutOfMemoryError()]
)
def test_what_is_left_is_read_in_quarters_once_and_that_is_said(encoder, error):
    said, seen, told = [], [], []

    def read(some):
        seen.append(len(some))
        if len(some) > 1 and len(seen) > 1:
            raise error
        return some

    words = ["ww"] * 9
    portions = in_portions(encoder("bert"), words, read, tokens=8, say=said.append)
    with reporting_to(told.append):
        assert list(portions) == words
    assert seen == [4, 4, 1, 1, 1, 1, 1]
    assert told == [8, 2, 2, 2, 2, 2]
    assert said == ["Memory did not suffice for 8 tokens at once: the rest is read in batches of a quarter."]


def test_where_quarters_do_not_suffice_one_sentence_says_so_and_other_errors_stay_what_they_are(encoder):
    def read(some):
        raise MemoryError if len(some) > 1 else RuntimeError("shapes differ")

    loaded = encoder("bert")
    with pytest.raises(ModelError, match=rf"memory for 2 x 2 tokens of {loaded.id}, .* lower --max-tokens"):
        list(in_portions(loaded, ["ww"] * 9, read, tokens=16, say=lambda _: None))
    with pytest.raises(RuntimeError, match="shapes differ"):
        list(in_portions(loaded, ["ww"], read))


def test_nothing_of_a_portion_is_held_when_the_next_is_read(encoder):
    held = []

    def read(some):
        assert [one() for one in held] == [None] * len(held)
        large = np.zeros(len(some))
        held.append(weakref.ref(large))
        return (value.item() for value in large)

    assert list(in_portions(encoder("bert"), ["ww"] * 4, read, tokens=4)) == [0.0] * 4
    assert len(held) == 2


def test_an_observation_goes_on_in_smaller_batches(encoder, anatomy):
    loaded, said = encoder("bert"), []
    inputs = inputs_of(loaded, MORE)
    options, longest = Options(say=said.append), max(map(len, inputs))
    plain = survey(loaded, anatomy("bert"), inputs)
    with scarce(loaded, ENOUGH):
        found = survey(loaded, anatomy("bert"), inputs, options)
    assert largest_difference(found, plain) < 1e-6
    assert len(said) == 1
    with scarce(loaded, longest - 1), pytest.raises(ModelError, match=rf"x {longest} tokens .* lower --max-tokens"):
        list(observe(loaded, anatomy("bert"), inputs, options))


def losses(masked_lm, hidden):
    found = attention_gradients(masked_lm.encoder, examine(masked_lm.encoder), hidden)
    return {(one.input.document, one.input.part): np.concatenate([g.ravel() for g in one.gradients]) for one in found}


def importances(masked_lm, hidden):
    found = input_gradients(masked_lm.encoder, examine(masked_lm.encoder), hidden)
    return {(one.input.document, one.input.part): one.importance for one in found}


def rewired(masked_lm, hidden):
    first = [one for one in hidden if one.input.part == 1]
    reader = RewiredLosses(masked_lm.encoder, examine(masked_lm.encoder), first)
    without_begin = reader.losses(lambda batch: CutKeys({1}, [[0]] * len(batch.inputs)))
    return dict(zip(reader.documents, without_begin, strict=True))


def begun(masked_lm, hidden):
    (table,) = begin_facts(masked_lm, examine(masked_lm.encoder), "c", [one.input for one in hidden], seed=0)
    return dict(zip(table["name"], table["value"], strict=True))


def told(masked_lm, hidden):
    inputs, targets = [one.input for one in hidden], [one.targets for one in hidden]
    return dict(enumerate(log_probabilities(masked_lm, inputs, targets)))


def test_an_input_and_its_changes_are_compared_in_smaller_batches(encoder, anatomy):
    loaded = encoder("bert")
    inputs = inputs_of(loaded)
    few = 3 * max(map(len, inputs))
    plain = manipulation_facts(loaded, anatomy("bert"), "c", inputs, seed=0)
    with scarce(loaded, few), pytest.warns(UserWarning, match="Memory did not suffice"):
        found = manipulation_facts(loaded, anatomy("bert"), "c", inputs, seed=0)
    for one, other in ((one, other) for name in plain for one, other in zip(plain[name], found[name], strict=True)):
        pd.testing.assert_frame_equal(one, other, check_exact=False, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("read", [losses, importances, rewired, begun, told])
def test_what_asks_for_hidden_words_goes_on_in_smaller_batches(head_folder, read):
    masked_lm = load_masked_lm(locate(str(head_folder("bert"))), torch.device("cpu"))
    hidden = [hide(item, masked_lm, seed=0) for item in inputs_of(masked_lm.encoder, MORE)]
    plain = read(masked_lm, hidden)
    with scarce(masked_lm.encoder, ENOUGH), pytest.warns(UserWarning, match="batches of a quarter"):
        found = read(masked_lm, hidden)
    assert found.keys() == plain.keys()
    for key in plain:
        np.testing.assert_allclose(found[key], plain[key], rtol=1e-4, atol=1e-6)
