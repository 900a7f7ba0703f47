"""Sentences by the strength of a head: hand-made strengths, loops over words, and no order of sentences matters."""

import numpy as np
import pandas as pd
import pytest

from generator.attention.observed import Observed
from generator.attention.words import WordMaps
from generator.corpora.classes import TokenClass
from generator.corpora.pairs import Input
from generator.results.tables import DECILES
from generator.topics.relations.compute.deciles import LONGEST, SHOWN, DecileExamples
from tests.measures.maps import random_map

LAYERS, HEADS = 2, 3


def texts(ids):
    return [f"t{token}" for token in ids]


def sentence(name, tokens, strength):
    """A sentence whose words attend to one word with `strength [layer, head]`, and its whole map `[token, token]`.

    The whole maps are random: only the words' maps decide the strength.
    """
    words = tokens - 2
    weights = np.zeros((LAYERS, HEADS, words, words), np.float32)
    weights[..., 0] = np.asarray(strength)[..., None]
    rest = (1 - np.asarray(strength))[..., None].repeat(words, -1)
    seeds = np.arange(LAYERS * HEADS).reshape(LAYERS, HEADS) + 100 * tokens
    whole = np.array([[random_map(tokens, seed) for seed in row] for row in seeds], np.float32)
    number = int(name.removeprefix("s"))
    classes = (TokenClass.BEGIN, *[TokenClass.OTHER] * words, TokenClass.SEPARATOR)
    item = Input(name, 1, (number,) * tokens, (0,) * tokens, classes)
    return Observed(item, None, whole), WordMaps(weights, rest / 2, rest / 2)


def table(sentences):
    examples = DecileExamples()
    for seen, maps in sentences:
        examples.add(seen, maps)
    return examples.table("corpus", texts)


@pytest.fixture(scope="module")
def twenty():
    """Sentence `sK` has strength K / 20 in head 1-1, 1 - K / 20 in head 2-3, and at random elsewhere."""
    rng = np.random.default_rng(0)
    made = []
    for number in range(20):
        strength = rng.random((LAYERS, HEADS))
        strength[0, 0], strength[1, 2] = number / 20, 1 - number / 20
        made.append(sentence(f"s{number:02}", 4 + number % 5, strength))
    return made


def test_the_middle_of_each_decile_is_shown(twenty):
    """Of twenty sentences a decile holds two: the highest 18 and 19, of which 19 is behind the middle."""
    found = table(twenty).set_index(["layer", "head", "decile"])
    assert [found.loc[(1, 1, decile), "tokens"][0] for decile in (10, 5, 1)] == ["t19", "t9", "t1"]
    assert [found.loc[(2, 3, decile), "tokens"][0] for decile in (10, 5, 1)] == ["t0", "t10", "t18"]
    assert found.loc[(1, 1, 10), "strength"] == pytest.approx(19 / 20)


def test_every_row_equals_a_loop_over_words(twenty):
    found = table(twenty)
    assert list(found.columns) == DECILES.names
    assert len(found) == LAYERS * HEADS * len(SHOWN)
    assert not found.duplicated(["layer", "head", "decile"]).any()
    for row in found.itertuples():
        at = row.layer - 1, row.head - 1
        slow = []
        for seen, maps in twenty:
            rows = maps.weights[at].astype(float)
            slow.append((sum(max(line) for line in rows.tolist()) / len(rows), seen.input.document, seen))
        slow.sort(key=lambda one: one[:2])
        strength, _, seen = slow[{1: 1, 5: 9, 10: 19}[row.decile]]
        assert row.strength == pytest.approx(strength, abs=1e-6)
        assert row.tokens == texts(seen.input.input_ids)
        n = len(seen.input)
        np.testing.assert_array_equal(row.weights.reshape(n, n), seen.weights[at])


def test_strength_is_the_largest_weight_of_a_word_that_attends_not_of_one_attended_to():
    """Every word looks at the first: each row's maximum is 1, each column's is 1 for the first word alone."""
    (seen, maps) = sentence("s1", 6, np.ones((LAYERS, HEADS)))
    assert (table([(seen, maps)])["strength"] == 1).all()


def test_the_order_of_sentences_changes_nothing_even_among_equals(twenty):
    equals = [sentence(f"s{number}", 5, np.full((LAYERS, HEADS), 0.5)) for number in range(30, 38)]
    pd.testing.assert_frame_equal(table([*twenty, *equals]), table([*equals[::-1], *twenty[::-1]]))


def test_longer_sentences_are_passed_over(twenty):
    fits, too_long = (sentence(f"s{n}", n, np.ones((LAYERS, HEADS))) for n in (LONGEST, LONGEST + 1))
    found = table([*twenty, too_long])
    pd.testing.assert_frame_equal(found, table(twenty))
    assert texts([LONGEST])[0] in {row[0] for row in table([*twenty, fits])["tokens"]}
    assert len(table([too_long])) == 0


def test_a_single_sentence_stands_for_every_decile():
    found = table([sentence("s7", 5, np.full((LAYERS, HEADS), 0.25))])
    assert len(found) == LAYERS * HEADS * len(SHOWN)
    assert {tuple(row) for row in found["tokens"]} == {("t7",) * 5}
