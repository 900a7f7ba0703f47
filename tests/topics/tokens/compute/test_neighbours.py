"""Corpus statistics of frequent types: a fair entropy for unequal samples, places, and equal samples."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.topics.tokens.compute.neighbours import describe, distances_to_end, equal_samples, frequent_types
from generator.topics.tokens.derived.entropy import sample_entropy
from generator.topics.tokens.records.tokens import SAMPLE

BEGIN, SEPARATOR, PUNCTUATION, OTHER = TokenClass
KINDS = {0: BEGIN, 1: SEPARATOR, 2: PUNCTUATION, 3: PUNCTUATION}


def made(document, ids, part=1):
    """[CLS] is 0, [SEP] 1, "." 2, "," 3; all else is text."""
    first_end = ids.index(1) if 1 in ids else len(ids)
    segments = tuple(int(at > first_end) for at in range(len(ids)))
    return Input(document, part, tuple(ids), segments, tuple(KINDS.get(token, OTHER) for token in ids))


def corpus(inputs=60, seed=0):
    """Pairs of random length; lower ids are more frequent."""
    rng = np.random.default_rng(seed)
    made_inputs = []
    for number in range(inputs):
        a, b = (np.minimum(rng.geometric(0.15, rng.integers(5, 12)) + 1, 30).tolist() for _ in range(2))
        made_inputs.append(made(f"d{number // 2}", [0, *a, 1, *b, 1], part=number % 2 + 1))
    return made_inputs


def entropy(values):
    """Slow and plain."""
    total = math.fsum(values)
    return -math.fsum(value / total * math.log(value / total) for value in values if value)


@pytest.mark.parametrize(("counts", "size"), [([3, 2, 1], 3), ([4, 4], 5), ([1] * 7, 4), ([6], 3), ([5, 1, 1], 7)])
def test_the_expected_entropy_of_a_sample_is_the_mean_over_all_samples(counts, size):
    tokens = [kind for kind, count in enumerate(counts) for _ in range(count)]
    found = [entropy(list(Counter(drawn).values())) for drawn in combinations(tokens, size)]
    assert sample_entropy(counts, size) == pytest.approx(math.fsum(found) / len(found), abs=1e-12)


def test_a_rare_type_looks_more_constant_than_a_frequent_one_unless_the_samples_are_equal():
    """Both are drawn from the same forty neighbours."""
    rng = np.random.default_rng(0)
    few = [rng.multinomial(60, [1 / 40] * 40) for _ in range(20)]
    many = [rng.multinomial(600, [1 / 40] * 40) for _ in range(20)]
    plain = [np.mean([entropy(counts) for counts in found]) for found in (few, many)]
    fair = [np.mean([sample_entropy(counts[counts > 0].tolist()) for counts in found]) for found in (few, many)]
    assert plain[1] - plain[0] > 0.2
    assert abs(fair[1] - fair[0]) < 0.02


def test_fewer_occurrences_than_the_sample_have_no_entropy():
    assert math.isnan(sample_entropy([SAMPLE - 1]))
    assert sample_entropy([SAMPLE]) == 0
    assert math.isnan(sample_entropy([]))


def test_special_tokens_and_marks_are_followed_however_rare_and_then_the_most_frequent_types():
    inputs = [made("a", [0, 9, 9, 9, 5, 7, 7, 5, 2, 1, 6, 6, 6, 6, 1])]
    assert frequent_types(inputs, most=6) == (6, 9, 1, 5, 0, 2)
    assert frequent_types(inputs, most=2) == (1, 0, 2)


def test_every_fact_of_a_type_equals_a_slow_count():
    inputs = corpus()
    types = frequent_types(inputs, most=8)
    everything = Counter(token for item in inputs for token in item.input_ids)
    ranking = sorted(everything, key=lambda token: (-everything[token], token))
    for fact in describe(inputs, types):
        after, before, places, ends = Counter(), Counter(), [], []
        for item in inputs:
            for at, token in enumerate(item.input_ids):
                if token != fact.token:
                    continue
                if at + 1 < len(item):
                    after[item.input_ids[at + 1]] += 1
                if at > 0:
                    before[item.input_ids[at - 1]] += 1
                places.append(at / (len(item) - 1))
                ends.append(item.input_ids.index(1, at) - at)
        assert (fact.count, fact.rank) == (everything[fact.token], ranking.index(fact.token) + 1)
        assert fact.position_deviation == pytest.approx(np.std(places), abs=1e-12)
        assert fact.end_deviation == pytest.approx(np.std(ends), abs=1e-12)
        expected = [sample_entropy(list(found.values())) for found in (after, before)]
        np.testing.assert_array_equal([fact.next_entropy, fact.previous_entropy], expected)


def test_what_follows_is_told_from_what_precedes():
    """Type 5 is always followed by 6, and preceded by 10, 11, 12, ... in turn."""
    inputs = [made(f"d{number}", [0, 10 + number, 5, 6, 1, 10 + number, 1]) for number in range(SAMPLE)]
    (fact,) = describe(inputs, [5])
    assert fact.next_entropy == 0
    assert fact.previous_entropy == pytest.approx(math.log(SAMPLE))


def test_separators_and_the_begin_token_are_fixed_in_place_and_marks_are_not():
    facts = {fact.token: fact for fact in describe(corpus(), (0, 1, 2))}
    assert facts[1].end_deviation == facts[0].position_deviation == 0
    assert facts[2].end_deviation > 1
    assert facts[2].position_deviation > 0.1
    assert facts[1].position_deviation > 0.1


def test_a_segment_ends_with_its_separator_and_a_text_without_one_with_its_last_token():
    assert distances_to_end(made("a", [0, 5, 1, 1, 6, 7, 1])) == [2, 1, 0, 0, 2, 1, 0]
    assert distances_to_end(made("a", [5, 6, 7])) == [2, 1, 0]


def test_equal_samples_take_one_occurrence_of_every_input_before_a_second():
    inputs = corpus()
    samples = equal_samples(inputs, (0, 1, 2, 29), seed=0)
    ids = {(item.document, item.part): item.input_ids for item in inputs}
    assert set(samples) == {0, 1, 2}
    for token, places in samples.items():
        assert len(set(places)) == SAMPLE
        assert {ids[place.document, place.part][place.position] for place in places} == {token}
        holding = sum(token in item.input_ids for item in inputs)
        assert len({place[:2] for place in places}) == min(SAMPLE, holding)


def test_the_occurrence_of_an_input_is_drawn_and_not_always_its_first():
    """Every input has two separators; a fair draw takes either about as often."""
    inputs = corpus()
    first = {(item.document, item.part): item.input_ids.index(1) for item in inputs}
    drawn = equal_samples(inputs, (1,), seed=0)[1]
    assert 15 <= sum(place.position == first[place[:2]] for place in drawn) <= 35


def test_neither_the_order_of_inputs_nor_a_further_run_changes_a_sample_and_the_seed_does():
    inputs = corpus()
    assert equal_samples(inputs[::-1], (1,), seed=0) == equal_samples(inputs, (1,), seed=0)
    assert equal_samples(inputs, (1,), seed=1) != equal_samples(inputs, (1,), seed=0)
