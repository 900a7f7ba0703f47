"""How much separators receive from words outside and inside a head's own relation."""

import numpy as np
import pytest

from generator.corpora.treebank import Sentence, Word
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.halves import reported
from generator.topics.relations.compute.links import own_relations
from generator.topics.relations.derived.predictions import Predictions, predict
from tests.studies.stored import SEED, row, same
from tests.topics.relations.compute.words import by_name, every_head, numbers_of, of_one_head, tables_of

FEW = 20


def _slow_own(corpus, layer, head):
    """The relation with the highest accuracy above the best offset, in the half that chooses."""
    shown = dict(zip([s.id for s, _, _ in corpus], reported([s.id for s, _, _ in corpus], SEED), strict=True))
    words = {}
    for sentence, maps, _ in corpus:
        if not shown[sentence.id]:
            for at, word in enumerate(sentence.words):
                words.setdefault(word.relation, []).append((at, word.head - 1, maps.weights[layer, head]))
    gains = {}
    for relation in sorted(words.keys() - {"root"}):
        found = words[relation]
        if len(found) >= FEW:
            right = sum(_looks_at(weights, at) == gold for at, gold, weights in found)
            offsets = [
                sum(min(max(at + offset, 0), len(weights) - 1) == gold for at, gold, weights in found)
                for offset in (-3, -2, -1, 1, 2, 3)
            ]
            gains[relation] = (right - max(offsets)) / len(found)
    return max(gains, key=gains.get)


def _looks_at(weights, at):
    others = [other for other in range(len(weights)) if other != at]
    return max(others, key=lambda other: weights[at, other])


@every_head
def test_mass_on_separators_equals_loops_over_the_reporting_half(corpus, tables, layer, head):
    own = _slow_own(corpus, layer, head)
    ordered = by_name(corpus)
    shown = reported([sentence.id for sentence, _, _ in ordered], SEED)
    for name, inside in (("sep.outside", False), ("sep.inside", True)):
        rows = []
        for (sentence, maps, _), late in zip(ordered, shown, strict=True):
            masses = [
                float(maps.separator[layer, head, at])
                for at, word in enumerate(sentence.words)
                if (word.relation == own) == inside
            ]
            if late:
                rows.append((sum(masses), len(masses)))
        same(row(tables[1], name, layer + 1, head + 1), bootstrap_ratio(*np.array(rows).T, SEED))


BEHIND = (
    Word("the", "DET", 2, "det"),
    Word("cat", "NOUN", 3, "nsubj"),
    Word("saw", "VERB", 0, "root"),
    Word("old", "ADJ", 5, "amod"),
    Word("mice", "NOUN", 3, "obj"),
)
BEFORE = (Word("mice", "NOUN", 5, "obj"), *(Word("x", "X", 5, "dep") for _ in range(3)), Word("saw", "VERB", 0, "root"))
"""Objects on either side of their verbs: no offset finds both; one offset finds each of the other relations."""


def _object_head(words, outside, inside, name):
    """Objects look at their verbs, all others at themselves; `outside` and `inside` is what separators get."""
    weights = np.eye(5) * 0.1
    separator = np.full(5, outside)
    for at, word in enumerate(words):
        if word.relation == "obj":
            weights[at, word.head - 1] = 0.2
            separator[at] = inside
    return Sentence(name, words), of_one_head(weights, separator), np.ones(5, int)


def _objects(outside, inside):
    return [_object_head((BEHIND, BEFORE)[number % 2], outside, inside, f"s{number}") for number in range(120)]


def test_a_head_that_rests_on_separators_outside_its_relation():
    _, table = tables_of(_objects(0.8, 0.1))
    values = table.set_index("name")["value"]
    assert values["sep.outside"] == pytest.approx(0.8)
    assert values["sep.inside"] == pytest.approx(0.1)


def test_relations_are_chosen_by_gain_in_one_direction_and_only_if_frequent(corpus):
    sentences = [sentence for sentence, _, _ in corpus]
    pairs = []
    for sentence in sentences:
        words = len(sentence.words)
        looks = np.eye(words) * 0.5
        for at, word in enumerate(sentence.words):
            if word.relation == "obj":
                looks[at, word.head - 1] = 1
        pairs.append((sentence, predict(np.stack([looks, looks.T])[None])))
    found = Predictions.of(pairs)
    every = np.ones(len(found.gold), bool)
    assert own_relations(found, every)[0, 0] == "obj"
    assert own_relations(found, every)[0, 1] != "obj", "head words that look at their objects are not dependents"
    objects = np.flatnonzero(found.relation == "obj")
    few, enough = (np.isin(np.arange(len(every)), objects[:count]) for count in (FEW - 1, FEW))
    others = found.relation != "obj"
    assert own_relations(found, others | few)[0, 0] != "obj"
    assert own_relations(found, others | enough)[0, 0] == "obj"
    assert own_relations(found, few) is None


def test_without_a_frequent_relation_nothing_is_said_of_separators():
    assert not any(name.startswith("sep.") for name in numbers_of(*_objects(0.8, 0.1)[0]).index)


def test_a_tokenizer_without_separators_leaves_their_mass_undefined():
    _, table = tables_of(_objects(0, 0))
    rows = table[table.name.str.startswith("sep.")]
    assert len(rows) == 2
    assert rows.value.isna().all()
    assert (rows.n == 0).all()
