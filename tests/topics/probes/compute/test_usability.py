"""Probes for word classes: against probes taught by hand on loops over words, and vectors that hold the answer."""

import copy
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from generator.corpora.pairs import PairMaker
from generator.corpora.treebank import Sentence, Word
from generator.numbers.resampling import bootstrap_ratio
from generator.results.tables import FACTS
from generator.studies.halves import reported
from generator.topics.probes.compute import usability
from generator.topics.probes.compute.usability import control_labels, usability_facts
from tests.attention.observations import scarce
from tests.encoders import LAYERS, SENTENCES, loaded, write

SEED = 2
WORDS = sorted({word for text in SENTENCES for word in text.lower().replace(",", " ,").replace(".", " .").split()})
TAGS = ("NOUN", "VERB", "PUNCT")


def sentences(count=24):
    """Random words; the tag is a function of the word, but for every seventh."""
    draw = np.random.default_rng(0)
    found = []
    for number in range(count):
        chosen = draw.integers(len(WORDS), size=draw.integers(2, 9))
        words = [Word(WORDS[at].title(), TAGS[at % 3 if at % 7 else draw.integers(3)], 0, "dep") for at in chosen]
        found.append(Sentence(f"s{number:02}", tuple(words)))
    return found


def inputs_of(encoder, made):
    maker = PairMaker(encoder.tokenizer, 64)
    return {one.id: (one, maker.words(one.id, [word.form for word in one.words])) for one in made}


@pytest.fixture(scope="module")
def inputs(encoder):
    return inputs_of(encoder("bert"), sentences())


@pytest.fixture(scope="module")
def table(encoder, inputs):
    return usability_facts(encoder("bert"), "trees", inputs, SEED)


def slow_vectors(encoder, item):
    """`[layer, word, dimension]` of one sentence, from a forward pass of its own."""
    model = copy.deepcopy(encoder.model)  # the encoder is every test's, and set to be observed
    model.set_attn_implementation("eager")
    with torch.inference_mode():
        states = model(torch.tensor([item.input.input_ids]), output_hidden_states=True).hidden_states
    found, start = [], item.pieces[0]
    for length in item.lengths:
        found.append([layer[0, start : start + length].double().mean(0).numpy() for layer in states])
        start += length
    return np.swapaxes(found, 0, 1)


def test_where_memory_does_not_suffice_sentences_are_read_in_smaller_batches(encoder, inputs, table):
    most = max(map(len, (words.input for _, words in inputs.values())))
    with scarce(encoder("bert"), most), pytest.warns(UserWarning, match="batches of a quarter"):
        found = usability_facts(encoder("bert"), "trees", inputs, SEED)
    pd.testing.assert_frame_equal(found, table, check_exact=False, atol=0.02)


def test_every_number_equals_probes_taught_by_hand(encoder, inputs, table):
    names = sorted(inputs)
    shown = dict(zip(names, reported(names, SEED), strict=True))
    rows = [
        (name, word.form.lower(), word.upos, vectors)
        for name in names
        for word, vectors in zip(
            inputs[name][0].words, slow_vectors(encoder("bert"), inputs[name][1]).swapaxes(0, 1), strict=True
        )
    ]
    learn, judge = [row for row in rows if not shown[row[0]]], [row for row in rows if shown[row[0]]]
    labels = control_labels([row[1] for row in rows], [row[2] for row in learn], SEED)
    sentence = [row[0] for row in judge]
    value = table.set_index(["name", "layer"])

    def expect(number, layer, hits):
        ordered = sorted(set(sentence))
        each = [[hit for one, hit in zip(sentence, hits, strict=True) if one == name] for name in ordered]
        estimate = bootstrap_ratio(np.array(list(map(sum, each))), np.array(list(map(len, each))), SEED)
        np.testing.assert_allclose(value.loc[(number, layer), ["value", "low", "high", "n"]].astype(float), estimate)

    of_type = {}
    for _, kind, tag, _ in learn:
        of_type.setdefault(kind, []).append(tag)
    usual = Counter(row[2] for row in learn).most_common(1)[0][0]
    guess = {kind: min(set(tags), key=lambda tag, tags=tags: (-tags.count(tag), tag)) for kind, tags in of_type.items()}
    by_type = [float(guess.get(row[1], usual) == row[2]) for row in judge]
    for layer in range(LAYERS + 1):
        x = np.array([row[3][layer] for row in learn])
        mean, spread = x.mean(0), x.std(0)
        hits = []
        for truth in (lambda row: row[2], lambda row: labels[row[1]]):
            probe = LogisticRegression(C=usability.PENALTY, max_iter=usability.STEPS)
            probe.fit((x - mean) / spread, [truth(row) for row in learn])
            guesses = probe.predict((np.array([row[3][layer] for row in judge]) - mean) / spread)
            hits.append([float(guess == truth(row)) for guess, row in zip(guesses, judge, strict=True)])
        expect("tag.accuracy", layer, hits[0])
        expect("tag.control", layer, hits[1])
        expect("tag.selectivity", layer, np.subtract(*hits).tolist())
        expect("tag.lead", layer, np.subtract(hits[0], by_type).tolist())
    expect("tag.type", 0, by_type)
    expect("tag.seen", 0, [float(row[1] in guess) for row in judge])
    assert len(table) == 4 * (LAYERS + 1) + 2


