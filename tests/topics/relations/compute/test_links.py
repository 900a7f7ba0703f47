"""What is lost to special tokens, links and separators: loops over words in float64, and heads made by hand."""

import numpy as np
import pandas as pd
import pytest

from generator.attention.words import WordMaps
from generator.corpora.relation_names import DIRECTIONS
from generator.corpora.treebank import Sentence, Word
from generator.numbers.resampling import bootstrap, bootstrap_ratio
from generator.topics.relations.claims.finds import LOSS, Counts
from generator.topics.relations.compute.links import LinkScores, noun_pronoun, verb_subject
from generator.topics.relations.compute.relations import relation_baselines, relations
from generator.topics.relations.derived.predictions import Predictions, predict
from tests.studies.stored import CORPUS, MODEL, SEED, fit_the_store, row, same, same_tables
from tests.topics.relations.compute.words import (
    HEADS,
    LAYERS,
    RELATIONS,
    by_name,
    every_head,
    maps_of,
    numbers_of,
    of_one_head,
    tables_of,
)


@every_head
def test_what_is_lost_to_special_tokens_is_counted_word_by_word(corpus, tables, layer, head):
    sums, words = [], []
    for sentence, maps, _ in by_name(corpus):
        lost = 0
        for i, word in enumerate(sentence.words):
            others = [(float(maps.weights[layer, head, i, j]), -j) for j in range(len(sentence.words)) if j != i]
            if word.head and others:
                best, place = max(others)
                special = max(float(maps.begin[layer, head, i]), float(maps.separator[layer, head, i]))
                lost += -place == word.head - 1 and special > best
        sums.append(lost)
        words.append(len(sentence.words))
    assert sum(sums) > 0
    same(row(tables[1], "special.loss", layer + 1, head + 1), bootstrap_ratio(np.array(sums), np.array(words), SEED))


@every_head
def test_of_no_relation_more_words_are_kept_from_special_tokens_than_the_gate_allows(corpus, tables, layer, head):
    """The gate knows what is lost of all relations together; here it is counted of each."""
    pairs = [(sentence, predict(maps.weights)) for sentence, maps, _ in by_name(corpus)]
    found = Predictions.of(pairs)
    lost = tables[1][tables[1]["name"] == LOSS]
    counts = Counts(relations(found, MODEL, CORPUS), relation_baselines(found, MODEL, CORPUS), lost)
    kept = dict.fromkeys(RELATIONS, 0)
    for sentence, maps, _ in by_name(corpus):
        weights = maps.weights[layer, head].astype(float)
        specials = np.maximum(maps.begin, maps.separator)[layer, head]
        for i, word in enumerate(sentence.words):
            others = [(weights[i, j], -j) for j in range(len(sentence.words)) if j != i]
            if word.head and others and -max(others)[1] == word.head - 1:
                kept[word.relation] += max(others)[0] >= specials[i]
    told = [counts.of(relation, DIRECTIONS[0], (layer + 1, head + 1))[0] for relation in RELATIONS]
    assert all(kept[row["relation"]] <= row["kept"] <= row["correct"] for row in told)
    assert 0 < sum(kept.values()) < sum(row["correct"] for row in told)


def _slow_link(sentence, weights, wanted):
    """The largest weight of any ordered pair of words, one of each kind; NaN without one."""
    weighed = []
    for i, first in enumerate(sentence.words):
        for j, second in enumerate(sentence.words):
            if wanted(first, second, i, j) or wanted(second, first, j, i):
                weighed.append(float(weights[i, j]))
    return max(weighed, default=float("nan"))


LINKED = {
    "link.noun_pronoun": lambda a, b, i, j: a.upos in {"NOUN", "PROPN"} and b.upos == "PRON",
    "link.verb_subject": lambda a, b, i, j: a.head == j + 1 and a.relation in {"nsubj", "nsubj:pass"},
}


@every_head
@pytest.mark.parametrize("name", LINKED)
def test_links_equal_a_loop_over_pairs_of_words(corpus, tables, name, layer, head):
    rows = np.array(
        [_slow_link(sentence, maps.weights[layer, head], LINKED[name]) for sentence, maps, _ in by_name(corpus)]
    )
    assert np.isnan(rows).any()
    assert not np.isnan(rows).all()
    same(row(tables[1], name, layer + 1, head + 1), bootstrap(rows, SEED))


