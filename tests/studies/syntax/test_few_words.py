"""Treebanks that say little: a word without a head to find, and relations of fewer words than are judged."""

import numpy as np
import pytest

from generator.corpora.treebank import Sentence, Word
from generator.studies.syntax.predictions import Predictions, predict
from generator.studies.syntax.relations import FEW_WORDS, relation_heads, relations


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