def test_the_table_has_the_columns_of_the_store(table):
    assert list(table.columns) == FACTS.names
    assert set(table["study"]) == {"usability"}


def test_vectors_that_hold_the_tag_are_read_perfectly(tmp_path):
    """Words of one piece, with a tag that follows the first letter and is written into the embedding."""
    encoder = loaded(write("bert", tmp_path))
    short = [word for word in WORDS if len(encoder.tokenizer.tokenize(word)) == 1]
    draw = np.random.default_rng(1)
    made = [
        Sentence(f"s{at}", tuple(Word(word, TAGS[ord(word[0]) % 2], 0, "dep") for word in draw.choice(short, 6)))
        for at in range(60)
    ]
    inputs = inputs_of(encoder, made)
    tables = encoder.model.embeddings.word_embeddings.weight
    with torch.no_grad():
        for sentence, item in inputs.values():
            assert (item.lengths == 1).all()
            for word, at in zip(sentence.words, item.pieces, strict=True):
                tables[item.input.input_ids[at], 0] = 30 if word.upos == TAGS[0] else -30
    value = usability_facts(encoder, "trees", inputs, SEED).set_index(["name", "layer"])["value"]
    assert value["tag.accuracy", 0] == 1
    assert value["tag.control", 0] < 0.95
    assert value["tag.selectivity", 0] == pytest.approx(1 - value["tag.control", 0])


def test_control_labels_belong_to_types_and_keep_frequencies():
    types, tags = [f"type{at}" for at in range(4000)], ["a"] * 6 + ["b"] * 3 + ["c"]
    labels = control_labels(types, tags, SEED)
    assert labels == control_labels(types[::-1], tags[::-1], SEED)
    assert {kind: labels[kind] for kind in types[:9]} == control_labels(types[:9], tags, SEED)
    counts = Counter(labels.values())
    for tag, share in (("a", 0.6), ("b", 0.3), ("c", 0.1)):
        assert abs(counts[tag] / 4000 - share) < 0.03
    assert labels != control_labels(types, tags, SEED + 1)


def test_the_order_of_sentences_changes_nothing(encoder, inputs, table):
    turned = usability_facts(encoder("bert"), "trees", dict(reversed(inputs.items())), SEED)
    pd.testing.assert_frame_equal(table, turned, check_exact=True)


def test_a_large_treebank_is_sampled(encoder, inputs, monkeypatch):
    monkeypatch.setattr(usability, "MOST_WORDS", 80)
    found = usability_facts(encoder("bert"), "trees", inputs, SEED)
    judged = found.set_index("name").loc["tag.seen", "n"]
    assert 5 <= judged < reported(sorted(inputs), SEED).sum()


def test_too_few_sentences_or_a_single_tag_give_nothing(encoder, inputs):
    assert usability_facts(encoder("bert"), "trees", dict(list(inputs.items())[:6]), SEED).empty
    same = [
        Sentence(sentence.id, tuple(Word(word.form, "X", 0, "dep") for word in sentence.words))
        for sentence in sentences()
    ]
    found = usability_facts(encoder("bert"), "trees", inputs_of(encoder("bert"), same), SEED)
    assert found.empty
    assert list(found.columns) == FACTS.names
