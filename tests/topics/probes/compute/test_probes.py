"""Probes find what is planted in a map, and no more."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from generator.attention.stream import Options, observe
from generator.attention.words import WordMaps, word_maps
from generator.corpora.pairs import PairMaker
from generator.corpora.treebank import treebank_inputs
from generator.errors import CorpusError
from generator.progress import reporting_to
from generator.studies.halves import reported
from generator.topics.probes.compute.attention_probe import AttentionProbe
from generator.topics.probes.compute.data import TASKS, ProbeExample, batches, control_heads
from generator.topics.probes.compute.distance_probe import DistanceProbe
from generator.topics.probes.compute.probe import correct
from generator.topics.probes.compute.probes import LEADS, MOST_SENTENCES, probe_facts, probing, sampled
from generator.topics.probes.compute.training import learn
from generator.topics.probes.compute.word_vectors import Reduction
from tests.studies.treebanks import NAME, bank, few
from tests.topics.probes.compute.planted import CPU, HEADS, LAYERS, MAPS, VOCABULARY, examples

MOST = 5000
"""Sentences shown to a probe: enough, and soon over."""
SEED = 0


def batch_list(found, seed=0):
    reduction = Reduction.of(np.concatenate([one.vectors for one in found]))
    return list(batches(found, reduction, seed, CPU))


def share_found(found, probe=None, task="heads"):
    """Of scored words, by an attention-only probe that learnt from the first two thirds."""
    probe = probe or AttentionProbe(MAPS, 0)
    ready = batch_list(found)
    third = len(ready) // 3
    learn(probe, ready[: 2 * third], ready[2 * third : 2 * third + 1], seed=0, most=MOST)
    hits, words = 0, 0
    for batch in ready[2 * third + 1 :]:
        hits += int(correct(probe, batch)[TASKS.index(task)].sum())
        words += int(batch.scored.sum())
    return hits / words


@pytest.fixture(scope="module")
def facts():
    """Twins hold the tree, the model's own maps hold nothing."""
    return probe_facts(examples(40), examples(40, "tree everywhere"), "m", "c", seed=3, device=CPU)


def value(facts, name, column="value"):
    return facts.set_index("name").loc[name, column]


@pytest.mark.parametrize("plant", ["tree", "transposed"])
def test_a_planted_head_is_found_in_either_direction(plant):
    assert share_found(examples(90, plant)) > 0.97


def test_a_probe_without_reversed_maps_misses_a_head_that_attends_to_its_dependents():
    """Guards the test above: nothing but `u_k` sees a transposed head."""
    probe = AttentionProbe(MAPS, 0)
    probe.parts(probe.weights)["bias"][:, :MAPS] = 100.0
    ready = batch_list(examples(40, "transposed"))
    hits = sum(int(correct(probe, batch)[TASKS.index("heads")].sum()) for batch in ready)
    assert hits < 0.7 * sum(int(batch.scored.sum()) for batch in ready)


@pytest.mark.parametrize("token", ["begin", "separator"])
def test_the_root_is_found_by_its_attention_to_a_special_token(token):
    """Only roots are scored; every word spreads the rest of its attention evenly."""
    found = []
    for example in examples(90):
        words, root = len(example.heads), example.heads == 0
        mass = np.broadcast_to(np.where(root, 0.8, 0.1), (LAYERS, HEADS, words)).astype(np.float32)
        weights = np.broadcast_to((1 - mass[..., None]) / words, (LAYERS, HEADS, words, words)).astype(np.float32)
        masses = {"begin": np.zeros_like(mass), "separator": np.zeros_like(mass)} | {token: mass}
        found.append(replace(example, maps=WordMaps(weights, **masses), scored=root))
    assert share_found(found) > 0.97
    assert share_found([replace(one, scored=one.heads > 0) for one in found]) < 0.7


def test_random_maps_tell_no_more_than_chance(facts):
    assert value(facts, "attention") < value(facts, "right-branching") + 0.05
    assert value(facts, "attention+words") < value(facts, "right-branching") + 0.1


def test_the_maps_of_the_twin_are_those_of_the_twin(facts):
    assert 0.9 < value(facts, "random attention+words") <= 1


def test_selectivity_is_the_score_less_that_of_the_control_task(facts):
    for name in ("attention", "attention+words", "distances+words", "random attention+words"):
        difference = value(facts, name) - value(facts, f"{name}.control")
        assert value(facts, f"{name}.selectivity") == pytest.approx(difference, abs=1e-12)


def test_probes_are_compared_on_the_same_sentences(facts):
    for one, other in LEADS:
        name = f"{one}.minus.{other}"
        assert value(facts, name) == pytest.approx(value(facts, one) - value(facts, other), abs=1e-12)
        end_to_end = sum(value(facts, probe, "high") - value(facts, probe, "low") for probe in (one, other))
        assert value(facts, name, "high") - value(facts, name, "low") < end_to_end


def test_every_number_is_a_fact_with_an_interval(facts):
    assert list(facts.columns) == ["model", "corpus", "study", "name", "layer", "value", "low", "high", "n"]
    assert set(facts["study"]) == {"probe"}
    assert set(facts["layer"]) == {0}
    assert not facts["name"].duplicated().any()
    assert (facts["low"] <= facts["value"]).all()
    assert (facts["value"] <= facts["high"]).all()
    assert (facts["n"] == reported([f"s{number}" for number in range(40)], 3).sum()).all()


def test_right_branching_and_the_words_it_is_scored_on_equal_a_loop(facts):
    found = examples(40)
    hits, words = 0, 0
    for one, reports in zip(found, reported([one.id for one in found], 3), strict=True):
        for at, head in enumerate(one.heads, start=1):
            if reports and one.scored[at - 1]:
                words += 1
                hits += head == (at + 1 if at < len(one.heads) else 0)
    assert value(facts, "right-branching") == pytest.approx(hits / words, abs=1e-12)


