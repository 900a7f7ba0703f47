"""The sentences of a head's page: a slow search for them, and both sides of what may be shown."""

import numpy as np
import pandas as pd
import pytest

from generator.corpora.treebank import Sentence, Word
from generator.studies.halves import reported
from generator.topics.relations.compute.arcs import fits, shown
from generator.topics.relations.compute.relations import relation_heads
from generator.topics.relations.derived.arcs import LONGEST, MISSED, OTHER, RIGHT, SHORTEST, SHOWN, sentences
from generator.topics.relations.derived.arrows import strong
from generator.topics.relations.derived.predictions import Predictions, predict
from tests.studies.stored import CORPUS, MODEL, SEED
from tests.topics.relations.compute.test_arrows import slow_link
from tests.topics.relations.compute.words import HEADS, LAYERS, random_sentence

NO_COUNTS = pd.DataFrame(columns=["relation", "direction", "layer", "head", "correct"])
NO_OFFSETS = pd.DataFrame(columns=["relation", "correct"])


@pytest.fixture(scope="module")
def corpus() -> list[tuple[Sentence, np.ndarray]]:
    rng = np.random.default_rng(1)
    made = [random_sentence(int(words), f"s{number:03}", rng) for number, words in enumerate(rng.integers(3, 15, 300))]
    return [(one, rng.dirichlet(np.full(len(one.words) + 1, 0.2), (LAYERS, HEADS, len(one.words)))) for one in made]


def table_of(corpus: list[tuple[Sentence, np.ndarray]], chosen: pd.DataFrame | None = None) -> pd.DataFrame:
    """The table, and by default heads chosen as an analysis chooses them."""
    found = Predictions.of([(sentence, predict(maps[..., :-1])) for sentence, maps in corpus])
    by_name = {sentence.id: maps[..., :-1] for sentence, maps in corpus}
    flags = np.concatenate([strong(by_name[name]) for name in found.sentences], -1)
    maps = {name: one for name, one in by_name.items() if fits(name, one.shape[-1], SEED)}
    chosen = relation_heads(found, (), MODEL, CORPUS, SEED) if chosen is None else chosen
    return sentences(found, flags, maps, shown(chosen, NO_COUNTS, NO_OFFSETS), CORPUS)


def slow(corpus, relation, direction, layer, head):
    """Kind -> (sentence, word) of all that may be shown, the shortest sentence first, one word of each."""
    kinds: dict[str, list] = {RIGHT: [], MISSED: [], OTHER: []}
    for sentence, maps in sorted(corpus, key=lambda one: (len(one[0].words), one[0].id)):
        words, weights = sentence.words, maps[layer - 1, head - 1][:, :-1]
        if not SHORTEST <= len(words) <= LONGEST or not reported([sentence.id], SEED)[0]:
            continue
        seen = set()
        for at in range(len(words)):
            others = [to for to in range(len(words)) if to != at]
            pick = max(others, key=lambda to: weights[at][to])
            linked = [to for to in others if slow_link(words, at, to, relation, direction)]
            if linked:
                kind = RIGHT if pick in linked else MISSED
            elif weights[at][pick] > weights[at].sum() / 2:
                kind = OTHER
            else:
                continue
            if kind not in seen:
                seen.add(kind)
                kinds[kind].append((sentence.id, at, linked[0] if linked else pick))
    return kinds


def test_the_sentences_are_those_of_a_slow_search_with_all_weights(corpus):
    table, tried = table_of(corpus), 0
    by_name = {sentence.id: maps for sentence, maps in corpus}
    for place, rows in table.groupby(["relation", "direction", "layer", "head"], sort=False):
        expected = slow(corpus, *place)
        for kind, most in SHOWN.items():
            got = rows[rows["kind"] == kind]
            assert list(zip(got["sentence"], got["word"], got["to"], strict=True)) == expected[kind][:most]
            tried += len(got)
        for row in rows.itertuples():
            weights = by_name[row.sentence][row.layer - 1, row.head - 1][:, :-1]
            np.testing.assert_allclose(row.weights, weights.ravel(), 1e-6)
    assert tried == len(table) >= 20
    assert set(table["kind"]) == {RIGHT, MISSED, OTHER}
    assert not {"all", "punct"} & set(table["relation"])


def test_the_order_of_sentences_changes_nothing(corpus):
    pd.testing.assert_frame_equal(table_of(corpus), table_of(corpus[::-1]))


@pytest.mark.parametrize(
    ("words", "may"), [(SHORTEST - 1, False), (SHORTEST, True), (LONGEST, True), (LONGEST + 1, False)]
)
def test_a_sentence_that_is_shown_is_neither_short_nor_long(words, may):
    name = next(f"s{number}" for number in range(40) if reported([f"s{number}"], SEED)[0])
    other = next(f"s{number}" for number in range(40) if not reported([f"s{number}"], SEED)[0])
    assert fits(name, words, SEED) is may
    assert not fits(other, words, SEED), "its half chose the head"


def test_a_head_whose_relation_stands_in_no_short_sentence_shows_none(corpus):
    row = {"relation": "obj", "protocol": "held-out", "direction": "dep->head", "layer": 1, "head": 1}
    long = [(Sentence("a", (Word("x", "X", 0, "root"),) * 20), np.full((LAYERS, HEADS, 20, 21), 1 / 21))]
    assert not len(table_of(long, pd.DataFrame([row])))
    assert len(table_of(corpus, pd.DataFrame([row, row | {"protocol": "same data", "head": 2}])))
    assert set(table_of(corpus, pd.DataFrame([row, row | {"protocol": "same data", "head": 2}]))["head"]) == {1}


def test_heads_that_find_more_than_the_best_offset_are_shown_after_the_one_that_was_chosen():
    chosen = pd.DataFrame([_of("obj", 1, protocol="held-out"), _of("obj", 2, protocol="same data")])
    counts = [_of("obj", 1, correct=9), _of("obj", 3, correct=6), _of("obj", 4, correct=5), _of("all", 5, correct=99)]
    offsets = pd.DataFrame(
        [{"relation": "obj", "correct": best} for best in (2, 5)] + [{"relation": "all", "correct": 0}]
    )
    found = shown(chosen, pd.DataFrame(counts), offsets)
    assert list(zip(found["relation"], found["head"], strict=True)) == [("obj", 1), ("obj", 3)]


def _of(relation: str, head: int, **more: object) -> dict[str, object]:
    return {"relation": relation, "direction": "dep->head", "layer": 1, "head": head, **more}
