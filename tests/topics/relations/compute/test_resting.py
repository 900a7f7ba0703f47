"""Where words outside and inside a head's own relation go: loops over words, and heads and twins made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from generator.attention.anatomy import examine
from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.pairs import PairMaker
from generator.corpora.treebank import treebank_inputs
from generator.models.twin import untrained_twin
from generator.numbers.resampling import bootstrap_ratio
from generator.studies.halves import reported
from generator.topics.relations.compute import resting
from generator.topics.relations.compute.links import own_relations
from generator.topics.relations.compute.resting import by_side, to_kinds
from generator.topics.relations.derived.predictions import Predictions, predict
from generator.topics.relations.records.trees import KINDS, SIDES
from tests.studies.stored import SEED
from tests.studies.surveyed import of_study, survey
from tests.studies.treebanks import bank, few
from tests.topics.relations.compute.test_separators import BEFORE, BEHIND, _object_head
from tests.topics.relations.compute.words import by_name, every_head, of_one_head


def _marked(corpus):
    """Every fourth word is a period or a comma."""
    return [
        (
            replace(
                sentence,
                words=tuple(replace(word, form=".,ab"[at % 4]) for at, word in enumerate(sentence.words)),
            ),
            maps,
        )
        for sentence, maps, _ in by_name(corpus)
    ]


def _sides(pairs):
    shown = reported([sentence.id for sentence, _ in pairs], SEED)
    masses = {one.id: to_kinds(maps, one) for (one, maps), late in zip(pairs, shown, strict=True) if late}
    found = Predictions.of([(sentence, predict(maps.weights)) for sentence, maps in pairs])
    return by_side(masses, found, SEED), found, shown


@every_head
def test_attention_to_each_kind_equals_loops_over_the_reporting_half(corpus, layer, head):
    pairs = _marked(corpus)
    sides, found, shown = _sides(pairs)
    own = own_relations(found, ~shown[found.sentence])[layer, head]
    for at, kind in enumerate(KINDS):
        for where, side in enumerate(SIDES):
            rows = []
            for (sentence, maps), late in zip(pairs, shown, strict=True):
                words = [i for i, word in enumerate(sentence.words) if (word.relation == own) == (side == "inside")]
                given = {
                    "cls": lambda i, maps=maps: maps.begin[layer, head, i],
                    "sep": lambda i, maps=maps: maps.separator[layer, head, i],
                    "punctuation": lambda i, maps=maps, sentence=sentence: sum(
                        maps.weights[layer, head, i, j]
                        for j, word in enumerate(sentence.words)
                        if word.form in (".", ",")
                    ),
                }[kind]
                if late:
                    rows.append((sum(float(given(i)) for i in words), len(words)))
            expected = bootstrap_ratio(*np.array(rows).T, SEED)
            ours = sides.part(layer, head, at, where)
            for one, other in zip(ours, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-5)


def test_the_tokens_of_a_head_made_by_hand_get_what_it_gives_them():
    made = [_object_head((BEHIND, BEFORE)[number % 2], 0.6, 0.1, f"s{number}")[:2] for number in range(120)]
    sides, *_ = _sides(made)
    assert sides.value[0, 0, KINDS.index("sep")] == pytest.approx([0.6, 0.1])
    assert sides.value[0, 0, KINDS.index("cls")] == pytest.approx([0.3, 0.6])
    assert np.isnan(sides.value[0, 0, KINDS.index("punctuation")]).all(), "no word is a period or a comma"


def test_without_a_frequent_relation_or_a_reported_sentence_nothing_is_said():
    sentence, maps, _ = _object_head(BEHIND, 0.6, 0.1, "s")
    found = Predictions.of([(sentence, predict(maps.weights))])
    assert by_side({"s": to_kinds(maps, sentence)}, found, SEED) is None
    made = [_object_head((BEHIND, BEFORE)[number % 2], 0.6, 0.1, f"s{number}")[:2] for number in range(120)]
    found = Predictions.of([(sentence, predict(maps.weights)) for sentence, maps in made])
    assert by_side({}, found, SEED) is None


def test_only_words_that_are_a_period_or_a_comma_are_marks():
    words = tuple(replace(one, form=form) for one, form in zip(BEHIND, (".", ",", "...", "Mr.", ";"), strict=True))
    weights = np.arange(25).reshape(5, 5) / 400
    masses = to_kinds(of_one_head(weights), replace(_object_head(BEHIND, 0, 0, "s")[0], words=words))
    np.testing.assert_allclose(masses[0, 0, :, 2], weights[:, :2].sum(1), rtol=1e-6)


def test_a_pass_stores_what_the_model_and_its_first_twin_give(encoder):
    reader, trees = encoder("bert"), bank(few())
    found = of_study(survey(reader, trees, studies=[resting.PROCEDURE], seed=SEED).tables, "resting", "head_facts")
    inputs = treebank_inputs(trees, PairMaker(reader.tokenizer, 128))
    for name, one in (("", reader), ("twin.", untrained_twin(reader, SEED, 0))):
        pairs = []
        for seen in observe(one, examine(one), [item.input for _, item in inputs.values()], Options(keep_weights=True)):
            sentence, item = inputs[seen.input.document]
            pairs.append((sentence, word_maps(seen.weights, item)))
        sides, *_ = _sides(sorted(pairs, key=lambda pair: pair[0].id))
        for at, kind in enumerate(KINDS):
            for where, side in enumerate(SIDES):
                rows = found[found["name"] == f"{name}{kind}.{side}"].sort_values(["layer", "head"])
                np.testing.assert_allclose(rows["value"], sides.value[..., at, where].ravel(), rtol=1e-4)
    assert found["name"].nunique() == 2 * len(KINDS) * len(SIDES)