def test_the_order_of_sentences_changes_no_number(facts):
    order = np.random.default_rng(0).permutation(40)
    found, twins = examples(40), examples(40, "tree everywhere")
    again = probe_facts([found[at] for at in order], twins, "m", "c", seed=3, device=CPU)
    pd.testing.assert_frame_equal(again, facts, check_exact=True)


def test_another_seed_draws_other_halves(facts):
    again = probe_facts(examples(40), None, "m", "c", seed=4, device=CPU)
    assert value(again, "right-branching") != value(facts, "right-branching")
    assert not again["name"].str.startswith("random").any()


def test_too_few_sentences_are_refused_with_their_numbers():
    with pytest.raises(CorpusError, match=r"at least 5 sentences of tiny .* found 4 and 2; choose a larger treebank"):
        probe_facts(examples(6), None, "m", "tiny", 2, CPU)


def test_in_the_control_task_a_type_behaves_alike_everywhere():
    behaviours = {}
    for example in examples(40):
        heads, words = control_heads(example.types, seed=0), len(example.types)
        for at, (kind, head) in enumerate(zip(example.types, heads, strict=True), start=1):
            assert 1 <= head <= words
            allowed = {name for name, place in (("self", at), ("first", 1), ("last", words)) if place == head}
            behaviours[kind] = behaviours.get(kind, allowed) & allowed
    assert all(behaviours.values())
    assert set().union(*behaviours.values()) == {"self", "first", "last"}


def test_another_seed_draws_other_behaviours():
    assert not np.array_equal(control_heads(VOCABULARY, 0), control_heads(VOCABULARY, 1))


def test_a_probe_that_sees_word_types_solves_the_control_task_and_one_that_does_not_fails():
    found = sorted(examples(120), key=lambda one: one.id)
    dim = Reduction.of(np.concatenate([one.vectors for one in found])).axes.shape[1]
    assert share_found(found, DistanceProbe(dim, seed=0), "control") > 0.8
    assert share_found(found, AttentionProbe(MAPS, 0), "control") < 0.5


@pytest.mark.parametrize("probe", [AttentionProbe(MAPS, 0), AttentionProbe(MAPS, 6), DistanceProbe(6, 0)])
def test_tasks_that_are_learned_side_by_side_are_learned_as_if_alone(probe):
    """One of them goes on when the other is learned; alone, both rows of weights learn the same task."""
    ready = batch_list(examples(60, "tree"))

    def passes(batches):
        """The weights after learning, and how often the batches to learn from were shown."""
        told: list[int] = []
        taught = probe.copied(CPU)
        with reporting_to(told.append):
            learn(taught, batches[:5], batches[5:], seed=0, most=MOST)
        return taught.weights, len(told)

    together, most = passes(ready)
    alone = [passes([replace(batch, gold=batch.gold[[task, task]]) for batch in ready]) for task in range(len(TASKS))]
    for task, (weights, _) in enumerate(alone):
        torch.testing.assert_close(weights[0], together[task], rtol=1e-4, atol=1e-5)
    counts = [count for _, count in alone]
    assert min(counts) < max(counts) == most, "one was learned before the other"


@pytest.fixture(scope="module")
def learnt(encoder, anatomy):
    """Inputs and maps of every sentence."""
    inputs = treebank_inputs(bank(few()), PairMaker(encoder("bert").tokenizer, 128))
    items = [item.input for _, item in inputs.values()]
    seen = observe(encoder("bert"), anatomy("bert"), items, Options(keep_weights=True))
    return inputs, {each.input.document: word_maps(each.weights, inputs[each.input.document][1]) for each in seen}


def test_probes_learn_from_gold_heads_and_mean_embeddings_of_pieces(encoder, learnt):
    inputs, maps = learnt
    (found,) = probing(encoder("bert"), NAME, inputs, maps, maps, SEED)
    tokenizer = encoder("bert").tokenizer
    table = encoder("bert").model.embeddings.word_embeddings.weight.numpy()
    examples = []
    for name, (sentence, _) in sorted(inputs.items()):
        vectors = []
        for word in sentence.words:
            pieces = tokenizer(f" {word.form}", add_special_tokens=False)["input_ids"]
            vectors.append(sum(table[piece] for piece in pieces) / len(pieces))
        heads = np.array([word.head for word in sentence.words])
        scored = np.array([word.relation != "punct" for word in sentence.words])
        types = tuple(word.form.lower() for word in sentence.words)
        examples.append(ProbeExample(name, maps[name], heads, scored, types, np.array(vectors)))
    expected = probe_facts(examples, examples, "bert", NAME, SEED, encoder("bert").device)
    pd.testing.assert_frame_equal(found, expected.assign(model=encoder("bert").id), rtol=1e-6)
    value = found.set_index("name")["value"]
    assert value["random attention+words"] == value["attention+words"], "the same maps stand for the twin's"


def test_too_few_sentences_teach_no_probe(encoder, learnt):
    inputs, maps = learnt
    few = dict(list(maps.items())[:5])
    assert probing(encoder("bert"), NAME, inputs, few, few, SEED) == []


def test_a_large_treebank_is_sampled_by_name():
    names = [f"s{number}" for number in range(MOST_SENTENCES + 50)]
    kept = sampled(names, SEED)
    assert len(kept) == MOST_SENTENCES
    assert kept < set(names)
    assert sampled(names[::-1], SEED) == kept != sampled(names, SEED + 1)
    assert sampled(names[:7], SEED) == set(names[:7])
