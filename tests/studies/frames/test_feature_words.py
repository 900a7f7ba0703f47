"""Which words are of which kind, by the paper's lists and by relations."""

import numpy as np
import pytest

from generator.corpora.treebank import Sentence, Word
from generator.studies.frames.features import NEGATIONS, feature_words
from tests.studies.frames.marked import HAND_MADE, MARKED


def test_words_are_sorted_as_the_list_in_the_head_of_the_file_says():
    found = feature_words(HAND_MADE)
    forms = np.array([word.form for word in HAND_MADE.words])
    assert {name: set(forms[marked]) for name, marked in found.items()} == MARKED


@pytest.mark.parametrize(
    ("word", "has"),
    [
        (Word("NOT", "PART", 1, "advmod"), {"negation"}),
        (Word("Don't", "AUX", 1, "aux"), {"negation"}),
        (Word("knot", "NOUN", 1, "nmod"), {"noun"}),
        (Word("notable", "ADJ", 1, "amod"), set()),
        (Word("no", "DET", 1, "det"), set()),
        (Word("nor", "CCONJ", 1, "cc"), {"negation"}),
        (Word("do", "AUX", 1, "aux"), set()),
        (Word("it", "PRON", 1, "nsubjpass"), {"pronoun", "subject"}),
        (Word("that", "SCONJ", 1, "csubj:outer"), {"subject"}),
        (Word("sich", "PRON", 1, "expl:pv"), {"pronoun"}),
        (Word("it", "PRON", 1, "obl"), {"pronoun"}),
        (Word("it", "PRON", 1, "object"), {"pronoun"}),
        (Word("x", "X", 1, "dobj"), {"object"}),
        (Word("x", "VERB", 1, "xcomp"), {"verb"}),
        (Word("x", "SYM", 1, "obj:x"), {"object"}),
    ],
    ids=lambda value: f"{value.form} {value.relation}" if isinstance(value, Word) else "",
)
def test_single_words(word, has):
    assert {name for name, marked in feature_words(Sentence("s", (word,))).items() if marked[0]} == has


def test_the_paper_has_seventeen_negations():
    assert len(NEGATIONS - {"n't"}) == 17
    assert {"won't", "can't", "neither", "couldn't"} < NEGATIONS