def test_pairs_of_a_sentence_made_by_hand():
    words = (
        Word("She", "PRON", 2, "nsubj"),
        Word("told", "VERB", 0, "root"),
        Word("Ann", "PROPN", 2, "iobj"),
        Word("it", "PRON", 5, "nsubj:pass"),
        Word("read", "VERB", 2, "ccomp"),
        Word("books", "NOUN", 5, "obj"),
    )
    sentence = Sentence("s", words)
    assert {tuple(pair) for pair in noun_pronoun(sentence)} == {(2, 0), (2, 3), (5, 0), (5, 3)}
    assert {tuple(pair) for pair in verb_subject(sentence)} == {(1, 0), (4, 3)}


@pytest.mark.parametrize(("query", "key", "noun", "subject"), [(0, 1, 0, 1), (1, 0, 0, 1), (2, 0, 1, 0), (0, 2, 1, 0)])
def test_a_link_counts_in_either_direction_and_no_other_pair_does(query, key, noun, subject):
    words = (Word("she", "PRON", 2, "nsubj"), Word("saw", "VERB", 0, "root"), Word("Ann", "PROPN", 2, "obj"))
    weights = np.zeros((3, 3))
    weights[query, key] = 0.7
    found = numbers_of(Sentence("s", words), of_one_head(weights))
    assert found["link.noun_pronoun"] == pytest.approx(0.7 * noun)
    assert found["link.verb_subject"] == pytest.approx(0.7 * subject)


def test_sentences_without_a_pair_do_not_count(tables, corpus):
    having = sum(bool(len(noun_pronoun(sentence))) for sentence, _, _ in corpus)
    assert 0 < having < len(corpus)
    assert set(tables[1].query("name == 'link.noun_pronoun'").n) == {having}


def test_split_is_the_share_of_words_with_several_pieces(corpus, tables):
    ordered = by_name(corpus)
    split = np.array([sum(length > 1 for length in lengths) for _, _, lengths in ordered])
    words = np.array([len(sentence.words) for sentence, _, _ in ordered])
    same(row(tables[0], "split"), bootstrap_ratio(split, words, SEED))


def test_the_order_of_sentences_changes_nothing_and_the_seed_moves_only_intervals(corpus, tables):
    same_tables(tables, tables_of(corpus[::-1]))
    _, other = tables_of(corpus, SEED + 1)
    fixed = ~tables[1].name.str.startswith("sep.")  # the seed also draws the halves
    pd.testing.assert_series_equal(other.value[fixed], tables[1].value[fixed])
    assert not (other.low == tables[1].low)[fixed].all()


def test_tables_fit_the_store(tables):
    fit_the_store(tables, "words")
    assert len(tables[1]) == 8 * LAYERS * HEADS


def test_maps_may_be_used_again_after_they_were_added(corpus, tables):
    scores = LinkScores()
    for sentence, maps, lengths in corpus:
        whole = np.concatenate([maps.weights, maps.separator[..., None]], axis=-1)
        scores.add(sentence, WordMaps(whole[..., :-1], maps.begin, whole[..., -1]), lengths)
        whole[:] = np.nan
    found = Predictions.of([(sentence, predict(maps.weights)) for sentence, maps, _ in corpus])
    pd.testing.assert_frame_equal(scores.tables(found, MODEL, CORPUS, SEED)[1], tables[1])


def test_what_belongs_to_another_sentence_is_refused(corpus):
    sentence, maps, lengths = corpus[5]
    words = len(sentence.words)
    scores = LinkScores()
    with pytest.raises(ValueError, match=f"{words} words for 's5'"):
        scores.add(sentence, maps_of(words + 1, 0), lengths)
    with pytest.raises(ValueError, match=f"and {words + 1}"):
        scores.add(sentence, maps, np.ones(words + 1, int))
    scores.add(sentence, maps, lengths)
    with pytest.raises(ValueError, match="expected predictions"):
        scores.tables(Predictions.of([(corpus[4][0], predict(corpus[4][1].weights))]), MODEL, CORPUS, SEED)
