"""Dependency scores: loops over words, heads that are right by construction, and choices that must be honest."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from generator.attention.stream import Options, observe
from generator.attention.words import word_maps
from generator.corpora.pairs import PairMaker
from generator.corpora.treebank import Sentence, Word, read_treebank
from generator.home import DATA, HOME
from generator.studies.halves import reported
from generator.topics.learning.records.curves import RELATION_BASELINE
from generator.topics.relations.compute.relations import relation_baselines, relation_heads, relations
from generator.topics.relations.derived.predictions import OFFSETS, Predictions, predict
from generator.topics.relations.records.relations import EDGE, FEW_WORDS, RELATIONS, TRIED

SEED = 5
TREEBANK = sorted((DATA / "corpora" / "treebank").glob("*.conllu"))
MODEL, CORPUS = "some/model", "some trees"
LAYERS, HEADS = 2, 3
FOLLOWS, FOLLOWED, SECOND = (0, 1), (1, 2), (1, 0)
"""Heads made by hand, 0-based: dependents look at heads; heads look at dependents; every word looks
two ahead, or at the last word, and the last word at one that is not its head: its clipped offset is itself."""


@pytest.fixture(scope="module")
def sentences():
    """Every fourth: enough words of each relation for loops that are slow."""
    return [item for item in read_treebank("treebank", TREEBANK).items if len(item.words) > 2][::4]


def _maps(sentence, rng):
    """Random maps, three heads of them made by hand."""
    n = len(sentence.words)
    weights = rng.dirichlet(np.ones(n), (LAYERS, HEADS, n))
    for at, word in enumerate(sentence.words):
        if word.head:
            weights[(*FOLLOWS, at)] = np.eye(n)[word.head - 1]
        never = next(other for other in range(n - 1) if other != word.head - 1)
        weights[(*SECOND, at)] = np.eye(n)[never if at == n - 1 else min(at + 2, n - 1)]
    followed = np.eye(n)
    for at, word in enumerate(sentence.words):
        if word.head:
            followed[word.head - 1, at] = 1
    weights[FOLLOWED] = followed / followed.sum(-1, keepdims=True)
    return weights.astype(np.float32)


@pytest.fixture(scope="module")
def maps(sentences):
    rng = np.random.default_rng(0)
    return {sentence.id: _maps(sentence, rng) for sentence in sentences}


@pytest.fixture(scope="module")
def found(sentences, maps):
    return Predictions.of([(sentence, predict(maps[sentence.id])) for sentence in sentences])


def _slow_prediction(weights, at, direction):
    """The other word with the largest weight to or from word `at`; the first of equals."""
    best, most = -1, -1.0
    for other in range(len(weights)):
        weight = float(weights[at, other] if direction == "dep->head" else weights[other, at])
        if other != at and weight > most:
            best, most = other, weight
    return best


def _slow_counts(sentences, pick):
    """Relation -> (right, n), with the rule for possessive markers; `pick(sentence, at)` is the word that is picked."""
    counts = {}
    for sentence in sentences:
        for at, word in enumerate(sentence.words):
            looked = at
            follows = at + 1 < len(sentence.words) and sentence.words[at + 1].form in ("'s", "'")
            if word.relation == "nmod:poss" and follows:
                looked = at + 1
            right = word.head == pick(sentence, looked) + 1
            plain = word.head == pick(sentence, at) + 1
            for relation, hit in ((word.relation, right), ("all", plain)):
                hits, n = counts.get(relation, (0, 0))
                counts[relation] = hits + (hit and word.head > 0), n + 1
    return {relation: pair for relation, pair in counts.items() if relation != "root"}


def _slow_head(maps, layer, head, direction):
    """What a head picks."""
    return lambda sentence, at: _slow_prediction(maps[sentence.id][layer, head], at, direction)


@pytest.mark.parametrize("direction", ["dep->head", "head<-dep"])
def test_counts_equal_a_loop_over_words_for_every_head(sentences, maps, found, direction):
    table = relations(found, MODEL, CORPUS)
    for layer, head in np.ndindex(LAYERS, HEADS):
        rows = table[(table.direction == direction) & (table.layer == layer + 1) & (table["head"] == head + 1)]
        got = {row.relation: (row.correct, row.n) for row in rows.itertuples()}
        assert got == _slow_counts(sentences, _slow_head(maps, layer, head, direction))


def test_counts_on_the_maps_of_a_model_equal_the_loop_too(sentences, encoder, anatomy):
    some = sentences[:12]
    maker = PairMaker(encoder("bert").tokenizer, 128)
    items = {sentence.id: maker.words(sentence.id, [word.form for word in sentence.words]) for sentence in some}
    by_id = {
        one.input.document: word_maps(one.weights, items[one.input.document]).weights
        for one in observe(
            encoder("bert"), anatomy("bert"), [item.input for item in items.values()], Options(keep_weights=True)
        )
    }
    table = relations(Predictions.of([(one, predict(by_id[one.id])) for one in some]), MODEL, CORPUS)
    for direction in ("dep->head", "head<-dep"):
        rows = table[(table.direction == direction) & (table.layer == 2) & (table["head"] == 3)]
        got = {row.relation: (row.correct, row.n) for row in rows.itertuples()}
        assert got == _slow_counts(some, _slow_head(by_id, 1, 2, direction))


@pytest.mark.parametrize(("place", "direction"), [(FOLLOWS, "dep->head"), (FOLLOWED, "head<-dep")])
def test_a_head_that_follows_the_tree_is_always_right_in_its_direction(found, place, direction):
    table = relations(found, MODEL, CORPUS)
    rows = table[(table.layer == place[0] + 1) & (table["head"] == place[1] + 1) & (table.relation != "all")]
    rows = rows[rows.relation != "nmod:poss"]  # there the marker's prediction counts
    assert (rows[rows.direction == direction].eval("correct == n")).all()
    assert not (rows[rows.direction != direction].eval("correct == n")).all()


def test_a_fixed_offset_fed_through_the_same_code_is_the_baseline(found):
    ours = relations(found, MODEL, CORPUS)
    ours = ours[(ours.layer == SECOND[0] + 1) & (ours["head"] == SECOND[1] + 1) & (ours.direction == "dep->head")]
    baseline = relation_baselines(found, MODEL, CORPUS).query("offset == 2")
    columns = ["relation", "correct", "n"]
    assert "nmod:poss" in set(ours.relation)
    assert ours[columns].to_numpy().tolist() == baseline[columns].to_numpy().tolist()


@pytest.mark.parametrize("offset", OFFSETS)
def test_the_baseline_equals_a_loop_for_every_relation_by_the_definition_that_is_told(sentences, found, offset):
    def pick(sentence, at):
        """Beyond an end of the sentence the first or the last word."""
        return min(max(at + offset, 0), len(sentence.words) - 1)

    def inside(sentence, at):
        """Beyond an end of the sentence none."""
        return at + offset if 0 <= at + offset < len(sentence.words) else -2

    rows = relation_baselines(found, MODEL, CORPUS).query(f"offset == {offset}")
    counts = {row.relation: (row.correct, row.n) for row in rows.itertuples()}
    assert counts == _slow_counts(sentences, pick)
    assert (counts == _slow_counts(sentences, inside)) == (offset > -2), "first words are heads, last ones are periods"


def test_wherever_an_offset_is_defined_its_pick_beyond_an_end_is_told():
    assert EDGE == "Beyond an end of the sentence it picks the first or the last word."
    columns = [column.definition for column in RELATIONS.columns if column.name == "offset"]
    records = (TRIED.quantity("baseline").definition, RELATION_BASELINE.quantity("{relation}").definition)
    glossary = (HOME / "docs" / "glossary.md").read_text(encoding="utf-8").partition("### Fixed offset\n")[2]
    assert len(columns) == 2
    assert all(EDGE in told for told in (*columns, *records, glossary.partition("### ")[0]))


def test_the_rule_for_possessive_markers_helps_an_offset_as_it_helps_a_head():
    """The marker stands before what is possessed, the possessor two words before it: a head that looks at the next
    word is right for markers alone, and no better than the next word.
    """
    words = (Word("Ann", "X", 3, "nmod:poss"), Word("'s", "X", 1, "case"), Word("hat", "X", 0, "root"))
    names = [f"s{number}" for number in range(60)]
    following = np.array([[0.0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])[None, None]
    found = Predictions.of([(Sentence(name, words), predict(following)) for name in names])

    baseline = relation_baselines(found, MODEL, CORPUS).query("relation == 'nmod:poss'").set_index("offset")["correct"]
    assert baseline.to_dict() == {-3: 0, -2: 0, -1: 0, 1: 60, 2: 60, 3: 60}, "counted from the marker, and clipped"
    for row in relation_heads(found, (), MODEL, CORPUS, SEED).query("relation == 'nmod:poss'").itertuples():
        assert (row.value, row.offset, row.baseline, row.gain) == (1, 1, 1, 0)


def test_what_is_stored_gives_the_same_scores(found, tmp_path):
    path = tmp_path / "predictions.parquet"
    found.table(CORPUS).to_parquet(path)

    again = Predictions.from_table(pd.read_parquet(path), LAYERS, HEADS)
    pd.testing.assert_frame_equal(relations(again, MODEL, CORPUS), relations(found, MODEL, CORPUS))
    pd.testing.assert_frame_equal(
        relation_heads(again, (), MODEL, CORPUS, SEED), relation_heads(found, (), MODEL, CORPUS, SEED)
    )


def test_the_best_head_is_chosen_on_one_half_and_reported_on_the_other():
    """One head is right on the half that chooses, another on the half that reports."""
    names = [f"s{number}" for number in range(60)]
    sentences = [
        Sentence(name, (Word("a", "X", 2, "det"), Word("b", "X", 0, "root"), Word("c", "X", 2, "obj")))
        for name in names
    ]
    right = np.array([[0.0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]])
    wrong = np.array([[0.0, 0, 1], [0.5, 0, 0.5], [1, 0, 0]])
    pairs = []
    for sentence, shown in zip(sentences, reported(names, SEED), strict=True):
        pairs.append((sentence, predict(np.stack([wrong if shown else right, right if shown else wrong])[None])))
    table = relation_heads(Predictions.of(pairs), (), MODEL, CORPUS, SEED)
    det = table[(table.relation == "det") & (table.protocol == "held-out")].iloc[0]
    assert (det["head"], det.direction, det.value) == (1, "dep->head", 0)
    assert det["rank"] > 1
    assert det.n == reported(names, SEED).sum()


def test_intervals_and_gain_belong_to_the_reported_sentences(found):
    table = relation_heads(found, (), MODEL, CORPUS, SEED)
    assert (table.value - table.baseline - table.gain).abs().max() < 1e-12
    assert ((table.low <= table.value + 1e-12) & (table.value <= table.high + 1e-12)).all()
    follows = table[(table.relation == "det") & (table.protocol == "held-out")].iloc[0]
    assert (follows.layer, follows["head"]) in {(1, 2), (2, 3)}
    assert follows.value == 1
    assert follows["rank"] == 1


@pytest.mark.parametrize("sentences", [40, 400])
def test_what_all_sentences_agree_on_leaves_an_interval_all_the_same(sentences):
    """A head that is always right, as the next word is: the gain is 0 in every draw, and so is no sure 0."""
    words = (Word("a", "X", 2, "det"), Word("b", "X", 0, "root"))
    names = [f"s{number}" for number in range(sentences)]
    right = np.array([[0.0, 1], [1, 0]])[None, None]
    table = relation_heads(
        Predictions.of([(Sentence(name, words), predict(right)) for name in names]), (), "", "", SEED
    )
    for row in table.query("relation == 'det'").itertuples():
        wilson = binomtest(row.n, row.n).proportion_ci(method="wilson")
        assert (row.value, row.high, row.baseline, row.baseline_high, row.gain) == (1, 1, 1, 1, 0)
        assert (row.low, row.baseline_low) == pytest.approx((wilson.low, wilson.low))
        assert (row.gain_low, row.gain_high) == pytest.approx((wilson.low - 1, 1 - wilson.low))


def test_twins_are_chosen_and_scored_as_the_model_is_and_their_spread_is_that_of_the_draws(sentences, found):
    """Each twin, taken for a model, gives the accuracy that it adds to the mean."""
    rng = np.random.default_rng(1)
    twins = [
        Predictions.of(
            [
                (sentence, predict(rng.dirichlet(np.ones(len(sentence.words)), (2, 3, len(sentence.words)))))
                for sentence in sentences
            ]
        )
        for _ in range(4)
    ]
    table = relation_heads(found, twins, MODEL, CORPUS, SEED)
    values = np.stack([relation_heads(twin, (), MODEL, CORPUS, SEED)["value"] for twin in twins])
    np.testing.assert_allclose(table["twin"], values.sum(0) / 4)
    np.testing.assert_array_equal(table["twin_low"], np.sort(values, axis=0)[0])
    np.testing.assert_array_equal(table["twin_high"], np.sort(values, axis=0)[3])
    assert (table.twin_low < table.twin_high).any()
    alone = relation_heads(found, [found], MODEL, CORPUS, SEED)
    for column in ("twin", "twin_low", "twin_high"):
        assert (alone[column] == alone.value).all(), "a model is its own twin here"
    assert relation_heads(found, (), MODEL, CORPUS, SEED)[["twin", "twin_low", "twin_high"]].isna().all(axis=None)


def test_the_order_of_sentences_changes_nothing(sentences, maps, found):
    turned = Predictions.of([(sentence, predict(maps[sentence.id])) for sentence in sentences[::-1]])
    pd.testing.assert_frame_equal(
        relation_heads(turned, (), MODEL, CORPUS, SEED), relation_heads(found, (), MODEL, CORPUS, SEED)
    )


def test_a_word_alone_predicts_nothing_and_no_head_is_right_about_it():
    """It is the root, and there is no other word to pick."""
    picked = predict(np.ones((1, 2, 1, 1)))
    assert (picked == -1).all()
    alone = Sentence("alone", (Word("Yes", "INTJ", 0, "root"),))
    assert not relations(Predictions.of([(alone, picked)]), "a model", "a treebank")["correct"].any()


@pytest.mark.parametrize(("words", "judged"), [(FEW_WORDS - 1, False), (FEW_WORDS, True)])
def test_a_relation_of_few_words_is_not_judged(words, judged):
    pair = (Word("a", "X", 2, "det"), Word("b", "X", 0, "root"))
    even = predict(np.full((1, 1, 2, 2), 0.5))
    found = Predictions.of([(Sentence(f"s{number}", pair), even) for number in range(words)])
    table = relation_heads(found, (), "a model", "a treebank", seed=5)
    assert ("det" in set(table.get("relation", ()))) == judged
